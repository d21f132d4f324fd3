#!/usr/bin/env bash
# AEPS from the outlet's registration to a withdrawal, with curl and openssl only.
# BASE=http://127.0.0.1:8080 TOKEN=tok_… SECRET=sig_… bash docs/guide/scripts/aeps.sh
set -euo pipefail
. "$(dirname "$0")/sign.sh"

RUN=$(openssl rand -hex 4)
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

# encrypted DIGITS: an Aadhaar number in the form of aadhaar_enc.
encrypted() {
  printf '%s' "$1" | openssl pkeyutl -encrypt -pubin -inkey "$WORK/key.pem" \
    -pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha256 -pkeyopt rsa_mgf1_md:sha256 | openssl base64 -A
}

# Test numbers that belong to nobody. A registered device produces XML; this is the minimum.
OWNER=999999990019
CUSTOMER=999941057058
PID='<PidData><Resp errCode=\"0\"/><Data>ZmluZ2Vy</Data></PidData>'
PLACE='"latitude":"18.5204","longitude":"73.8567"'

step "The key that Aadhaar numbers are encrypted with"
signed GET /aeps/key; show
expect STATUS 200
field public_key_pem >"$WORK/key.pem"

step "The banks"
signed GET /aeps/banks 'limit=3'; show
expect items.0.status live
BANK=$(field items.0.bank_iin)

step "Register a shop"
signed POST /aeps/outlets '' "{\"request_id\":\"shop-$RUN\",\"mobile\":\"9876500001\",\"email\":\"asha@example.in\",\"first_name\":\"Asha\",\"last_name\":\"Patil\",\"shop_name\":\"Asha Stores\",\"shop_type\":\"5411\",\"pan\":\"ABCPE1234F\",\"aadhaar_enc\":\"$(encrypted $OWNER)\",\"address\":{\"line\":\"12 Station Road\",\"city\":\"Pune\",\"state_code\":\"MH\",\"pincode\":\"411001\"},\"bank_account\":\"12345678901\",\"ifsc\":\"HDFC0001234\",\"device\":{\"model\":\"MFS100\",\"serial\":\"MFS100-0001\"},$PLACE}"; show
expect outlet.status OTP_PENDING
expect outlet.aadhaar_masked "XXXX XXXX 0019"
OUTLET=$(field outlet.outlet_id)

step "Verify its mobile"
signed POST /aeps/outlets/otp '' "{\"outlet_id\":\"$OUTLET\"}"; show
expect STATUS 200
signed POST /aeps/outlets/otp_verify '' "{\"outlet_id\":\"$OUTLET\",\"otp_ref\":\"$(field otp_ref)\",\"otp\":\"111000\"}"; show
expect outlet.status BIOMETRIC_PENDING

step "Send the owner's fingerprint"
signed POST /aeps/outlets/biometric '' "{\"outlet_id\":\"$OUTLET\",\"pid\":\"$PID\",$PLACE}"; show
expect outlet.status ACTIVE

# transaction CALL REFERENCE [MOBILE [AMOUNT]]
transaction() {
  local amount=${4:+",\"amount\":\"$4\""}
  signed POST "/aeps/$1" '' "{\"request_id\":\"$2\",\"outlet_id\":\"$OUTLET\",\"customer_mobile\":\"${3:-9876543210}\",\"bank_iin\":\"${IIN:-$BANK}\",\"aadhaar_enc\":\"$(encrypted $CUSTOMER)\",\"pid\":\"$PID\",$PLACE,\"consent\":\"Y\"${AUTH:+,\"auth_ref\":\"$AUTH\"}$amount}"; show
}

step "Without the daily authentication, transactions are refused"
transaction balance_enquiry "early-$RUN"
expect STATUS 403
expect error daily_auth_required

step "The daily authentication"
signed POST /aeps/auth '' "{\"outlet_id\":\"$OUTLET\",\"type\":\"DAILY\",\"aadhaar_enc\":\"$(encrypted $OWNER)\",\"pid\":\"$PID\",$PLACE}"; show
expect ok true

step "A customer's balance, and the last movements"
transaction balance_enquiry "balance-$RUN"
expect status SUCCESS
expect aeps.aadhaar_masked "XXXX XXXX 7058"
transaction mini_statement "statement-$RUN"
expect aeps.entries.length 5

step "Pay 500 out in cash: the wallet is credited"
signed GET /balance
BEFORE=$(field balance)
transaction cash_withdrawal "cash-$RUN" 9876543210 500
expect status SUCCESS
ORDER=$(field order_id)
AFTER=$(field balance)
echo "The wallet had $BEFORE and has $AFTER."
[ "$(BEFORE=$BEFORE AFTER=$AFTER node -p 'Math.round(process.env.AFTER - process.env.BEFORE)')" = 500 ]

step "A retry with the same request_id gets the same result"
transaction cash_withdrawal "cash-$RUN" 9876543210 500
expect order_id "$ORDER"

step "Look it up"
signed GET /aeps/transactions "request_id=cash-$RUN"; show
expect order_id "$ORDER"

step "A payment by Aadhaar Pay"
transaction aadhaar_pay "pay-$RUN" 9876543210 150
expect status SUCCESS

step "Amounts must be multiples of 50"
transaction cash_withdrawal "step-$RUN" 9876543210 120
expect error amount_multiple

step "Some banks require an authentication for each transaction"
IIN=607264
transaction cash_withdrawal "own-$RUN" 9876543210 500
expect STATUS 403
expect error txn_auth_required
signed POST /aeps/auth '' "{\"outlet_id\":\"$OUTLET\",\"type\":\"TXN\",\"bank_iin\":\"$IIN\",\"aadhaar_enc\":\"$(encrypted $OWNER)\",\"pid\":\"$PID\",$PLACE}"; show
AUTH=$(field auth_ref)
transaction cash_withdrawal "own-$RUN" 9876543210 500
expect status SUCCESS
IIN='' AUTH=''

step "A withdrawal that is pending first (a mobile ending in 200), until it is final"
transaction cash_withdrawal "late-$RUN" 9876543200 500
expect status pending
for _ in $(seq 60); do
  signed GET /aeps/transactions "request_id=late-$RUN"
  if [ "$(field status)" != pending ]; then break; fi
  sleep 0.5
done
show
expect status SUCCESS

step "Done"
