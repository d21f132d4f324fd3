import type { Queryable, Sql, Transaction } from "../../db/connection.ts";
import type { JsonObject } from "../../kernel/strict-json.ts";
import type { Job, JobState } from "./job.ts";

type JobRow = {
  readonly account_id: string;
  readonly job_id: string;
  readonly user_id: string;
  readonly kind: string;
  readonly input: JsonObject;
  readonly state: JobState;
  readonly done: bigint;
  readonly total: bigint | null;
  readonly place: JsonObject | null;
  readonly result: JsonObject | null;
  readonly claims: number;
  readonly cancel_asked: boolean;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
};

function columns(sql: Queryable) {
  return sql`account_id, job_id, user_id, kind, input, state, done, total, place, result, claims, cancel_asked, created_at, started_at,
    finished_at`;
}

function toJob(row: JobRow): Job {
  return {
    accountId: row.account_id,
    jobId: row.job_id,
    userId: row.user_id,
    kind: row.kind,
    input: row.input,
    state: row.state,
    done: Number(row.done),
    total: row.total === null ? null : Number(row.total),
    place: row.place,
    result: row.result,
    claims: row.claims,
    cancelAsked: row.cancel_asked,
    createdAt: row.created_at.getTime(),
    startedAt: row.started_at?.getTime() ?? null,
    finishedAt: row.finished_at?.getTime() ?? null,
  };
}

export type JobKey = Pick<Job, "accountId" | "jobId">;
/** A job under way, and the claim without which nothing of it can be written. */
export type ClaimKey = JobKey & { readonly claimId: string };

export async function insertJob(
  sql: Queryable,
  job: Pick<Job, "accountId" | "jobId" | "userId" | "kind" | "input">,
  at: Date,
): Promise<void> {
  await sql`
    insert into portal_jobs (account_id, job_id, user_id, kind, input, created_at)
    values (${job.accountId}, ${job.jobId}, ${job.userId}, ${job.kind}, ${JSON.stringify(job.input)}::text::jsonb, ${at})`;
}

export async function findJob(sql: Queryable, { accountId, jobId }: JobKey): Promise<Job | null> {
  const [row] = await sql<JobRow[]>`select ${columns(sql)} from portal_jobs where account_id = ${accountId} and job_id = ${jobId}`;
  return row ? toJob(row) : null;
}

/** Newest first. */
export async function listJobs(sql: Queryable, accountId: string, before: string | null, limit: number): Promise<readonly Job[]> {
  const rows = await sql<JobRow[]>`
    select ${columns(sql)} from portal_jobs where account_id = ${accountId} ${before === null ? sql`` : sql`and job_id < ${before}`}
    order by job_id desc limit ${limit}`;
  return rows.map(toJob);
}

