#!/usr/bin/env bash
# Prints the signature of a request. ../README.md says how to call it. Needs openssl.
set -euo pipefail

# #region sign
# sign METHOD PATH TIMESTAMP NONCE [name=value ...] < body: names and values decoded, the body exactly as sent.
sign() {
  local method=$1 path=$2 timestamp=$3 nonce=$4 query body_hash
  shift 4
  query=$(canonical_query "$@")
  body_hash=$(openssl dgst -sha256 -r | cut -d ' ' -f 1)
  printf '%s\n%s\n%s\n%s\n%s\n%s' "$method" "$path" "$query" "$body_hash" "$timestamp" "$nonce" |
    openssl dgst -sha256 -mac HMAC -macopt "key:$CORPRAIL_SIGNING_SECRET" -r | cut -d ' ' -f 1
}

# Sorts by name only. Sorting whole pairs would put a=5 after a1=4.
canonical_query() {
  local pair
  for pair in "$@"; do
    case $pair in token=*) continue ;; esac
    printf '%s=%s\n' "$(percent "${pair%%=*}")" "$(percent "${pair#*=}")"
  done | LC_ALL=C sort -t = -k 1,1 | paste -s -d '&' -
}

percent() {
  local byte
  for byte in $(printf %s "$1" | od -An -v -tx1 | tr a-f A-F); do
    case $byte in
      2D | 2E | 5F | 7E | 3[0-9] | [46][1-9A-F] | [57][0-9A]) printf "\\x$byte" ;;
      *) printf '%%%s' "$byte" ;;
    esac
  done
}
# #endregion

if [ $# -lt 4 ] || [ -z "${CORPRAIL_SIGNING_SECRET:-}" ]; then
  echo 'CORPRAIL_SIGNING_SECRET=sig_... sign METHOD PATH TIMESTAMP NONCE [name=value ...] < body' >&2
  exit 2
fi
sign "$@"
