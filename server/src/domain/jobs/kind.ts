import type { Clock } from "../../platform/core/clock.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Sql } from "../../platform/db/connection.ts";
import type { Log } from "../../platform/observability/log.ts";
import type { Job } from "./job.ts";
import type { Step } from "./store.ts";

/** What the runner itself needs; a kind may ask for more. */
export type TaskContext = {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Pick<Log, "info" | "warn" | "error">;
};

/** What a job has of its runner. */
export type JobHand = {
  /** To be asked between steps: true once it is to stop, whatever the reason. */
  readonly stopped: () => boolean;
  /** How far it is; written at most once a second. */
  readonly progress: (done: number, total: number | null) => Promise<void>;
  /** Whether a second has passed since something was written. */
  readonly isDue: () => boolean;
  /** Writes a step for good: what comes after a crash goes on behind it. */
  readonly save: (step: Step) => Promise<void>;
};

/** Does a job, or goes on with it from its place, and answers its result. Returns early when it is to stop. */
export type JobKind<Context> = (ctx: Context, job: Job, hand: JobHand) => Promise<JsonObject>;
export type JobKinds<Context> = Readonly<Record<string, JobKind<Context>>>;
