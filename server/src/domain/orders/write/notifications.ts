import type { Cancel, Reverse, Settle } from "./operations.ts";

/** In which case a change is sent as a status callback. `write_orders` applies it with the account's callback version. */
type Notification = "pending" | "always" | "version 3";

/** Spec, Events, status callbacks: which change of an order is sent to the client, and in which version. */
export const NOTIFICATIONS = {
  /** Sent if the reply said pending; in version 3 also if the reply was lost. */
  settled: "pending",
  /** The provider or staff reversed a success, or a complaint was refunded. */
  reversed: "always",
  /** Staff refunded a money transfer. */
  refunded: "version 3",
  /** A ticket was cancelled as a whole. A partial cancellation keeps the order's state and is not sent. */
  cancelled: "version 3",
} as const satisfies Record<string, Notification>;

export function notificationOf(change: Settle | Reverse | Cancel): Notification {
  switch (change.kind) {
    case "settle":
      return NOTIFICATIONS.settled;
    case "reverse":
      return NOTIFICATIONS[change.cause];
    case "cancel":
      return NOTIFICATIONS.cancelled;
  }
}
