import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Queryable, Sql } from "../../platform/db/connection.ts";
import type { Row as TableRow } from "../../platform/db/schema/row-types.ts";
import type { JobState } from "../jobs/job.ts";
import { type FileShape, fileShape } from "./file/file-shape.ts";
import { type Mapping, mapping } from "./file/mapping.ts";
import { type Counts, type Reconciliation, type ReconciliationState, stateOf } from "./reconciliation.ts";

type Row = Pick<
  TableRow<"reconciliations">,
  "reconciliation_id" | "provider" | "name" | "bytes" | "job_id" | "open" | "created_by" | "created_at" | "finished_at"
> & {
  readonly day: string;
  readonly shape: JsonObject;
  readonly mapping: JsonObject | null;
  readonly job_state: JobState | null;
  readonly counts: Counts | null;
  readonly same_as: string | null;
};

function columns(sql: Queryable) {
  return sql`r.reconciliation_id, r.provider, r.day::text as day, r.name, r.bytes, r.shape, r.mapping, r.job_id, j.state as job_state,
    r.counts, r.open, r.created_by, r.created_at, r.finished_at,
    (select max(e.reconciliation_id) from reconciliations e
      where e.digest = r.digest and e.reconciliation_id < r.reconciliation_id) as same_as`;
}

function toReconciliation(row: Row): Reconciliation {
  return {
    reconciliationId: row.reconciliation_id,
    provider: row.provider,
    day: row.day,
    name: row.name,
    bytes: Number(row.bytes),
    shape: fileShape.parse(row.shape),
    mapping: row.mapping && mapping.parse(row.mapping),
    state: stateOf(row.finished_at, row.job_id, row.job_state),
    jobId: row.job_id,
    counts: row.counts,
    open: Number(row.open),
    sameAs: row.same_as,
    createdBy: row.created_by,
    createdAt: row.created_at.getTime(),
    finishedAt: row.finished_at?.getTime() ?? null,
  };
}

/** Null when it does not exist, or its file is not completely uploaded. */
export async function findReconciliation(sql: Queryable, reconciliationId: string): Promise<Reconciliation | null> {
  const [row] = await sql<Row[]>`
    select ${columns(sql)} from reconciliations r left join jobs j on j.job_id = r.job_id
    where r.reconciliation_id = ${reconciliationId} and r.shape is not null`;
  return row ? toReconciliation(row) : null;
}

/** The same with a lock until the transaction ends. */
export async function lockReconciliation(sql: Queryable, reconciliationId: string): Promise<Reconciliation | null> {
  await sql`select 1 from reconciliations where reconciliation_id = ${reconciliationId} for update`;
  return await findReconciliation(sql, reconciliationId);
}

export type ReconciliationQuery = {
  readonly provider: string | undefined;
  readonly state: ReconciliationState | undefined;
  readonly before: string | null;
  readonly limit: number;
};

function stateCondition(sql: Queryable, state: ReconciliationState | undefined) {
  if (state === undefined) return sql``;
  if (state === "done") return sql`and r.finished_at is not null`;
  const unfinished = sql`and r.finished_at is null`;
  if (state === "uploaded") return sql`${unfinished} and r.job_id is null`;
  if (state === "running") return sql`${unfinished} and j.state in ('waiting', 'running')`;
  if (state === "cancelled") return sql`${unfinished} and j.state = 'cancelled'`;
  return sql`${unfinished} and r.job_id is not null and (j.state is null or j.state in ('failed', 'done'))`;
}

/** Lists reconciliations, newest first. */
export async function listReconciliations(sql: Queryable, query: ReconciliationQuery): Promise<readonly Reconciliation[]> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from reconciliations r left join jobs j on j.job_id = r.job_id
    where r.shape is not null
      ${query.provider === undefined ? sql`` : sql`and r.provider = ${query.provider}`}
      ${stateCondition(sql, query.state)}
      ${query.before === null ? sql`` : sql`and r.reconciliation_id < ${query.before}`}
    order by r.reconciliation_id desc limit ${query.limit}`;
  return rows.map(toReconciliation);
}

export type NewFile = { readonly reconciliationId: string; readonly provider: string; readonly day: string; readonly name: string };

/** Returns false when the provider does not exist. */
export async function beginFile(sql: Queryable, file: NewFile, actor: string, at: Date): Promise<boolean> {
  const { count } = await sql`
    insert into reconciliations (reconciliation_id, provider, day, name, created_by, created_at)
    select ${file.reconciliationId}, provider, ${file.day}, ${file.name}, ${actor}, ${at} from providers where provider = ${file.provider}`;
  return count === 1;
}

export async function addPart(sql: Queryable, reconciliationId: string, part: number, content: Uint8Array): Promise<void> {
  await sql`insert into reconciliation_file_parts (reconciliation_id, part, content) values (${reconciliationId}, ${part}, ${content})`;
}

export type WholeFile = { readonly bytes: number; readonly digest: Uint8Array; readonly shape: FileShape };

export async function endFile(sql: Queryable, reconciliationId: string, { bytes, digest, shape }: WholeFile): Promise<void> {
  await sql`
    update reconciliations set bytes = ${bytes}, digest = ${digest}, shape = ${JSON.stringify(shape)}::text::jsonb
    where reconciliation_id = ${reconciliationId}`;
}

export async function* readFileParts(sql: Sql, reconciliationId: string): AsyncGenerator<Uint8Array> {
  for (let part = 0; ; part++) {
    const [row] = await sql<{ content: Buffer }[]>`
      select content from reconciliation_file_parts where reconciliation_id = ${reconciliationId} and part = ${part}`;
    if (!row) return;
    yield row.content;
  }
}

export async function removeReconciliation(sql: Queryable, reconciliationId: string): Promise<void> {
  await sql`delete from reconciliations where reconciliation_id = ${reconciliationId}`;
}

/** Deletes files whose upload was interrupted. */
export async function sweepUploads(sql: Queryable, before: Date): Promise<void> {
  await sql`delete from reconciliations where shape is null and created_at < ${before}`;
}

export async function lastMapping(sql: Queryable, provider: string): Promise<Mapping | null> {
  const [row] = await sql<{ mapping: JsonObject }[]>`select mapping from reconciliation_mappings where provider = ${provider}`;
  return row ? mapping.parse(row.mapping) : null;
}

export async function storeMapping(sql: Queryable, provider: string, newMapping: Mapping, actor: string, at: Date): Promise<void> {
  await sql`
    insert into reconciliation_mappings (provider, mapping, updated_by, updated_at)
    values (${provider}, ${JSON.stringify(newMapping)}::text::jsonb, ${actor}, ${at})
    on conflict (provider) do update set mapping = excluded.mapping, updated_by = excluded.updated_by, updated_at = excluded.updated_at`;
}
