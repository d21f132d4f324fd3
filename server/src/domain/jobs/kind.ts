import type { Clock } from "../../platform/core/clock.ts";
import { HOME_CELL, type Ids } from "../../platform/core/ids.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Sql } from "../../platform/db/connection.ts";
import type { Replica } from "../../platform/db/servers/replica.ts";
import type { Log } from "../../platform/observability/log.ts";
import type { Job } from "./job.ts";
import type { Step } from "./store.ts";

/** A database with accounts, which a job reads. A job's saved position names the cell by its number. */
export type CellOfJob = { readonly cell: number; readonly sql: Sql; readonly replica?: Replica | undefined };

/** The dependencies of the runner; a kind may need more. */
export type JobContext = {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Pick<Log, "info" | "warn" | "error">;
  /** What a job only reads may come from here. Its progress and results are written to `sql`. */
  readonly replica?: Replica | undefined;
  /** With several cells: all of them, home first. Throws while one does not answer. */
  readonly allCells?: (() => readonly CellOfJob[]) | undefined;
};

/** The databases whose accounts a job covers. */
export function cellsOfJob(ctx: Pick<JobContext, "sql" | "replica" | "allCells">): readonly CellOfJob[] {
  return ctx.allCells?.() ?? [{ cell: HOME_CELL, sql: ctx.sql, replica: ctx.replica }];
}

/** The job's interface to its runner. */
export type JobControl = {
  /** True once the job must stop for any reason; check it between steps. */
  readonly stopped: () => boolean;
  /** Reports the progress; written at most once a second. */
  readonly progress: (done: number, total: number | null) => Promise<void>;
  /** Whether a second has passed since the last write. */
  readonly isDue: () => boolean;
  /** Commits a step. After a crash the job continues behind it. */
  readonly save: (step: Step) => Promise<void>;
};

/** Runs a job, or continues it from its saved position, and returns its result. Returns early when it must stop. */
export type JobKind<Context> = (ctx: Context, job: Job, control: JobControl) => Promise<JsonObject>;
export type JobKinds<Context> = Readonly<Record<string, JobKind<Context>>>;
