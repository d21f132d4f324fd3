import type { WireRequest } from "../ui/wire-request.tsx";

export type Callback = {
  readonly callback_id: string;
  readonly account_id: string;
  readonly kind: "status" | "complaint";
  readonly order_id: string;
  readonly urid: string;
  readonly status: string;
  readonly complaint_ref: string | null;
  readonly version: 2 | 3;
  readonly state: "waiting" | "delivered" | "parked" | "paused";
  readonly attempts: number;
  readonly in_flight: boolean;
  readonly next_at: string | null;
  readonly last_http_status: number | null;
  readonly last_error: string | null;
  readonly created_at: string;
  readonly delivered_at: string | null;
};

export type Attempt = {
  readonly attempt: number;
  readonly at: string;
  readonly url: string;
  readonly version: 2 | 3;
  readonly http_status: number | null;
  readonly error: string | null;
  readonly milliseconds: number;
};

export type CallbackDetail = Callback & {
  readonly attempt_log: readonly Attempt[];
  readonly request: WireRequest | null;
  /** Why the request cannot be shown. */
  readonly request_missing: string | null;
};

export const KIND_NAMES: Readonly<Record<Callback["kind"], string>> = { status: "Status", complaint: "Complaint" };

export function stateLabel({ state, attempts, in_flight: inFlight }: Callback): string | undefined {
  if (state !== "waiting") return undefined;
  if (inFlight) return "Being sent";
  return attempts > 0 ? "Failing, retrying" : "Waiting";
}
