#!/usr/bin/env bash
# Writes request-signing.json next to this script, with openssl and none of the service's code:
# a mistake that server and SDK share would still show against these.
set -euo pipefail

# Strings are bytes, and names sort by code unit.
export LC_ALL=C

SECRET=sig_FAKE-SECRET-FOR-TEST-VECTORS-ONLY-000000001
OTHER_SECRET=sig_FAKE-SECRET-FOR-TEST-VECTORS-ONLY-000000002
TOKEN=tok_live_FAKE-TOKEN-FOR-TEST-VECTORS-ONLY-0000000001

hex() { od -An -v -tx1 | tr -d ' \n'; }

first_word() {
  local word rest
  read -r word rest
  printf '%s' "$word"
}

sha256() { printf '%s' "$1" | openssl dgst -sha256 -r | first_word; }

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

# Arguments: name value name value ... A pair is sorted by its name alone: "a" before "a1",
# though "a1=" comes before "a=".
canonical_query() {
  while (($# > 0)); do
    if [[ $1 != token ]]; then
      printf '%s %s\n' "$(percent_encode "$1")" "$(percent_encode "$2")"
    fi
    shift 2
  done | sort -t ' ' -k 1,1 | sed 's/ /=/' | paste -s -d '&' -
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

# Arguments: name method path target body timestamp nonce secret [query name, decoded value]...
vector() {
  local name=$1 method=$2 path=$3 target=$4 body=$5 timestamp=$6 nonce=$7 secret=$8
  shift 8
  local query body_sha256 string_to_sign
  query=$(canonical_query "$@")
  body_sha256=$(sha256 "$body")
  string_to_sign="$method"$'\n'"$path"$'\n'"$query"$'\n'"$body_sha256"$'\n'"$timestamp"$'\n'"$nonce"

  ((vectors_written == 0)) || printf ',\n'
  vectors_written=$((vectors_written + 1))
  printf '    {\n'
  member name "$(json_string "$name")"
  member method "$(json_string "$method")"
  member path "$(json_string "$path")"
  member query "$(json_pairs "$@")"
  member target "$(json_string "$target")"
  member body "$(json_string "$body")"
  member body_hex "$(json_string "$(printf '%s' "$body" | hex)")"
  member timestamp "$(json_string "$timestamp")"
  member nonce "$(json_string "$nonce")"
  member secret "$(json_string "$secret")"
  member canonical_query "$(json_string "$query")"
  member body_sha256 "$(json_string "$body_sha256")"
  member string_to_sign "$(json_string "$string_to_sign")"
  member signature "$(json_string "$(hmac_sha256 "$secret" "$string_to_sign")")" ''
  printf '    }'
}

all_vectors() {
  local api=/api/corp/v1

  vector 'no query and no body' \
    GET $api/balance $api/balance '' 1750000001 nonce-0001 $SECRET

  vector 'another secret gives another signature' \
    GET $api/balance $api/balance '' 1750000001 nonce-0001 $OTHER_SECRET

  vector 'one query parameter' \
    GET $api/recharge "$api/recharge?urid=INV-2025.06:0001" '' 1750000002 nonce-0002 $SECRET \
    urid INV-2025.06:0001

  vector 'query parameters are sorted by name' \
    GET $api/transactions "$api/transactions?to=2025-06-15&status=SUCCESS&from=2025-06-09&limit=50" '' 1750000003 nonce-0003 $SECRET \
    to 2025-06-15 status SUCCESS from 2025-06-09 limit 50

  vector 'names sort by code unit: digits, capitals, underscore, small letters' \
    GET $api/balance "$api/balance?b=1&B=2&_b=3&9=4&10=5&a=6&Z=7&_=8&0=9" '' 1750000004 nonce-0004 $SECRET \
    b 1 B 2 _b 3 9 4 10 5 a 6 Z 7 _ 8 0 9

  vector 'a name sorts before the longer names it begins' \
    GET $api/balance "$api/balance?aa=1&a_=2&aA=3&a1=4&a=5" '' 1750000005 nonce-0005 $SECRET \
    aa 1 a_ 2 aA 3 a1 4 a 5

  vector 'unreserved characters stay as they are' \
    GET $api/balance "$api/balance?note=AZaz09-_.~" '' 1750000006 nonce-0006 $SECRET \
    note AZaz09-_.~

  vector 'reserved characters are escaped even where the wire leaves them bare' \
    GET $api/balance "$api/balance?note=!'()*,;:@/?\$" '' 1750000007 nonce-0007 $SECRET \
    note "!'()*,;:@/?\$"

  vector 'reserved characters that the wire escapes' \
    GET $api/balance "$api/balance?note=%21%27%28%29%2A%2B%20~%25%26%3D%2F%23%5B%5D" '' 1750000008 nonce-0008 $SECRET \
    note "!'()*+ ~%&=/#[]"

  vector 'printable characters that a URL never carries bare' \
    GET $api/balance "$api/balance?note=%22%3C%3E%5C%5E%60%7B%7C%7D" '' 1750000009 nonce-0009 $SECRET \
    note '"<>\^`{|}'

  vector 'characters beyond ASCII are escaped byte by byte' \
    GET $api/balance "$api/balance?two=%C3%A9&three=%E2%82%B9&four=%F0%9F%98%80" '' 1750000010 nonce-0010 $SECRET \
    two 'é' three '₹' four '😀'

  vector 'small hex digits and needless escapes on the wire are written the one canonical way' \
    GET $api/balance "$api/balance?note=%c3%a9%2f%7e%41%2d%5f%2e" '' 1750000011 nonce-0011 $SECRET \
    note 'é/~A-_.'

  vector 'a plus on the wire is a plus, not a space' \
    GET $api/balance "$api/balance?note=a+b" '' 1750000012 nonce-0012 $SECRET \
    note a+b

  vector 'a space is %20' \
    GET $api/balance "$api/balance?note=a%20b" '' 1750000013 nonce-0013 $SECRET \
    note 'a b'

  vector 'an escaped percent sign is decoded once' \
    GET $api/balance "$api/balance?note=%2520" '' 1750000014 nonce-0014 $SECRET \
    note %20

  vector 'an empty value keeps its equals sign' \
    GET $api/transactions "$api/transactions?status=&service=" '' 1750000015 nonce-0015 $SECRET \
    status '' service ''

  vector 'control characters in a value' \
    GET $api/balance "$api/balance?note=a%09b%0D%0Ac%7F" '' 1750000016 nonce-0016 $SECRET \
    note $'a\tb\r\nc\x7f'

  vector 'the token in the query is not signed' \
    GET $api/recharge "$api/recharge?urid=ORDER-17&token=$TOKEN&circle=KA" '' 1750000017 nonce-0017 $SECRET \
    urid ORDER-17 token $TOKEN circle KA

  vector 'a query of the token alone gives an empty line' \
    GET $api/balance "$api/balance?token=$TOKEN" '' 1750000018 nonce-0018 $SECRET \
    token $TOKEN

  vector 'names that only resemble token are signed' \
    GET $api/balance "$api/balance?tokens=1&Token=2&token_=3" '' 1750000019 nonce-0019 $SECRET \
    tokens 1 Token 2 token_ 3

  vector 'a trailing slash on the wire is not part of the signed path' \
    GET $api/balance $api/balance/ '' 1750000020 nonce-0020 $SECRET

  vector 'a trailing slash before a query' \
    GET $api/recharge "$api/recharge/?urid=ORDER-21" '' 1750000021 nonce-0021 $SECRET \
    urid ORDER-21

  vector 'a path with a reference in it' \
    GET $api/complaints/CMP0123456789AB $api/complaints/CMP0123456789AB '' 1750000022 nonce-0022 $SECRET

  vector 'a compact JSON body' \
    POST $api/recharge $api/recharge '{"account":"9876543210","operator":"AT","amount":"199.00","urid":"ORDER-23"}' \
    1750000023 nonce-0023 $SECRET

  vector 'a JSON body with spaces, tabs, line ends and a final newline' \
    POST $api/recharge $api/recharge $'{\r\n\t"account" : "9876543210",\n  "operator": "AT",\n  "amount": "199.00",\n  "urid": "ORDER-24"\n}\n' \
    1750000024 nonce-0024 $SECRET

  vector 'a JSON body with characters beyond ASCII' \
    POST $api/complaints $api/complaints '{"urid":"ORDER-25","reason":"other","description":"Café ₹199 not credited 😀"}' \
    1750000025 nonce-0025 $SECRET

  vector 'a JSON body with the same text as escapes is other bytes' \
    POST $api/complaints $api/complaints '{"urid":"ORDER-25","reason":"other","description":"Caf\u00e9 \u20B9199 not credited \ud83d\ude00"}' \
    1750000025 nonce-0025 $SECRET

  vector 'a JSON body with quotes, backslashes and slashes' \
    POST $api/complaints $api/complaints '{"urid":"ORDER-27","reason":"other","description":"said \"wait\" \\ C:\\bills \/ 100%"}' \
    1750000027 nonce-0027 $SECRET

  vector 'a body and a query together' \
    POST $api/recharge "$api/recharge?trace=b%2F1&batch=7" '{"account":"9876543210","operator":"JO","amount":"10.5","urid":"ORDER-28"}' \
    1750000028 nonce-0028 $SECRET \
    trace b/1 batch 7

  vector 'a service that must be signed' \
    POST $api/bills/fetch $api/bills/fetch '{"request_id":"REQ-29","biller_id":"B1","customer_mobile":"9876543210","params":{"consumer":"1"}}' \
    1750000029 nonce-0029 $SECRET

  vector 'a nonce of 64 characters with every printable sign in it' \
    GET $api/balance $api/balance '' 1750000030 '!"#$%&'\''()*+,-./:;<=>?@[\]^_`{|}~ABCDEFGHIJabcdefghijk01234567890' $SECRET

  vector 'a nonce of one character' \
    GET $api/balance $api/balance '' 1750000031 '~' $SECRET

  vector 'the first and the last timestamp of ten digits: first' \
    GET $api/balance $api/balance '' 1000000000 nonce-0032 $SECRET

  vector 'the first and the last timestamp of ten digits: last' \
    GET $api/balance $api/balance '' 9999999999 nonce-0033 $SECRET

  vector 'earlier scheme: the API token as the key, a new recharge' \
    POST $api/recharge $api/recharge '{"account":"9876543210","operator":"VI","amount":"49","urid":"ORDER-34"}' \
    1750000034 nonce-0034 $TOKEN

  vector 'earlier scheme: the API token as the key, a status check' \
    GET $api/recharge "$api/recharge?urid=ORDER-34" '' 1750000035 nonce-0035 $TOKEN \
    urid ORDER-34
}

main() {
  local folder out
  folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
  out=$folder/request-signing.json
  {
    printf '{\n  "vectors": [\n'
    all_vectors
    printf '\n  ]\n}\n'
  } >"$out.new"
  mv "$out.new" "$out"
}

main
