import type { Schemas } from "../portal-api.ts";

export type Callback = Schemas["Callback"];
export type CallbackDetail = Schemas["CallbackDetail"];
export type Attempt = CallbackDetail["attempt_log"][number];

export const KIND_NAMES: Readonly<Record<Callback["kind"], string>> = { status: "Status", complaint: "Complaint" };

export function stateLabel({ state, attempts, in_flight: inFlight }: Callback): string | undefined {
  if (state !== "waiting") return undefined;
  if (inFlight) return "Being sent";
  return attempts > 0 ? "Failing, retrying" : "Waiting";
}
