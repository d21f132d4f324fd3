import type { Tone } from "../../ui/badge.tsx";

export type AlertState = "open" | "acknowledged" | "closed";

export type Alert = {
  readonly alert_id: string;
  readonly kind: string;
  /** What it is about, where there are several; else empty. */
  readonly subject: string;
  readonly severity: "page" | "warn";
  readonly message: string;
  readonly state: AlertState;
  readonly opened_at: string;
  readonly seen_at: string;
  readonly closed_at: string | null;
  readonly acknowledged_at: string | null;
  readonly acknowledged_by: string | null;
  readonly note: string | null;
  readonly runbook: string;
};

export const KINDS: Readonly<Record<string, string>> = {
  ledger_violation: "Ledger violation",
  provider_success: "Provider fails",
  breaker_open: "Provider does not answer",
  pending_orders: "Orders stay pending",
  human_tasks: "Orders for a person",
  callbacks_late: "Callbacks are late",
  job_failing: "Housekeeping fails",
  failed_jobs: "Jobs failed",
  clock_differs: "Clock is wrong",
  master_key_missing: "Master key is missing",
  no_provider: "No provider",
};

export function kindText(kind: string): string {
  return KINDS[kind] ?? kind;
}

export const STATES: Readonly<Record<AlertState, { readonly label: string; readonly tone: Tone }>> = {
  open: { label: "Open", tone: "bad" },
  acknowledged: { label: "Acknowledged", tone: "wait" },
  closed: { label: "Over", tone: "plain" },
};
