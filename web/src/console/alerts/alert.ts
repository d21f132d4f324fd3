import type { Tone } from "../../ui/badge.tsx";

export type AlertState = "open" | "acknowledged" | "closed";

export type Alert = {
  readonly alert_id: string;
  readonly kind: string;
  /** The provider or process the alert is about; empty when there is only one. */
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
  provider_success: "Provider failing",
  breaker_open: "Provider not responding",
  pending_orders: "Orders stuck pending",
  human_tasks: "Orders to settle manually",
  callbacks_late: "Callbacks late",
  job_failing: "Background jobs failing",
  failed_jobs: "Jobs failed",
  clock_differs: "Clock differs",
  master_key_missing: "Master key missing",
  no_provider: "No provider",
};

export function kindText(kind: string): string {
  return KINDS[kind] ?? kind;
}

export const STATES: Readonly<Record<AlertState, { readonly label: string; readonly tone: Tone }>> = {
  open: { label: "Open", tone: "bad" },
  acknowledged: { label: "Acknowledged", tone: "wait" },
  closed: { label: "Closed", tone: "plain" },
};
