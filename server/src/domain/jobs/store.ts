import type { Fragment } from "postgres";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Queryable, Sql, Transaction } from "../../platform/db/connection.ts";
import type { Row } from "../../platform/db/schema/row-types.ts";
import type { Job, JobOwner, JobState } from "./job.ts";

type JobRow = Pick<
  Row<"jobs">,
  | "queue"
  | "job_id"
  | "started_by"
  | "kind"
  | "state"
  | "done"
  | "total"
  | "claims"
  | "cancel_asked"
  | "created_at"
  | "started_at"
  | "finished_at"
> & { readonly input: JsonObject; readonly resume_from: JsonObject | null; readonly result: JsonObject | null };

function columns(sql: Queryable) {
  return sql`queue, job_id, started_by, kind, input, state, done, total, resume_from, result, claims, cancel_asked, created_at, started_at,
    finished_at`;
}

function toJob(row: JobRow): Job {
  return {
    queue: row.queue,
    jobId: row.job_id,
    askedBy: row.started_by,
    kind: row.kind,
    input: row.input,
    state: row.state,
    done: Number(row.done),
    total: row.total === null ? null : Number(row.total),
    place: row.resume_from,
    result: row.result,
    claims: row.claims,
    cancelAsked: row.cancel_asked,
    createdAt: row.created_at.getTime(),
    startedAt: row.started_at?.getTime() ?? null,
    finishedAt: row.finished_at?.getTime() ?? null,
  };
}

/** A job of an owner; without a queue, of any queue. */
export type JobKey = { readonly owner: JobOwner; readonly jobId: string; readonly queue?: string };
/** A running job and the claim that is required for every write. */
export type ClaimKey = Required<JobKey> & { readonly claimId: string };

function keyed(sql: Queryable, { owner, queue, jobId }: JobKey) {
  return sql`owner = ${owner} and job_id = ${jobId} ${queue === undefined ? sql`` : sql`and queue = ${queue}`}`;
}

export async function insertJob(
  sql: Queryable,
  owner: JobOwner,
  job: Pick<Job, "queue" | "jobId" | "askedBy" | "kind" | "input">,
  at: Date,
): Promise<Job> {
  const [row] = await sql<JobRow[]>`
    insert into jobs (owner, queue, job_id, started_by, kind, input, created_at)
    values (${owner}, ${job.queue}, ${job.jobId}, ${job.askedBy}, ${job.kind}, ${JSON.stringify(job.input)}::text::jsonb, ${at})
    returning ${columns(sql)}`;
  if (!row) throw new Error(`The job ${job.jobId} was not written.`);
  return toJob(row);
}

export async function findJob(sql: Queryable, key: JobKey): Promise<Job | null> {
  const [row] = await sql<JobRow[]>`select ${columns(sql)} from jobs where ${keyed(sql, key)}`;
  return row ? toJob(row) : null;
}

export type JobQuery = {
  readonly queue?: string | undefined;
  readonly kind?: string | undefined;
  readonly state?: JobState | undefined;
  readonly before: string | null;
  readonly limit: number;
};

/** Lists jobs, newest first. */
export async function listJobs(sql: Queryable, owner: JobOwner, query: JobQuery): Promise<readonly Job[]> {
  const { queue, kind, state, before } = query;
  const rows = await sql<JobRow[]>`
    select ${columns(sql)} from jobs where owner = ${owner}
      ${queue === undefined ? sql`` : sql`and queue = ${queue}`}
      ${kind === undefined ? sql`` : sql`and kind = ${kind}`}
      ${state === undefined ? sql`` : sql`and state = ${state}`}
      ${before === null ? sql`` : sql`and job_id < ${before}`}
    order by job_id desc limit ${query.limit}`;
  return rows.map(toJob);
}

