import type { Schemas } from "../../operator-api.ts";
import type { Tone } from "../../ui/formats/badge.tsx";

export type AlertState = "open" | "acknowledged" | "closed";

export type Alert = Schemas["Alert"];

export const KINDS: Readonly<Record<string, string>> = {
  ledger_violation: "Ledger violation",
  signing_behind: "Ledger signing behind",
  provider_success: "Provider failing",
  breaker_open: "Provider not responding",
  pending_orders: "Orders stuck pending",
  human_tasks: "Orders to settle manually",
  bus_cancellations: "Bus cancellations to decide",
  callbacks_late: "Callbacks late",
  job_failing: "Background jobs failing",
  failed_jobs: "Jobs failed",
  clock_differs: "Clock differs",
  master_key_missing: "Master key missing",
  no_provider: "No provider",
  provider_balance: "Provider balance low",
  provider_float: "Provider balance used up",
  provider_lists: "Provider lists out of date",
  configuration_drift: "Settings differ from files",
  archive_failing: "Archive not written",
  break_glass_used: "Emergency account used",
};

export function kindText(kind: string): string {
  return KINDS[kind] ?? kind;
}

export const STATES: Readonly<Record<AlertState, { readonly label: string; readonly tone: Tone }>> = {
  open: { label: "Open", tone: "bad" },
  acknowledged: { label: "Acknowledged", tone: "wait" },
  closed: { label: "Closed", tone: "plain" },
};
