#!/usr/bin/env bash
# Writes callbacks.json next to this script, with openssl and none of the service's code:
# a mistake that sender and receiver share would still show against these.
set -euo pipefail

# Strings are bytes, and names sort by code unit.
export LC_ALL=C

TOKEN=tok_live_FAKE-TOKEN-FOR-TEST-VECTORS-ONLY-0000000001
SECRET=cbk_FAKE-SECRET-FOR-TEST-VECTORS-ONLY-000000001
OTHER_SECRET=cbk_FAKE-SECRET-FOR-TEST-VECTORS-ONLY-000000002
HOST=https://client.example

hex() { od -An -v -tx1 | tr -d ' \n'; }

first_word() {
  local word rest
  read -r word rest
  printf '%s' "$word"
}

# The key goes in as hex, so that none of its characters can mean anything to the shell or to openssl.
hmac_sha256() {
  printf '%s' "$2" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$(printf '%s' "$1" | hex)" -r | first_word
}

# The number of one byte, 0 to 255. printf may give the upper half as negative numbers.
byte_code() {
  printf -v code '%d' "'$1"
  code=$((code & 255))
}

percent_encode() {
  local text=$1 out='' byte escaped code at
  for ((at = 0; at < ${#text}; at++)); do
    byte=${text:at:1}
    case $byte in
      [A-Za-z0-9._~-]) out+=$byte ;;
      *)
        byte_code "$byte"
        printf -v escaped '%%%02X' "$code"
        out+=$escaped
        ;;
    esac
  done
  printf '%s' "$out"
}

json_string() {
  local text=$1 out='' byte escaped code at
  for ((at = 0; at < ${#text}; at++)); do
    byte=${text:at:1}
    byte_code "$byte"
    case $byte in
      '"' | \\) out+="\\$byte" ;;
      $'\n') out+='\n' ;;
      $'\r') out+='\r' ;;
      $'\t') out+='\t' ;;
      *)
        if ((code < 32)); then printf -v escaped '\\u%04x' "$code"; else escaped=$byte; fi
        out+=$escaped
        ;;
    esac
  done
  printf '"%s"' "$out"
}