/** No other begins until the caller's transaction ends. */
export async function countOpenJobs(tx: Transaction, accountId: string): Promise<number> {
  await tx`select 1 from accounts where account_id = ${accountId} for no key update`;
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from portal_jobs where account_id = ${accountId} and state in ('waiting', 'running')`;
  return row?.count ?? 0;
}

/** Takes the oldest job that nobody has, of an account that has none under way; null when there is none. */
export async function claimJob(sql: Sql, claimId: string, now: number, leaseMilliseconds: number): Promise<Job | null> {
  const at = new Date(now);
  const [row] = await sql<JobRow[]>`
    update portal_jobs set state = 'running', claim_id = ${claimId}, lease_until = ${new Date(now + leaseMilliseconds)}, claims = claims + 1,
      started_at = coalesce(started_at, ${at})
    where (account_id, job_id) in (
      select j.account_id, j.job_id from portal_jobs j
      where j.state in ('waiting', 'running') and case j.state when 'running' then j.lease_until <= ${at}
        else not exists (select from portal_jobs r where r.account_id = j.account_id and r.state = 'running') end
      order by j.created_at, j.job_id limit 1 for update skip locked)
    returning ${columns(sql)}`.catch(passTaken);
  return row ? toJob(row) : null;
}

// Another process has begun another job of this account at the same moment: the index lets one of them.
function passTaken(error: unknown): JobRow[] {
  if (error instanceof Error && "code" in error && error.code === "23505") return [];
  throw error;
}

export type Step = {
  readonly done: number;
  readonly total: number | null;
  /** What whoever goes on needs to know; left as it is when not given. */
  readonly place?: JsonObject;
  /** Of the file. */
  readonly part?: { readonly number: number; readonly content: string };
};

/** Writes a step and renews the lease, both or neither. Null when the claim is lost. */
export async function writeStep(sql: Sql, key: ClaimKey, step: Step, leaseUntil: Date): Promise<{ readonly cancelAsked: boolean } | null> {
  return await sql.begin(async (tx) => {
    const [row] = await tx<{ cancel_asked: boolean }[]>`
      update portal_jobs set done = ${step.done}, total = ${step.total}, lease_until = ${leaseUntil}
        ${step.place === undefined ? tx`` : tx`, place = ${JSON.stringify(step.place)}::text::jsonb`}
      where ${claimed(tx, key)} returning cancel_asked`;
    if (!row) return null;
    if (step.part) {
      await tx`
        insert into portal_files (account_id, job_id, part, content)
        values (${key.accountId}, ${key.jobId}, ${step.part.number}, ${Buffer.from(step.part.content)})`;
    }
    return { cancelAsked: row.cancel_asked };
  });
}

export async function renewLease(sql: Sql, key: ClaimKey, leaseUntil: Date): Promise<{ readonly cancelAsked: boolean } | null> {
  const [row] = await sql<{ cancel_asked: boolean }[]>`
    update portal_jobs set lease_until = ${leaseUntil} where ${claimed(sql, key)} returning cancel_asked`;
  return row ? { cancelAsked: row.cancel_asked } : null;
}

export type JobEnd = { readonly state: "done" | "failed" | "cancelled"; readonly result: JsonObject | null };

/** False when the claim is lost: then somebody else ends it. Only what is done keeps its file. */
export async function finishJob(sql: Sql, key: ClaimKey, end: JobEnd, at: Date): Promise<boolean> {
  return await sql.begin(async (tx) => {
    const { count } = await tx`
      update portal_jobs set state = ${end.state}, result = ${end.result === null ? null : JSON.stringify(end.result)}::text::jsonb,
        finished_at = ${at}, claim_id = null, lease_until = null
      where ${claimed(tx, key)}`;
    if (count === 1 && end.state !== "done")
      await tx`delete from portal_files where account_id = ${key.accountId} and job_id = ${key.jobId}`;
    return count === 1;
  });
}

/** Gives it back as it stands: whoever comes goes on with it. */
export async function releaseJob(sql: Sql, key: ClaimKey, at: Date): Promise<void> {
  await sql`update portal_jobs set lease_until = ${at}, claims = claims - 1 where ${claimed(sql, key)}`;
}

function claimed(sql: Queryable, key: ClaimKey) {
  return sql`account_id = ${key.accountId} and job_id = ${key.jobId} and claim_id = ${key.claimId} and state = 'running'`;
}

/** Ends what nobody has begun; asks whoever is at it to stop. Null when there is no such job. */
export async function cancelJob(sql: Sql, { accountId, jobId }: JobKey, at: Date): Promise<Job | null> {
  await sql`
    update portal_jobs set cancel_asked = true, state = case state when 'waiting' then 'cancelled' else state end,
      finished_at = case state when 'waiting' then ${at}::timestamptz end
    where account_id = ${accountId} and job_id = ${jobId} and state in ('waiting', 'running')`;
  return await findJob(sql, { accountId, jobId });
}

/** A file, part by part. */
export async function* readFile(sql: Sql, { accountId, jobId }: JobKey): AsyncGenerator<Uint8Array> {
  for (let part = 0; ; part++) {
    const [row] = await sql<{ content: Buffer }[]>`
      select content from portal_files where account_id = ${accountId} and job_id = ${jobId} and part = ${part}`;
    if (!row) return;
    yield row.content;
  }
}

const SWEPT_AT_ONCE = 50;

/** Files go before the jobs that made them. */
export async function sweepJobs(sql: Sql, filesBefore: Date, jobsBefore: Date): Promise<void> {
  await sql`
    delete from portal_files f using (
      select j.account_id, j.job_id from portal_jobs j where j.finished_at < ${filesBefore}
        and exists (select from portal_files f where f.account_id = j.account_id and f.job_id = j.job_id)
      order by j.finished_at limit ${SWEPT_AT_ONCE}) j
    where f.account_id = j.account_id and f.job_id = j.job_id`;
  await sql`
    delete from portal_jobs j using (
      select account_id, job_id from portal_jobs where finished_at < ${jobsBefore} order by finished_at limit ${SWEPT_AT_ONCE}) old
    where j.account_id = old.account_id and j.job_id = old.job_id`;
}
