#!/usr/bin/env bash
# A bus ticket from the search to its cancellation, with curl and openssl only.
# BASE=http://127.0.0.1:8080 TOKEN=tok_… SECRET=sig_… bash docs/guide/scripts/bus.sh
set -euo pipefail
. "$(dirname "$0")/sign.sh"

RUN=$(openssl rand -hex 4)
# Ten days ahead in India.
DAY=$(node -p 'new Date(Date.now() + 10 * 86400000 + 19800000).toISOString().slice(0, 10)')

# pick EXPRESSION: a value computed from the last reply by a JavaScript expression.
pick() { REPLY=$REPLY node -p "const reply = JSON.parse(process.env.REPLY); $1"; }
# passengers SEATS: a passenger for each, as JSON.
passengers() {
  SEATS=$1 node -p 'JSON.stringify(process.env.SEATS.split(",").map((seat) => ({ seat, title: "Ms", name: "Asha Verma", age: 34, gender: "F" })))'
}
# block NAME TRIP SEATS MOBILE
block() {
  signed POST /bus/block '' "{\"request_id\":\"$1-$RUN\",\"trip_id\":\"$2\",\"boarding_id\":\"B1\",\"passengers\":$(passengers "$3"),\"contact\":{\"mobile\":\"$4\",\"email\":\"asha@example.com\"}}"
  show
}
# free COUNT: this many free seats of the last reply that are open to everybody.
free() { pick "reply.seats.filter((one) => one.available && one.gender === 'any').slice(0, $1).map((one) => one.seat).join()"; }
book() {
  signed POST /bus/book '' "{\"request_id\":\"$1-$RUN\",\"block_ref\":\"$2\",\"amount\":\"$3\"}"
  show
}

step "The cities"
signed GET /bus/cities 'search=Pune'; show
expect STATUS 200
FROM=$(field items.0.city_id)
signed GET /bus/cities 'search=Goa'; show
TO=$(field items.0.city_id)

step "The trips from $FROM to $TO on $DAY"
signed GET /bus/trips "from=$FROM&to=$TO&date=$DAY"; show
expect STATUS 200
TRIP=$(pick 'reply.items.find((one) => one.partial_cancel && !one.id_proof_required).trip_id')

step "The seats of $TRIP"
signed GET /bus/seats "trip_id=$TRIP"
expect STATUS 200
SEATS=$(free 2)
echo "free for anybody, the first two: $SEATS"

step "Block $SEATS for eight minutes"
block block "$TRIP" "$SEATS" 9876543000
expect STATUS 200
BLOCK=$(field block_ref)
TOTAL=$(field total)

step "Nobody else gets them"
block other "$TRIP" "$SEATS" 9876543000
expect STATUS 409
expect error seat_unavailable

step "An amount that differs from the total is refused, and the block stays valid"
book book "$BLOCK" 1.00
expect STATUS 409
expect error fare_changed

step "Book them"
book book "$BLOCK" "$TOTAL"
expect STATUS 200
expect status SUCCESS
TICKET=$(field ticket.ticket_no)
ORDER=$(field order_id)

step "The same request again creates nothing new"
book book "$BLOCK" "$TOTAL"
expect order_id "$ORDER"

step "The booking and the ticket, looked up"
signed GET /bus/book "block_ref=$BLOCK"; show
expect order_id "$ORDER"
signed GET /bus/ticket "ticket_no=$TICKET"; show
expect ticket.pnr "$(field operator_ref)"

step "The refund for cancelling one of the seats"
FIRST=${SEATS%%,*}
SECOND=${SEATS##*,}
signed GET /bus/cancel "ticket_no=$TICKET&seats=$FIRST"; show
expect STATUS 200
QUOTE=$(field quote_ref)
REFUND=$(field refund_amount)

step "Cancel it: the ticket stays valid for the other seat"
signed POST /bus/cancel '' "{\"request_id\":\"cancel-1-$RUN\",\"ticket_no\":\"$TICKET\",\"seats\":[\"$FIRST\"],\"quote_ref\":\"$QUOTE\"}"; show
expect STATUS 200
expect refund_amount "$REFUND"
signed GET /bus/ticket "ticket_no=$TICKET"; show
expect status SUCCESS
expect ticket.seats.0 "$SECOND"
expect ticket.seats.1 ""

step "Cancel the rest: the order is FAILED"
signed GET /bus/cancel "ticket_no=$TICKET&seats=$SECOND"
QUOTE=$(field quote_ref)
signed POST /bus/cancel '' "{\"request_id\":\"cancel-2-$RUN\",\"ticket_no\":\"$TICKET\",\"seats\":[\"$SECOND\"],\"quote_ref\":\"$QUOTE\"}"; show
expect STATUS 200
signed GET /bus/ticket "order_id=$ORDER"; show
expect status FAILED

step "The seats are free again, and a booking may be pending first"
block again "$TRIP" "$SEATS" 9876543200
expect STATUS 200
book late "$(field block_ref)" "$(field total)"
expect status pending
expect ticket.ticket_no ""
for _ in $(seq 60); do
  signed GET /bus/book "request_id=late-$RUN"
  if [ "$(field status)" != pending ]; then break; fi
  sleep 0.5
done
show
expect status SUCCESS

step "Done: ticket $(field ticket.ticket_no) of order $(field order_id) is valid"
