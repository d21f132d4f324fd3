import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Transaction } from "../../platform/db/connection.ts";
import { type AuditEntry, appendAudit } from "../audit/append.ts";
import type { Job } from "./job.ts";
import type { JobTables } from "./job-tables.ts";
import type { TaskContext } from "./kind.ts";
import { countOpenJobs, insertJob } from "./store.ts";

export const MOST_OPEN = 5;

export type NewJob = {
  readonly tables: JobTables;
  readonly queue: string;
  readonly askedBy: string;
  readonly kind: string;
  readonly input: JsonObject;
  /** How it stands in the audit trail, with its input as the details. */
  readonly audit: Omit<AuditEntry, "details">;
};

/** The queue has as many jobs as may wait; the transaction that wanted one more ends with it. */
export class TooManyJobs extends Error {}

type StartContext = Pick<TaskContext, "sql" | "clock" | "ids">;

/** Puts work on record that a runner will take up; it is audited like any other change. Null when too many wait already. */
export async function startJob(ctx: StartContext, job: NewJob): Promise<Job | null> {
  return await ctx.sql.begin((tx) => putJob(ctx, tx, job)).catch(passTooMany);
}

/** The same in the caller's transaction, as its last change. Throws `TooManyJobs`. */
export async function putJob(ctx: StartContext, tx: Transaction, { tables, audit, ...job }: NewJob): Promise<Job> {
  const now = ctx.clock.now();
  const jobId = ctx.ids.entry(now);
  const made = await insertJob(tx, tables, { ...job, jobId }, new Date(now));
  await appendAudit(tx, new Date(now), { ...audit, details: { job_id: jobId, ...job.input } });
  // Entries of the trail are written one after the other, so whoever begins at the same moment is counted here or counts this one.
  if ((await countOpenJobs(tx, tables, job.queue)) > MOST_OPEN) throw new TooManyJobs();
  return made;
}

function passTooMany(error: unknown): null {
  if (error instanceof TooManyJobs) return null;
  throw error;
}
