# Signs and sends one call with openssl and curl only. Source this file. It reads these variables:
#   BASE    the service, such as http://127.0.0.1:8080
#   TOKEN   the account's API token
#   SECRET  its signing secret, including the prefix sig_

PREFIX=/api/corp/v1

sha256() { openssl dgst -sha256 -r | cut -d ' ' -f 1; }

# signed METHOD PATH [QUERY] [BODY]: PATH without its prefix, QUERY percent-encoded and without the question mark.
# Leaves the HTTP status in STATUS and the reply's body in REPLY.
signed() {
  local method=$1 path=$PREFIX$2 query=${3:-} body=${4:-} canonical timestamp nonce signature answer
  canonical=$(printf '%s' "$query" | tr '&' '\n' | LC_ALL=C sort -t = -k 1,1 | paste -s -d '&' -)
  timestamp=$(date +%s)
  nonce=$(openssl rand -hex 16)
  signature=$(printf '%s\n%s\n%s\n%s\n%s\n%s' "$method" "$path" "$canonical" "$(printf '%s' "$body" | sha256)" "$timestamp" "$nonce" |
    openssl dgst -sha256 -mac HMAC -macopt "key:$SECRET" -r | cut -d ' ' -f 1)
  local headers=(-H "X-Api-Token: $TOKEN" -H "X-Api-Timestamp: $timestamp" -H "X-Api-Nonce: $nonce" -H "X-Api-Signature: $signature")
  if [ "$method" = POST ]; then headers+=(-H 'Content-Type: application/json' --data-binary "$body"); fi
  answer=$(curl -sS -X "$method" "${headers[@]}" -w '\n%{http_code}' "$BASE$path${query:+?$query}")
  STATUS=${answer##*$'\n'}
  REPLY=${answer%$'\n'*}
}

# field NAME: a field of the last reply, such as order_id or bills.0.amount.
field() {
  REPLY=$REPLY NAME=$1 node -p 'process.env.NAME.split(".").reduce((at, name) => at?.[name], JSON.parse(process.env.REPLY)) ?? ""'
}

# expect NAME VALUE: stops the script if the last reply has another value. The name STATUS is the HTTP status.
expect() {
  local seen
  if [ "$1" = STATUS ]; then seen=$STATUS; else seen=$(field "$1"); fi
  if [ "$seen" = "$2" ]; then return 0; fi
  printf 'Expected %s to be %s, but it is %s in: %s\n' "$1" "$2" "$seen" "$REPLY" >&2
  exit 1
}

step() { printf '\n== %s\n' "$*"; }
show() { printf '%s %s\n' "$STATUS" "$REPLY"; }
