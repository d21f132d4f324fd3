import type { Order } from "../orders/order.ts";
import { type Refusal, refused } from "../shared/refusals.ts";

const MINUTE_MILLISECONDS = 60 * 1000;
const DAY_MILLISECONDS = 24 * 60 * MINUTE_MILLISECONDS;

const PENDING_MINUTES = 10;
const WINDOW_DAYS = 30;
/** How long staff have to decide. */
const DUE_DAYS = 7;

/** Contract, section 5: why no complaint can be raised about an order now; null when it can. */
export function refuseRaising(order: Pick<Order, "state" | "createdAt">, now: number): Refusal | null {
  const age = now - order.createdAt;
  if (order.state === "FAILED") return refused("already_failed", "The transaction is FAILED. Its money was already returned.");
  if (order.state === "pending" && age < PENDING_MINUTES * MINUTE_MILLISECONDS)
    return refused(
      "still_pending",
      `The transaction is pending. You can complain after it has been pending for ${PENDING_MINUTES} minutes.`,
    );
  return age > WINDOW_DAYS * DAY_MILLISECONDS ? windowClosed() : null;
}

export function windowClosed(): Refusal {
  return refused("complaint_window_closed", `The transaction is more than ${WINDOW_DAYS} days old.`);
}

export function dueBy(raisedAt: number): number {
  return raisedAt + DUE_DAYS * DAY_MILLISECONDS;
}
