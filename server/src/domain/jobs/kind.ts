import type { Clock } from "../../platform/core/clock.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Sql } from "../../platform/db/connection.ts";
import type { Replica } from "../../platform/db/replica.ts";
import type { Log } from "../../platform/observability/log.ts";
import type { Job } from "./job.ts";
import type { Step } from "./store.ts";

/** The dependencies of the runner; a kind may need more. */
export type JobContext = {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Pick<Log, "info" | "warn" | "error">;
  /** What a job only reads may come from here. Its progress and results are written to `sql`. */
  readonly replica?: Replica | undefined;
};

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