export async function countOpenJobs(sql: Queryable, owner: JobOwner, queue: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from jobs where owner = ${owner} and queue = ${queue} and state in ('waiting', 'running')`;
  return row?.count ?? 0;
}

/**
 * Claims the oldest unclaimed job of a queue without a running job; null when there is none. A lease further ahead than any
 * lease predates a clock that was set back; live processes renew theirs.
 */
export async function claimJob(sql: Sql, owner: JobOwner, claimId: string, now: number, leaseMilliseconds: number): Promise<Job | null> {
  const at = new Date(now);
  const [row] = await sql<JobRow[]>`
    update jobs set state = 'running', claim_id = ${claimId}, lease_until = ${new Date(now + leaseMilliseconds)}, claims = claims + 1,
      started_at = coalesce(started_at, ${at})
    where job_id in (
      select j.job_id from jobs j
      where j.owner = ${owner} and j.state in ('waiting', 'running') and case j.state when 'running'
        then j.lease_until <= ${at} or j.lease_until > ${new Date(now + 2 * leaseMilliseconds)}
        else not exists (select from jobs r where r.owner = j.owner and r.queue = j.queue and r.state = 'running') end
      order by j.created_at, j.job_id limit 1 for update skip locked)
    returning ${columns(sql)}`.catch(passTaken);
  return row ? toJob(row) : null;
}

/** A condition: a job of any owner waits or is running, also one whose process has died. */
export function hasOpenJobs(sql: Queryable): Fragment {
  return sql`exists (select from jobs where state in ('waiting', 'running'))`;
}

// Another process has started a job of this queue at the same moment; the unique index allows one.
function passTaken(error: unknown): JobRow[] {
  if (error instanceof Error && "code" in error && error.code === "23505") return [];
  throw error;
}

export type Step = {
  readonly done: number;
  readonly total: number | null;
  /** The position from which the job continues; unchanged when absent. */
  readonly place?: JsonObject;
  /** A part of the file. */
  readonly part?: { readonly number: number; readonly content: string };
  /**
   * Further writes of the step, committed with it, and never by a process that has lost the claim. Returns the position when
   * only the write determines it.
   */
  readonly write?: (tx: Transaction) => Promise<JsonObject | null>;
};

/** Commits a step and renews the lease. Null when the claim is lost. */
export async function writeStep(sql: Sql, key: ClaimKey, step: Step, leaseUntil: Date): Promise<{ readonly cancelAsked: boolean } | null> {
  return await sql.begin(async (tx) => {
    const [row] = await tx<{ cancel_asked: boolean }[]>`
      update jobs set done = ${step.done}, total = ${step.total}, lease_until = ${leaseUntil}
        ${step.place === undefined ? tx`` : tx`, resume_from = ${JSON.stringify(step.place)}::text::jsonb`}
      where ${claimed(tx, key)} returning cancel_asked`;
    if (!row) return null;
    const place = await step.write?.(tx);
    if (place) await tx`update jobs set resume_from = ${JSON.stringify(place)}::text::jsonb where ${keyed(tx, key)}`;
    if (step.part) {
      await tx`
        insert into job_files (job_id, part, content)
        values (${key.jobId}, ${step.part.number}, ${Buffer.from(step.part.content)})`;
    }
    return { cancelAsked: row.cancel_asked };
  });
}

export async function renewLease(sql: Sql, key: ClaimKey, leaseUntil: Date): Promise<{ readonly cancelAsked: boolean } | null> {
  const [row] = await sql<{ cancel_asked: boolean }[]>`
    update jobs set lease_until = ${leaseUntil} where ${claimed(sql, key)} returning cancel_asked`;
  return row ? { cancelAsked: row.cancel_asked } : null;
}

export type JobEnd = { readonly state: "done" | "failed" | "cancelled"; readonly result: JsonObject | null };

/** Returns false when the claim is lost; then another process ends the job. Only a completed job keeps its file. */
export async function finishJob(sql: Sql, key: ClaimKey, end: JobEnd, at: Date): Promise<boolean> {
  return await sql.begin(async (tx) => {
    const { count } = await tx`
      update jobs set state = ${end.state}, result = ${end.result === null ? null : JSON.stringify(end.result)}::text::jsonb,
        finished_at = ${at}, claim_id = null, lease_until = null
      where ${claimed(tx, key)}`;
    if (count === 1 && end.state !== "done") await tx`delete from job_files where job_id = ${key.jobId}`;
    return count === 1;
  });
}

/** Releases the job at its saved position; any process can continue it. */
export async function releaseJob(sql: Sql, key: ClaimKey, at: Date): Promise<void> {
  await sql`update jobs set lease_until = ${at}, claims = claims - 1 where ${claimed(sql, key)}`;
}

function claimed(sql: Queryable, key: ClaimKey) {
  return sql`${keyed(sql, key)} and claim_id = ${key.claimId} and state = 'running'`;
}

/** Cancels a waiting job, or asks the running one to stop. Returns whether that is a change. */
export async function cancelJob(sql: Queryable, key: JobKey, at: Date): Promise<{ readonly changed: boolean; readonly job: Job | null }> {
  const { count } = await sql`
    update jobs set cancel_asked = true, state = case state when 'waiting' then 'cancelled' else state end,
      finished_at = case state when 'waiting' then ${at}::timestamptz end
    where ${keyed(sql, key)} and state in ('waiting', 'running') and not cancel_asked`;
  return { changed: count === 1, job: await findJob(sql, key) };
}

/** Yields a file in parts. */
export async function* readFile(sql: Sql, key: JobKey): AsyncGenerator<Uint8Array> {
  for (let part = 0; ; part++) {
    const [row] = await sql<{ content: Buffer }[]>`
      select f.content from job_files f join jobs j using (job_id) where ${keyed(sql, key)} and f.part = ${part}`;
    if (!row) return;
    yield row.content;
  }
}

const SWEPT_AT_ONCE = 50;

/** Deletes old files first, then old jobs. */
export async function sweepJobs(sql: Sql, owner: JobOwner, filesBefore: Date, jobsBefore: Date): Promise<void> {
  await sql`
    delete from job_files f using (
      select j.job_id from jobs j where j.owner = ${owner} and j.finished_at < ${filesBefore}
        and exists (select from job_files f where f.job_id = j.job_id)
      order by j.finished_at limit ${SWEPT_AT_ONCE}) j
    where f.job_id = j.job_id`;
  await sql`
    delete from jobs j using (
      select job_id from jobs where owner = ${owner} and finished_at < ${jobsBefore} order by finished_at limit ${SWEPT_AT_ONCE}) old
    where j.job_id = old.job_id`;
}
