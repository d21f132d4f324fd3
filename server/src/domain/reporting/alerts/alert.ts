export type AlertKind =
  | "ledger_violation"
  | "signing_behind"
  | "provider_success"
  | "breaker_open"
  | "pending_orders"
  | "human_tasks"
  | "bus_cancellations"
  | "callbacks_late"
  | "job_failing"
  | "failed_jobs"
  | "clock_differs"
  | "master_key_missing"
  | "no_provider"
  | "provider_balance"
  | "provider_float"
  | "provider_lists"
  | "configuration_drift"
  | "archive_failing"
  | "break_glass_used";

/** `page` needs action at any hour; `warn` needs action today. As in docs/monitoring/alerts.yml. */
export type Severity = "page" | "warn";

type About = { readonly severity: Severity; readonly runbook: string };

export const ALERT_KINDS: Readonly<Record<AlertKind, About>> = {
  ledger_violation: { severity: "page", runbook: "docs/runbooks/ledger-violation.md" },
  signing_behind: { severity: "warn", runbook: "docs/runbooks/ledger-violation.md" },
  provider_success: { severity: "page", runbook: "docs/runbooks/provider-outage.md" },
  breaker_open: { severity: "page", runbook: "docs/runbooks/provider-outage.md" },
  pending_orders: { severity: "warn", runbook: "docs/runbooks/in-doubt-orders.md" },
  human_tasks: { severity: "warn", runbook: "docs/runbooks/in-doubt-orders.md" },
  bus_cancellations: { severity: "warn", runbook: "docs/runbooks/in-doubt-orders.md" },
  callbacks_late: { severity: "warn", runbook: "docs/runbooks/stuck-callbacks.md" },
  job_failing: { severity: "warn", runbook: "docs/runbooks/service-down.md" },
  failed_jobs: { severity: "warn", runbook: "docs/runbooks/service-down.md" },
  clock_differs: { severity: "warn", runbook: "docs/runbooks/service-down.md" },
  master_key_missing: { severity: "page", runbook: "docs/runbooks/service-down.md" },
  provider_lists: { severity: "warn", runbook: "docs/runbooks/provider-outage.md" },
  no_provider: { severity: "warn", runbook: "docs/runbooks/provider-outage.md" },
  provider_balance: { severity: "warn", runbook: "docs/runbooks/provider-balance.md" },
  archive_failing: { severity: "warn", runbook: "docs/runbooks/archive.md" },
  break_glass_used: { severity: "page", runbook: "docs/runbooks/single-sign-on.md" },
  provider_float: { severity: "page", runbook: "docs/runbooks/provider-balance.md" },
  configuration_drift: { severity: "warn", runbook: "docs/runbooks/configuration-drift.md" },
};

export const ALERT_STATES = ["open", "acknowledged", "closed"] as const;
export type AlertState = (typeof ALERT_STATES)[number];

export type Alert = {
  readonly alertId: string;
  readonly kind: AlertKind;
  /** The subject, for kinds with several; otherwise empty. */
  readonly subject: string;
  readonly message: string;
  readonly openedAt: Date;
  /** When its condition was last found. */
  readonly seenAt: Date;
  readonly closedAt: Date | null;
  /** The staff member who handles it. */
  readonly assignedTo: string | null;
  readonly acknowledged: { readonly at: Date; readonly by: string; readonly note: string } | null;
};

export function alertState(alert: Alert): AlertState {
  if (alert.closedAt !== null) return "closed";
  return alert.acknowledged === null ? "open" : "acknowledged";
}
