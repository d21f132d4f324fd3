import type { Tone } from "../../ui/badge.tsx";

export type Target = {
  readonly account_id: string;
  readonly account_name: string;
  readonly kind: "status" | "complaint";
  readonly url: string | null;
  readonly version: 2 | 3;
  readonly state: "broken" | "failing" | "paused" | "parked";
  readonly paused: boolean;
  readonly failures: number;
  readonly breaker: "open" | "closed";
  readonly probe_at: string | null;
  readonly next_at: string;
  readonly waiting: number;
  /** True when there are more than were counted. */
  readonly waiting_more: boolean;
  readonly oldest_at: string;
  readonly last_http_status: number | null;
  readonly last_error: string | null;
};

type StateText = { readonly label: string; readonly tone: Tone; readonly description: string };

export const TARGET_STATES: Readonly<Record<Target["state"], StateText>> = {
  broken: { label: "Breaker open", tone: "bad", description: "The receiver failed ten times in a row. It is probed once a minute." },
  failing: { label: "Failing", tone: "bad", description: "The latest attempts failed. Each callback is retried." },
  paused: { label: "Paused", tone: "wait", description: "This account's callbacks are paused." },
  parked: { label: "No URL", tone: "wait", description: "The account has no callback URL. Callbacks are sent as soon as one is set." },
};

export function waitingText({ waiting, waiting_more: more }: Target): string {
  return more ? `${waiting} or more` : String(waiting);
}
