import type { Schemas as OperatorSchemas } from "../operator-api.ts";
import type { Schemas } from "../portal-api.ts";

/** A complaint of the client, or one in the queue of staff. */
export type Complaint = Schemas["Complaint"] | OperatorSchemas["QueuedComplaint"];

/** A refund reverses a successful transaction, which pages show as "Reversed". */
export function shownStatus({ status, transaction_status: now }: Pick<Complaint, "status" | "transaction_status">): string {
  return status === "REFUNDED" && now === "FAILED" ? "Reversed" : now;
}
