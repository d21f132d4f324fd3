import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Transaction } from "../../platform/db/connection.ts";
import { type AuditEntry, appendAudit } from "../audit/append.ts";
import type { Job, JobOwner } from "./job.ts";
import type { JobContext } from "./kind.ts";
import { countOpenJobs, insertJob } from "./store.ts";

export const MOST_OPEN = 5;

export type NewJob = {
  readonly owner: JobOwner;
  readonly queue: string;
  readonly askedBy: string;
  readonly kind: string;
  readonly input: JsonObject;
  /** The audit entry; the job's input becomes its details. */
  readonly audit: Omit<AuditEntry, "details">;
};

/** The queue is full; the transaction that wanted to add a job is rolled back. */
export class TooManyJobs extends Error {}

type StartContext = Pick<JobContext, "sql" | "clock" | "ids">;

/** Queues a job and audits it. Null when too many jobs are waiting. */
export async function startJob(ctx: StartContext, job: NewJob): Promise<Job | null> {
  return await ctx.sql.begin((tx) => putJob(ctx, tx, job)).catch(passTooMany);
}

/** The same as the last change of the caller's transaction. Throws `TooManyJobs`. */
export async function putJob(ctx: StartContext, tx: Transaction, { owner, audit, ...job }: NewJob): Promise<Job> {
  const now = ctx.clock.now();
  const jobId = ctx.ids.entry(now);
  const made = await insertJob(tx, owner, { ...job, jobId }, new Date(now));
  await appendAudit(tx, new Date(now), { ...audit, details: { job_id: jobId, ...job.input } });
  // Audit entries are serialised, so of two concurrent starts each one is counted by the other.
  if ((await countOpenJobs(tx, owner, job.queue)) > MOST_OPEN) throw new TooManyJobs();
  return made;
}

function passTooMany(error: unknown): null {
  if (error instanceof TooManyJobs) return null;
  throw error;
}
