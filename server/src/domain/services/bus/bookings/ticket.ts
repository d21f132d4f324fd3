import { indiaDateTime } from "../../../../platform/core/india-time.ts";
import { formatMoney, NO_MONEY } from "../../../../platform/core/money.ts";
import type { JsonObject } from "../../../../platform/core/strict-json.ts";
import type { Order } from "../../../orders/order.ts";
import { type Block, findBlockOfOrder } from "../blocks/blocks-store.ts";
import type { CancelContext } from "../context.ts";
import { readSeats, wasIssued } from "./tickets-store.ts";

/** The ticket's part of a booking's reply. */
export async function ticketBlock(ctx: Pick<CancelContext, "sql">, order: Order): Promise<JsonObject> {
  const block = await findBlockOfOrder(ctx.sql, order);
  if (!block) throw new Error(`The booking ${order.orderId} has no block.`);
  const issued = order.state === "SUCCESS" || (order.state === "FAILED" && (await wasIssued(ctx.sql, order)));
  const ticket = await ticketFields(ctx, order, block, issued);
  return order.refunded === null ? { ticket } : { refund_amount: formatMoney(order.refunded), ticket };
}

async function ticketFields(ctx: Pick<CancelContext, "sql">, order: Order, block: Block, issued: boolean): Promise<JsonObject> {
  const seats = await readSeats(ctx.sql, block);
  const cancelled = seats.filter((one) => one.cancelling === "done");
  return {
    ticket_no: issued ? (block.ticketNo ?? "") : "",
    pnr: issued ? (order.operatorRef ?? "") : "",
    seats: seats.filter((one) => one.cancelling !== "done").map((one) => one.seat),
    departure_at: indiaDateTime(block.departureAt),
    boarding: block.trip.boarding,
    boarding_at: indiaDateTime(block.trip.boardingAt),
    operator_name: block.trip.operatorName,
    block_ref: block.blockRef,
    trip_id: block.tripId,
    cancelled_seats: cancelled.map((one) => one.seat),
    refund_amount: formatMoney(order.refunded ?? NO_MONEY),
  };
}
