import { callbacksText } from "../messages/en/callbacks.ts";
import { fill } from "../messages/fill.ts";
import type { Schemas as OperatorSchemas } from "../operator-api.ts";
import type { Schemas } from "../portal-api.ts";

// Either site's, so that shared code reads only what both have.
export type Callback = Schemas["Callback"] | OperatorSchemas["Callback"];
export type CallbackDetail = Schemas["CallbackDetail"] | OperatorSchemas["CallbackDetail"];
/** A callback among the details of its transaction. */
export type TransactionCallback = Schemas["TransactionCallback"] | OperatorSchemas["Callback"];
export type Attempt = CallbackDetail["attempt_log"][number];

export const KIND_NAMES: Readonly<Record<Callback["kind"], string>> = { status: callbacksText.status, complaint: callbacksText.complaint };

type DeliveryFields = Pick<Callback, "state" | "last_error" | "in_flight" | "delivered_at">;

/** Whether the last attempt failed. A delivered callback that is sent again has not failed. */
export function isFailing({ state, last_error: error }: Pick<Callback, "state" | "last_error">): boolean {
  return state === "waiting" && error !== null;
}

export function stateLabel(callback: DeliveryFields): string | undefined {
  if (callback.state !== "waiting") return undefined;
  if (callback.in_flight) return callbacksText.beingSent;
  if (isFailing(callback)) return callbacksText.failingRetrying;
  return callback.delivered_at === null ? callbacksText.waiting : callbacksText.waitingToBeSentAgain;
}

export function responseText(status: number | null): string {
  return status === null ? callbacksText.noResponseYet : fill(callbacksText.httpStatus, { status });
}
