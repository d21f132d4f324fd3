#!/bin/sh
# Makes an RSA key in the HSM and an outer key that only it can decrypt, once. The variables are those of pkcs11.sh.
set -eu
tool() { pkcs11-tool --module "$PKCS11_MODULE" --token-label "${PKCS11_TOKEN:-corprail}" "$@"; }
label=${PKCS11_KEY:-outer-key}
public=$(mktemp)
trap 'rm -f "$public"' EXIT
tool --login --pin env:PKCS11_PIN --keypairgen --key-type rsa:3072 --label "$label" >/dev/null
tool --read-object --type pubkey --label "$label" --output-file "$public" >/dev/null
umask 077
openssl rand -hex 32 | openssl pkeyutl -encrypt -pubin -keyform DER -inkey "$public" -pkeyopt rsa_padding_mode:oaep -out "$OUTER_KEY_FILE"
echo "The encrypted outer key is in $OUTER_KEY_FILE." >&2