# Arguments: name value name value ... A pair is sorted by its name alone.
hashed_text() {
  while (($# > 0)); do
    printf '%s\t%s\n' "$1" "$2"
    shift 2
  done | sort -t $'\t' -k 1,1 | sed 's/\t/=/' | paste -s -d '&' -
}

# Arguments: name value name value ...
query_text() {
  local separator=''
  while (($# > 0)); do
    printf '%s%s=%s' "$separator" "$(percent_encode "$1")" "$(percent_encode "$2")"
    separator='&'
    shift 2
  done
}

# Arguments: name value name value ...
json_object() {
  local separator=''
  printf '{'
  while (($# > 0)); do
    printf '%s%s:%s' "$separator" "$(json_string "$1")" "$(json_string "$2")"
    separator=','
    shift 2
  done
  printf '}'
}

# Arguments: name value name value ...
json_pairs() {
  local separator=''
  printf '['
  while (($# > 0)); do
    printf '%s[%s, %s]' "$separator" "$(json_string "$1")" "$(json_string "$2")"
    separator=', '
    shift 2
  done
  printf ']'
}

member() { printf '      "%s": %s%s\n' "$1" "$2" "${3-,}"; }

vectors_written=0

# What every vector says of itself. Arguments: name, version, URL, ts, nonce, key, facts as JSON.
begin() {
  ((vectors_written == 0)) || printf ',\n'
  vectors_written=$((vectors_written + 1))
  printf '    {\n'
  member name "$(json_string "$1")"
  member version "$2"
  member url "$(json_string "$3")"
  member ts "$4"
  member nonce "$(json_string "$5")"
  member key "$(json_string "$6")"
  member facts "$7"
}

# Arguments: name, path, own query as it stands in the URL, ts, nonce, facts as JSON, then all signed pairs in the order
# sent: the URL's own, v, the facts, ts, nonce.
version_2() {
  local name=$1 path=$2 own=$3 ts=$4 nonce=$5 facts=$6
  shift 6
  local text hash
  text=$(hashed_text "$@")
  hash=$(hmac_sha256 $TOKEN "$text")
  begin "$name" 2 "$HOST$path$own" "$ts" "$nonce" $TOKEN "$facts"
  member parameters "$(json_pairs "$@")"
  member hashed_text "$(json_string "$text")"
  member hash "$(json_string "$hash")"
  member target "$(json_string "$path?$(query_text "$@" hash "$hash")")" ''
  printf '    }'
}

# Arguments: name, path with its own query, ts, nonce, secret, facts as JSON, then all pairs in the order sent.
version_3() {
  local name=$1 target=$2 ts=$3 nonce=$4 secret=$5 facts=$6
  shift 6
  local body
  body=$(json_object "$@")
  begin "$name" 3 "$HOST$target" "$ts" "$nonce" "$secret" "$facts"
  member target "$(json_string "$target")"
  member body "$(json_string "$body")"
  member body_hex "$(json_string "$(printf '%s' "$body" | hex)")"
  member signature "$(json_string "$(hmac_sha256 "$secret" "$body")")" ''
  printf '    }'
}

# Amounts in ten-thousandths, as the outbox has them; resolved_at in Unix seconds.
status_facts() {
  printf '{"kind": "status", "status": %s, "order_id": %s, "urid": %s, "amount": %s, "target": %s, "operator_ref": %s}' \
    "$(json_string "$1")" "$(json_string "$2")" "$(json_string "$3")" "$4" "$(json_string "$5")" "$6"
}

complaint_facts() {
  printf '{"kind": "complaint", "complaint_ref": %s, "order_id": %s, "urid": %s, "status": %s, "refund_amount": %s, "reason": %s, "resolved_at": %s, "test": %s}' \
    "$(json_string "$1")" "$(json_string "$2")" "$(json_string "$3")" "$(json_string "$4")" "$5" "$(json_string "$6")" "$7" "$8"
}

all_vectors() {
  local success failed tiny free refunded resolved test
  success=$(status_facts SUCCESS 01JXQ0A1B2C3D4E5F6 ORDER-17 1990000 9876543210 '"OP123456"')
  failed=$(status_facts FAILED 01JXQ0A1B2C3D4E5F6 INV-2025.06:0001 105000 9876543202 null)
  tiny=$(status_facts SUCCESS 01JXQ0A1B2C3D4E5F7 a 1 /+@:~!,x '"R/1"')
  free=$(status_facts SUCCESS 01JXQ0A1B2C3D4E5F8 ENQ-1 0 9876543210 '"000111222333"')
  refunded=$(complaint_facts CMP0123456789AB 01JXQ0A1B2C3D4E5F6 ORDER-17 REFUNDED 1990000 'The operator did not credit it.' 1750000000 false)
  resolved=$(complaint_facts CMP0123456789AC 01JXQ0A1B2C3D4E5F6 ORDER-17 RESOLVED 0 'Said "credited" – ₹199 \ 😀' 1767205799 false)
  test=$(complaint_facts TEST-CMP0123456789AD TEST-01JXQ0A1B2C3D4E5F6 TEST-1 RESOLVED 0 'This is a test.' 1750000000 true)

  version_2 'version 2, SUCCESS' /cb '' 1750000001 NONCE0001 "$success" \
    v 2 status SUCCESS orderid 01JXQ0A1B2C3D4E5F6 urid ORDER-17 amount 199.0000 account 9876543210 ts 1750000001 nonce NONCE0001

  version_2 'version 2, FAILED without an operator reference' /cb '' 1750000002 NONCE0002 "$failed" \
    v 2 status FAILED orderid 01JXQ0A1B2C3D4E5F6 urid INV-2025.06:0001 amount 10.5000 account 9876543202 ts 1750000002 nonce NONCE0002

  version_2 'version 2, the smallest amount and an account with signs in it' / '' 1750000003 NONCE0003 "$tiny" \
    v 2 status SUCCESS orderid 01JXQ0A1B2C3D4E5F7 urid a amount 0.0001 account '/+@:~!,x' ts 1750000003 nonce NONCE0003

  version_2 'version 2, an enquiry that costs nothing' /cb '' 1750000004 NONCE0004 "$free" \
    v 2 status SUCCESS orderid 01JXQ0A1B2C3D4E5F8 urid ENQ-1 amount 0.0000 account 9876543210 ts 1750000004 nonce NONCE0004

  version_2 "version 2, the URL's own query is decoded as a form, signed, and sent with %20" /cb '?shop=a+b&x=a%20b' 1750000005 NONCE0005 "$success" \
    shop 'a b' x 'a b' v 2 status SUCCESS orderid 01JXQ0A1B2C3D4E5F6 urid ORDER-17 amount 199.0000 account 9876543210 ts 1750000005 nonce NONCE0005

  version_2 "version 2, names of the URL's own query sort among the others by code unit" /cb '?z=1&V=2&_=3&9=4&aa=5&stat=6' 1750000006 NONCE0006 "$success" \
    z 1 V 2 _ 3 9 4 aa 5 stat 6 v 2 status SUCCESS orderid 01JXQ0A1B2C3D4E5F6 urid ORDER-17 amount 199.0000 account 9876543210 ts 1750000006 nonce NONCE0006

  version_2 "version 2, odd values in the URL's own query" /p/a%20th '?plus=%2B&percent=%25&empty=&bare&euro=%E2%82%AC&signs=%21%27%28%29*~' 1750000007 NONCE0007 "$success" \
    plus + percent % empty '' bare '' euro '€' signs "!'()*~" v 2 status SUCCESS orderid 01JXQ0A1B2C3D4E5F6 urid ORDER-17 amount 199.0000 account 9876543210 ts 1750000007 nonce NONCE0007

  version_2 'version 2, complaint refunded' /complaints '' 1750000008 NONCE0008 "$refunded" \
    v 2 event complaint complaint_ref CMP0123456789AB orderid 01JXQ0A1B2C3D4E5F6 urid ORDER-17 status REFUNDED refund_amount 199.0000 resolved_at '2025-06-15 20:36:40' ts 1750000008 nonce NONCE0008

  version_2 'version 2, complaint resolved, in the last second of a year in India' /complaints '?k=1' 1750000009 NONCE0009 "$resolved" \
    k 1 v 2 event complaint complaint_ref CMP0123456789AC orderid 01JXQ0A1B2C3D4E5F6 urid ORDER-17 status RESOLVED refund_amount 0.0000 resolved_at '2025-12-31 23:59:59' ts 1750000009 nonce NONCE0009

  version_2 'version 2, test complaint' /complaints '' 1750000010 NONCE0010 "$test" \
    v 2 event complaint complaint_ref TEST-CMP0123456789AD orderid TEST-01JXQ0A1B2C3D4E5F6 urid TEST-1 status RESOLVED refund_amount 0.0000 resolved_at '2025-06-15 20:36:40' test 1 ts 1750000010 nonce NONCE0010

  version_3 'version 3, SUCCESS' /cb 1750000011 NONCE0011 $SECRET "$success" \
    v 3 status SUCCESS orderid 01JXQ0A1B2C3D4E5F6 urid ORDER-17 amount 199.0000 account 9876543210 optid OP123456 ts 1750000011 nonce NONCE0011

  version_3 'version 3, another secret gives another signature' /cb 1750000011 NONCE0011 $OTHER_SECRET "$success" \
    v 3 status SUCCESS orderid 01JXQ0A1B2C3D4E5F6 urid ORDER-17 amount 199.0000 account 9876543210 optid OP123456 ts 1750000011 nonce NONCE0011

  version_3 'version 3, FAILED without an operator reference' /cb 1750000012 NONCE0012 $SECRET "$failed" \
    v 3 status FAILED orderid 01JXQ0A1B2C3D4E5F6 urid INV-2025.06:0001 amount 10.5000 account 9876543202 optid '' ts 1750000012 nonce NONCE0012

  version_3 "version 3, the URL's own query stays as it is and is not in the body" '/cb?shop=a+b&x=a%20b' 1750000013 NONCE0013 $SECRET "$success" \
    v 3 status SUCCESS orderid 01JXQ0A1B2C3D4E5F6 urid ORDER-17 amount 199.0000 account 9876543210 optid OP123456 ts 1750000013 nonce NONCE0013

  version_3 'version 3, complaint refunded' /complaints 1750000014 NONCE0014 $SECRET "$refunded" \
    v 3 event complaint complaint_ref CMP0123456789AB orderid 01JXQ0A1B2C3D4E5F6 urid ORDER-17 status REFUNDED refund_amount 199.0000 resolved_at '2025-06-15 20:36:40' reason 'The operator did not credit it.' ts 1750000014 nonce NONCE0014

  version_3 'version 3, complaint resolved, with a reason that JSON must escape' /complaints 1750000015 NONCE0015 $SECRET "$resolved" \
    v 3 event complaint complaint_ref CMP0123456789AC orderid 01JXQ0A1B2C3D4E5F6 urid ORDER-17 status RESOLVED refund_amount 0.0000 resolved_at '2025-12-31 23:59:59' reason 'Said "credited" – ₹199 \ 😀' ts 1750000015 nonce NONCE0015

  version_3 'version 3, test complaint' /complaints 1750000016 NONCE0016 $SECRET "$test" \
    v 3 event complaint complaint_ref TEST-CMP0123456789AD orderid TEST-01JXQ0A1B2C3D4E5F6 urid TEST-1 status RESOLVED refund_amount 0.0000 resolved_at '2025-06-15 20:36:40' test 1 reason 'This is a test.' ts 1750000016 nonce NONCE0016
}

main() {
  local folder out
  folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
  out=$folder/callbacks.json
  {
    printf '{\n  "vectors": [\n'
    all_vectors
    printf '\n  ]\n}\n'
  } >"$out.new"
  mv "$out.new" "$out"
}

main
