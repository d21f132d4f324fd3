import type { Sql } from "../connection.ts";
import { runInSteps } from "./lock-politely.ts";

/** The one statement of an index migration. */
export type IndexStatement = { readonly unique: boolean; readonly name: string; readonly table: string; readonly rest: string };

const STATEMENT = /^create\s+(unique\s+)?index\s+concurrently\s+([a-z0-9_]+)\s+on\s+([a-z0-9_]+)\s+(\S[\s\S]*)$/i;

/** Reads `create [unique] index concurrently NAME on TABLE …`. */
export function readIndexStatement(sql: string): IndexStatement {
  const text = sql.replaceAll(/^[ \t]*--.*$/gm, "").trim();
  const [, unique, name, table, rest] = STATEMENT.exec(text.endsWith(";") ? text.slice(0, -1).trimEnd() : text) ?? [];
  if (name === undefined || table === undefined || rest === undefined || rest.includes(";"))
    throw new Error("An index migration must be one statement: create [unique] index concurrently NAME on TABLE (…).");
  return { unique: unique !== undefined, name: name.toLowerCase(), table: table.toLowerCase(), rest };
}

/**
 * Builds an index without blocking writers. It can be interrupted at any point: running it again keeps what is complete, and
 * drops and builds again what an interruption left invalid. PostgreSQL cannot do this for a partitioned table as a whole, so
 * its partitions get their indexes one by one.
 */
export async function buildIndex(sql: Sql, statement: IndexStatement, note: (text: string) => void = () => {}): Promise<void> {
  const { name, table } = statement;
  const [found] = await sql<{ relkind: string }[]>`select relkind::text from pg_class where oid = to_regclass(${table})`;
  if (!found) throw new Error(`The index ${name} is for the table ${table}, which does not exist.`);
  if (found.relkind !== "p") return await buildOne(sql, statement, note);
  await createOnParent(sql, statement);
  const partitions = await sql<{ name: string }[]>`
    select relid::regclass::text as name from pg_partition_tree(${table}::regclass) where isleaf order by 1`;
  for (const partition of partitions) await buildForPartition(sql, statement, partition.name, note);
  const state = await stateOf(sql, name);
  if (state !== "valid")
    throw new Error(`The index ${name} is not complete, because a partition appeared meanwhile. Run the upgrade again.`);
}

type IndexState = "missing" | "invalid" | "valid";

async function stateOf(sql: Sql, name: string): Promise<IndexState> {
  const [row] = await sql<{ valid: boolean }[]>`select indisvalid as valid from pg_index where indexrelid = to_regclass(${name})`;
  if (!row) return "missing";
  return row.valid ? "valid" : "invalid";
}

async function buildOne(sql: Sql, { unique, name, table, rest }: IndexStatement, note: (text: string) => void): Promise<void> {
  const state = await stateOf(sql, name);
  if (state === "valid") return;
  if (state === "invalid") {
    note(`${name}: an earlier build was interrupted, and is dropped`);
    await sql.unsafe(`drop index concurrently if exists ${name}`);
  }
  note(`${name}: building on ${table}`);
  await sql.unsafe(`create ${unique ? "unique " : ""}index concurrently ${name} on ${table} ${rest}`);
}

/** The parent's index holds no rows. It becomes valid when every partition has its part. */
async function createOnParent(sql: Sql, { unique, name, table, rest }: IndexStatement): Promise<void> {
  if ((await stateOf(sql, name)) !== "missing") return;
  await runInSteps(sql, async (tx) => {
    await tx.unsafe(`create ${unique ? "unique " : ""}index ${name} on only ${table} ${rest}`);
  });
}

async function buildForPartition(sql: Sql, statement: IndexStatement, partition: string, note: (text: string) => void): Promise<void> {
  const [attached] = await sql`
    select from pg_inherits h join pg_index i on i.indexrelid = h.inhrelid
    where h.inhparent = ${statement.name}::regclass and i.indrelid = ${partition}::regclass and i.indisvalid`;
  if (attached) return;
  const own = partName(partition, statement.name);
  await buildOne(sql, { ...statement, name: own, table: partition }, note);
  await runInSteps(sql, async (tx) => {
    await tx.unsafe(`alter index ${statement.name} attach partition ${own}`);
  });
}

const MAX_NAME = 63;

/** A name within PostgreSQL's length that is unique for the partition. */
function partName(partition: string, index: string): string {
  return `${partition}_${index}`.length <= MAX_NAME
    ? `${partition}_${index}`
    : `${partition}_${index.slice(0, MAX_NAME - partition.length - 1)}`;
}
