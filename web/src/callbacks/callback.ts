import type { Schemas as OperatorSchemas } from "../operator-api.ts";
import type { Schemas } from "../portal-api.ts";

// Either site's, so that shared code reads only what both have.
export type Callback = Schemas["Callback"] | OperatorSchemas["Callback"];
export type CallbackDetail = Schemas["CallbackDetail"] | OperatorSchemas["CallbackDetail"];
/** A callback among the details of its transaction. */
export type TransactionCallback = Schemas["TransactionCallback"] | OperatorSchemas["Callback"];
export type Attempt = CallbackDetail["attempt_log"][number];

export const KIND_NAMES: Readonly<Record<Callback["kind"], string>> = { status: "Status", complaint: "Complaint" };

export function stateLabel({
  state,
  attempts,
  in_flight: inFlight,
}: Pick<Callback, "state" | "attempts" | "in_flight">): string | undefined {
  if (state !== "waiting") return undefined;
  if (inFlight) return "Being sent";
  return attempts > 0 ? "Failing, retrying" : "Waiting";
}

export function responseText(status: number | null): string {
  return status === null ? "no response" : `HTTP ${status}`;
}
