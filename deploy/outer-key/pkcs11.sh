#!/bin/sh
# Prints the outer key for CORPRAIL_OUTER_KEY_COMMAND. The RSA key that decrypts it never leaves the HSM.
#
#   PKCS11_MODULE   the HSM's library, such as /usr/lib/softhsm/libsofthsm2.so
#   PKCS11_TOKEN    the token's label (corprail)
#   PKCS11_KEY      the RSA key's label (outer-key)
#   PKCS11_PIN      the user's PIN; read by pkcs11-tool from the environment, so that no argument shows it
#   OUTER_KEY_FILE  the outer key, encrypted for the RSA key
set -eu
exec pkcs11-tool --module "$PKCS11_MODULE" --token-label "${PKCS11_TOKEN:-corprail}" --login --pin env:PKCS11_PIN \
  --decrypt --mechanism RSA-PKCS-OAEP --hash-algorithm SHA-1 --mgf MGF1-SHA1 \
  --label "${PKCS11_KEY:-outer-key}" --input-file "$OUTER_KEY_FILE" 2>/dev/null
