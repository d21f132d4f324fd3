import type { Clock } from "../../platform/core/clock.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { Sql } from "../../platform/db/connection.ts";
import type { JobState } from "../jobs/job.ts";
import type { FileShape } from "./file/file-shape.ts";
import type { Mapping } from "./file/mapping.ts";

export type ReconciliationContext = { readonly sql: Sql; readonly clock: Clock; readonly ids: Ids };

/** `uploaded` waits for its mapping; the others are the states of its latest run. */
export const RECONCILIATION_STATES = ["uploaded", "running", "done", "failed", "cancelled"] as const;
export type ReconciliationState = (typeof RECONCILIATION_STATES)[number];

export const OUTCOMES = ["matched", "differing", "missing_here", "missing_there", "archived", "duplicate", "unclear"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The number of items and their sums at the provider and here. */
export type Sums = { readonly count: number; readonly there: string; readonly here: string };
export type Counts = Readonly<Record<Outcome, Sums>>;

export type Reconciliation = {
  readonly reconciliationId: string;
  readonly provider: string;
  /** `YYYY-MM-DD` in India. */
  readonly day: string;
  readonly name: string;
  readonly bytes: number;
  readonly shape: FileShape;
  readonly mapping: Mapping | null;
  readonly state: ReconciliationState;
  readonly jobId: string | null;
  readonly counts: Counts | null;
  /** The number of unresolved differences. */
  readonly open: number;
  /** An earlier reconciliation of an identical file. */
  readonly sameAs: string | null;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly finishedAt: number | null;
};

/** The state of the latest run. Jobs are kept for a month; a run whose job was deleted has never finished. */
export function stateOf(finishedAt: Date | null, jobId: string | null, job: JobState | null): ReconciliationState {
  if (finishedAt !== null) return "done";
  if (jobId === null) return "uploaded";
  if (job === "waiting" || job === "running") return "running";
  return job === "cancelled" ? "cancelled" : "failed";
}
