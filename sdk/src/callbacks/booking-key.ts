import type { Callback } from "./types.js";

type Booked =
  | Pick<Extract<Callback, { kind: "status" }>, "kind" | "orderId" | "status">
  | Pick<Extract<Callback, { kind: "complaint" }>, "kind" | "complaintRef">;

/** Once per order id and status, once per complaint reference (spec, Events). Make it a unique key in your database. */
export function bookingKey(callback: Booked): string {
  return callback.kind === "complaint" ? `complaint:${callback.complaintRef}` : `status:${callback.orderId}:${callback.status}`;
}
