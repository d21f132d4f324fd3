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
  /** There are more than are counted. */
  readonly waiting_more: boolean;
  readonly oldest_at: string;
  readonly last_http_status: number | null;
  readonly last_error: string | null;
};

type Word = { readonly label: string; readonly tone: Tone; readonly means: string };

export const TARGET_STATES: Readonly<Record<Target["state"], Word>> = {
  broken: { label: "Breaker open", tone: "bad", means: "It failed ten times in a row and is probed once a minute." },
  failing: { label: "Failing", tone: "bad", means: "Its last attempts failed; each callback is tried again." },
  paused: { label: "Paused", tone: "wait", means: "Somebody has paused this account's callbacks." },
  parked: { label: "No URL", tone: "wait", means: "The account has no URL for them; a new one sends them at once." },
};

export function waitingText({ waiting, waiting_more: more }: Target): string {
  return more ? `${waiting} or more` : String(waiting);
}
