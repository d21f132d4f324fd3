#!/usr/bin/env bash
# Bill payments from the catalogue to the receipt, with curl and openssl only.
# BASE=http://127.0.0.1:8080 TOKEN=tok_… SECRET=sig_… bash docs/guide/scripts/bills.sh
set -euo pipefail
. "$(dirname "$0")/sign.sh"

RUN=$(openssl rand -hex 4)

step "The categories, and the electricity billers"
signed GET /bills/categories; show
expect STATUS 200
signed GET /bills/billers 'category=electricity&limit=2'; show
expect ok true

step "One biller: its parameters, and the amounts that it accepts"
signed GET /bills/billers 'biller_id=BESCOM000KAR01'; show
expect items.0.flow fetch
expect items.0.exactness exact_up
PARAM=$(field items.0.params.0.name)
EXAMPLE=$(field items.0.params.0.example)

step "Fetch a customer's bill; nothing is charged"
FETCH="{\"request_id\":\"fetch-$RUN\",\"biller_id\":\"BESCOM000KAR01\",\"customer_mobile\":\"9876543210\",\"params\":{\"$PARAM\":\"$EXAMPLE\"}}"
signed POST /bills/fetch '' "$FETCH"; show
expect status SUCCESS
FETCH_REF=$(field fetch_ref)
AMOUNT=$(field bills.0.amount)
TOTAL=$(field total)
echo "Due: $AMOUNT, with the fee: $TOTAL"

step "A lower amount than the amount due is refused"
signed POST /bills/pay '' "{\"request_id\":\"pay-$RUN\",\"fetch_ref\":\"$FETCH_REF\",\"amount\":\"1\",\"payment_mode\":\"UPI\",\"payer_name\":\"Asha Verma\"}"; show
expect STATUS 422
expect error amount_mismatch

step "Pay it"
PAY="{\"request_id\":\"pay-$RUN\",\"fetch_ref\":\"$FETCH_REF\",\"amount\":\"$AMOUNT\",\"payment_mode\":\"UPI\",\"payer_name\":\"Asha Verma\"}"
signed POST /bills/pay '' "$PAY"; show
expect status SUCCESS
ORDER=$(field order_id)

step "A retry with the same request_id gets the same result, another request_id is refused"
signed POST /bills/pay '' "$PAY"; show
expect order_id "$ORDER"
signed POST /bills/pay '' "${PAY/pay-$RUN/again-$RUN}"; show
expect STATUS 409
expect error fetch_already_paid

step "Look the payment and the fetch up"
signed GET /bills/pay "request_id=pay-$RUN"; show
expect order_id "$ORDER"
signed GET /bills/pay "fetch_ref=$FETCH_REF"; show
expect order_id "$ORDER"
signed GET /bills/fetch "fetch_ref=$FETCH_REF"; show
expect state paid

step "A biller that only checks the customer: any amount that it accepts"
signed POST /bills/fetch '' "{\"request_id\":\"check-$RUN\",\"biller_id\":\"SPECTRA00NAT01\",\"customer_mobile\":\"9876543210\",\"params\":{\"can_id\":\"9012345\"}}"; show
expect flow validate
expect bills.length 0
signed POST /bills/pay '' "{\"request_id\":\"checked-$RUN\",\"fetch_ref\":\"$(field fetch_ref)\",\"amount\":\"150\",\"payment_mode\":\"UPI\",\"payer_name\":\"Asha Verma\"}"; show
expect status SUCCESS
expect fee 3.0000

step "A biller that is paid directly"
DIRECT="{\"request_id\":\"direct-$RUN\",\"biller_id\":\"TATAPLAY0NAT01\",\"customer_mobile\":\"9876543210\",\"params\":{\"subscriber_id\":\"1234512345\"},\"amount\":\"250.50\",\"payment_mode\":\"WALLET\",\"payer_name\":\"Asha Verma\"}"
signed POST /bills/pay '' "$DIRECT"; show
expect status SUCCESS
expect amount 250.50

step "A payment that is pending first (a customer ending in 200), until it is final"
signed POST /bills/pay '' "$(printf '%s' "$DIRECT" | sed "s/direct-$RUN/late-$RUN/; s/1234512345/1234512200/")"; show
expect status pending
for _ in $(seq 60); do
  signed GET /bills/pay "request_id=late-$RUN"
  if [ "$(field status)" != pending ]; then break; fi
  sleep 0.5
done
show
expect status SUCCESS

step "From 50000.00 on, the payer's PAN is required"
signed POST /bills/pay '' "{\"request_id\":\"pan-$RUN\",\"biller_id\":\"AXISCARD0NAT01\",\"customer_mobile\":\"9876543210\",\"params\":{\"mobile_number\":\"9876512345\",\"card_last_four\":\"4321\"},\"amount\":\"50000\",\"payment_mode\":\"UPI\",\"payer_name\":\"Asha Verma\"}"; show
expect error pan_required

step "Done"
