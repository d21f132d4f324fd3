#!/usr/bin/env bash
# Reads one callback from standard input and answers it on standard output; socat or systemd starts it for each
# connection. ../README.md says how. Needs openssl.
set -ufo pipefail
export LC_ALL=C

FRESH_SECONDS=300
MAX_BODY_BYTES=65536
STATE=${STATE_DIR:-receiver-state}

answer() {
  case $1 in
    200) set -- '200 OK' "$2" ;;
    400) set -- '400 Bad Request' "$2" ;;
    403) set -- '403 Forbidden' "$2" ;;
    *) set -- '500 Internal Server Error' "$2" ;;
  esac
  printf 'HTTP/1.1 %s\r\nContent-Type: text/plain\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s\n' "$1" $((${#2} + 1)) "$2"
  exit 0
}

# #region verify
sha256() { openssl dgst -sha256 -r | cut -d ' ' -f 1; }
hmac() { openssl dgst -sha256 -mac HMAC -macopt "key:$1" -r | cut -d ' ' -f 1; }
# Compares hashes instead of the values, so that the time it takes reveals nothing about them.
same() { [ "$(printf %s "$1" | sha256)" = "$(printf %s "$2" | sha256)" ]; }

decoded() {
  local text=${1//+/ }
  text=${text//\\/\\\\}
  printf %b "${text//%/\\x}"
}

declare -A FIELDS=()

# Version 2: the hash covers every parameter that arrived except itself.
verify_query() {
  local pair name text='' IFS='&'
  [[ -n ${CORPRAIL_TOKEN:-} && $1 =~ ^([^%]|%[0-9A-Fa-f]{2})*$ && $1 != *%00* ]] || return 1
  for pair in $1; do
    name=$(decoded "${pair%%=*}")
    [[ $name =~ ^[A-Za-z0-9_]+$ && -z ${FIELDS[$name]+known} ]] || return 1
    if [[ $pair == *=* ]]; then FIELDS[$name]=$(decoded "${pair#*=}"); else FIELDS[$name]=''; fi
  done
  for name in $(printf '%s&' "${!FIELDS[@]}" | tr '&' '\n' | sort | tr '\n' '&'); do
    if [ "$name" != hash ]; then text+="&$name=${FIELDS[$name]}"; fi
  done
  same "${FIELDS[hash]:-}" "$(printf %s "${text#&}" | hmac "$CORPRAIL_TOKEN")" && [ "${FIELDS[v]:-}" = 2 ]
}

# Version 3: the signature covers the exact bytes, which are in a file because bash cannot hold all of them in a variable.
verify_body() {
  local name
  [ -n "${CORPRAIL_CALLBACK_SECRET:-}" ] && same "$2" "$(hmac "$CORPRAIL_CALLBACK_SECRET" <"$1")" || return 1
  # A quote inside a JSON string is escaped, so none of these names can match inside another value.
  for name in v ts nonce orderid status event complaint_ref test; do
    [[ $(<"$1") =~ [{,]\"$name\":\"([^\"\\]*)\" ]] && FIELDS[$name]=${BASH_REMATCH[1]}
  done
  [ "${FIELDS[v]:-}" = 3 ]
}
# #endregion

# #region book
# once KIND KEY: true the first time. In production, use an insert into a table with a unique key.
once() {
  local name
  name=$(printf %s "$2" | sha256)
  mkdir -p "$STATE/$1" || answer 500 'not booked'
  if mkdir "$STATE/$1/$name" 2>/dev/null; then return 0; fi
  [ -d "$STATE/$1/$name" ] || answer 500 'not booked' # Not 2xx: it will be sent again.
  return 1
}

# Answers a callback whose signature is valid.
take() {
  local now=${CLOCK_SECONDS:-$(date +%s)} ts=${FIELDS[ts]:-} nonce=${FIELDS[nonce]:-} key age
  [[ $ts =~ ^[0-9]{10}$ ]] || answer 403 stale
  age=$((now - 10#$ts))
  if [ "${age#-}" -gt $FRESH_SECONDS ]; then answer 403 stale; fi
  if [ -z "$nonce" ] || ! once nonces "$nonce"; then answer 403 replayed; fi
  # A FAILED after a SUCCESS has another key: it must be applied.
  key="${FIELDS[orderid]:-} ${FIELDS[status]:-}"
  if [ "${FIELDS[event]:-}" = complaint ]; then key="complaint ${FIELDS[complaint_ref]:-}"; fi
  if ! once booked "$key"; then answer 200 known; fi
  if [ "${FIELDS[test]:-}" = 1 ]; then answer 200 test; fi
  echo "booked $key" >&2
  answer 200 booked # Your own work comes before this line.
}
# #endregion

IFS=' ' read -r -t 10 method target _ || exit 0
length=0 signature=''
while IFS= read -r -t 10 line && line=${line%$'\r'} && [ -n "$line" ]; do
  name=${line%%:*} value=${line#*:}
  value=${value# }
  case ${name,,} in
    content-length) length=$value ;;
    x-callback-signature) signature=$value ;;
  esac
done

case $method in
  GET)
    [[ $target == *\?* ]] && verify_query "${target#*\?}" || answer 403 'wrong signature'
    ;;
  POST)
    [[ $length =~ ^[0-9]{1,6}$ ]] && [ "$length" -le $MAX_BODY_BYTES ] || answer 400 'not a callback'
    body=$(mktemp) && trap 'rm -f "$body"' EXIT && head -c "$length" >"$body" || answer 500 'not booked'
    verify_body "$body" "$signature" || answer 403 'wrong signature'
    ;;
  *) answer 400 'not a callback' ;;
esac
take
