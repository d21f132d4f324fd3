import type { Schemas as OperatorSchemas } from "../operator-api.ts";
import type { Schemas } from "../portal-api.ts";

/** A transaction in a list: the client's own, or any client's for staff. */
export type Transaction = Schemas["Transaction"] | OperatorSchemas["OrderRow"];

/** The fields of a transaction's details at either site. */
export type TransactionFields = Schemas["TransactionDetail"]["transaction"] | OperatorSchemas["OrderDetail"]["order"];

export type TransactionComplaint = Schemas["Complaint"] | OperatorSchemas["Complaint"];

const REFRESH_MILLISECONDS = 3000;

/** How soon to read a transaction again: false when it is final and its callbacks are delivered. */
export function refreshAfter(
  transaction: Pick<TransactionFields, "status">,
  callbacks: readonly { readonly state: string }[],
): number | false {
  return transaction.status === "pending" || callbacks.some(({ state }) => state === "waiting") ? REFRESH_MILLISECONDS : false;
}
