#!/usr/bin/env bash
# Money transfer from the sender's registration to the receipt, with curl and openssl only.
# BASE=http://127.0.0.1:8080 TOKEN=tok_… SECRET=sig_… bash docs/guide/scripts/transfers.sh
set -euo pipefail
. "$(dirname "$0")/sign.sh"

RUN=$(openssl rand -hex 4)
# The simulator's one-time password. A real provider sends one to the sender's mobile.
OTP=111000
SENDER=98$(printf '%08d' "$((16#$RUN % 100000000))")

step "The banks; one of the simulator's is down"
signed GET /transfers/banks 'limit=3'; show
expect STATUS 200
expect items.0.status up

step "Register the sender: a one-time password goes to the mobile"
signed POST /transfers/senders '' "{\"request_id\":\"sender-$RUN\",\"mobile\":\"$SENDER\",\"first_name\":\"Asha\",\"last_name\":\"Verma\",\"pincode\":\"411001\",\"consent\":\"Y\"}"; show
expect STATUS 200
expect sender.status OTP_PENDING
OTP_REF=$(field otp_ref)

step "A wrong code is refused, a new one only after 30 seconds"
signed POST /transfers/senders/verify '' "{\"mobile\":\"$SENDER\",\"otp_ref\":\"$OTP_REF\",\"otp\":\"999999\"}"; show
expect error otp_invalid
signed POST /transfers/senders/otp '' "{\"mobile\":\"$SENDER\",\"otp_ref\":\"$OTP_REF\"}"; show
expect STATUS 429

step "Verify the sender"
signed POST /transfers/senders/verify '' "{\"mobile\":\"$SENDER\",\"otp_ref\":\"$OTP_REF\",\"otp\":\"$OTP\"}"; show
expect sender.status VERIFIED
signed GET /transfers/senders "mobile=$SENDER"; show
expect sender.available_month 25000.0000

step "Add a beneficiary, and make it active with the sender's one-time password"
signed POST /transfers/beneficiaries '' "{\"request_id\":\"beneficiary-$RUN\",\"sender\":\"$SENDER\",\"name\":\"Ravi Kumar\",\"account\":\"50100123456789\",\"ifsc\":\"HDFC0001234\"}"; show
expect beneficiary.account_masked XXXXXXXXXX6789
BENEFICIARY=$(field beneficiary.beneficiary_id)
signed POST /transfers/beneficiaries/verify_otp '' "{\"beneficiary_id\":\"$BENEFICIARY\",\"otp_ref\":\"$(field otp_ref)\",\"otp\":\"$OTP\"}"; show
expect beneficiary.status ACTIVE

step "Ask the bank whose account it is (penny drop, 3.00)"
signed POST /transfers/beneficiaries/verify '' "{\"request_id\":\"penny-$RUN\",\"beneficiary_id\":\"$BENEFICIARY\"}"; show
expect status SUCCESS
expect fee 3.0000
expect verified_name 'RAVI KUMAR'
signed GET /transfers/beneficiaries "sender=$SENDER"; show
expect items.0.verified true

step "Quote: the fee, and a one-time password to the sender"
signed POST /transfers/quote '' "{\"request_id\":\"quote-$RUN\",\"sender\":\"$SENDER\",\"beneficiary_id\":\"$BENEFICIARY\",\"amount\":\"1500\",\"mode\":\"IMPS\"}"; show
expect fee 15.0000
expect total 1515.0000
TRANSFER_REF=$(field transfer_ref)

step "Send it; a wrong code first"
TRANSFER="{\"request_id\":\"transfer-$RUN\",\"transfer_ref\":\"$TRANSFER_REF\",\"otp\":\"$OTP\"}"
signed POST /transfers '' "${TRANSFER/$OTP/999999}"; show
expect STATUS 422
expect error otp_invalid
signed POST /transfers '' "$TRANSFER"; show
expect status SUCCESS
expect transfer.refund_status none
ORDER=$(field order_id)

step "A retry with the same request_id gets the same result, another request_id is refused"
signed POST /transfers '' "$TRANSFER"; show
expect order_id "$ORDER"
signed POST /transfers '' "${TRANSFER/transfer-$RUN/again-$RUN}"; show
expect STATUS 409
expect error transfer_ref_used

step "Look it up, and what is left of the month's limit"
for query in "request_id=transfer-$RUN" "transfer_ref=$TRANSFER_REF" "order_id=$ORDER"; do
  signed GET /transfers "$query"; show
  expect order_id "$ORDER"
done
signed GET /transfers/senders "mobile=$SENDER"; show
expect sender.used_month 1500.0000

step "A transfer that is pending first (an account ending in 200), until it is final"
signed POST /transfers/beneficiaries '' "{\"request_id\":\"late-beneficiary-$RUN\",\"sender\":\"$SENDER\",\"name\":\"Meena Rao\",\"account\":\"123456789200\",\"ifsc\":\"SBIN0001234\"}"; show
LATE=$(field beneficiary.beneficiary_id)
signed POST /transfers/beneficiaries/verify_otp '' "{\"beneficiary_id\":\"$LATE\",\"otp_ref\":\"$(field otp_ref)\",\"otp\":\"$OTP\"}"
signed POST /transfers/quote '' "{\"request_id\":\"late-quote-$RUN\",\"sender\":\"$SENDER\",\"beneficiary_id\":\"$LATE\",\"amount\":\"100\",\"mode\":\"NEFT\"}"
signed POST /transfers '' "{\"request_id\":\"late-$RUN\",\"transfer_ref\":\"$(field transfer_ref)\",\"otp\":\"$OTP\"}"; show
expect status pending
for _ in $(seq 60); do
  signed GET /transfers "request_id=late-$RUN"
  if [ "$(field status)" != pending ]; then break; fi
  sleep 0.5
done
show
expect status SUCCESS

step "Too much for one transfer, and a bank that is down"
signed POST /transfers/quote '' "{\"request_id\":\"much-$RUN\",\"sender\":\"$SENDER\",\"beneficiary_id\":\"$BENEFICIARY\",\"amount\":\"5000.01\"}"; show
expect error amount_out_of_range
signed POST /transfers/beneficiaries '' "{\"request_id\":\"down-$RUN\",\"sender\":\"$SENDER\",\"name\":\"Anil Das\",\"account\":\"123456789000\",\"ifsc\":\"LAVB0001234\"}"
DOWN=$(field beneficiary.beneficiary_id)
signed POST /transfers/beneficiaries/verify_otp '' "{\"beneficiary_id\":\"$DOWN\",\"otp_ref\":\"$(field otp_ref)\",\"otp\":\"$OTP\"}"
signed POST /transfers/quote '' "{\"request_id\":\"down-quote-$RUN\",\"sender\":\"$SENDER\",\"beneficiary_id\":\"$DOWN\",\"amount\":\"100\"}"; show
expect STATUS 503
expect error bank_down

step "Delete the beneficiary: one call for the one-time password, one with it"
signed POST /transfers/beneficiaries/delete '' "{\"beneficiary_id\":\"$DOWN\"}"; show
signed POST /transfers/beneficiaries/delete '' "{\"beneficiary_id\":\"$DOWN\",\"otp_ref\":\"$(field otp_ref)\",\"otp\":\"$OTP\"}"; show
expect beneficiary.status DELETED

step "Done"
