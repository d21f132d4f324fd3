import { setTimeout as delay } from "node:timers/promises";
import { timeOfId } from "../../core/ids.ts";
import type { Queryable, Sql, Transaction } from "../connection.ts";
import { codeOf, isLocked } from "../database-errors.ts";
import { withLostRights } from "../schema/privileges.ts";
import { defaultPartition, type Partition, type PartitionedTable, partitionAt, partitionsAhead } from "./partitioned-tables.ts";
import { boundLocks, listPartitions, misplacedRows, partitionedTables, readArchivedUntil } from "./read-partitions.ts";

// The next month exists before the present one begins; days are cheap, and a job that fails over a weekend must not matter.
const AHEAD = { month: 1, day: 3 };
// Moving rows out of a default partition locks it, which holds up every write to the table.
const MAX_MOVED_ROWS = 10_000;
const LOCK = 7_236_154_207;
// Rows of other times come from a wrong clock or an id that has no time, and stay where they are.
const [EARLIEST, LATEST] = [Date.UTC(2020, 0), Date.UTC(2100, 0)];

export type Made = {
  readonly made: readonly string[];
  /** Partitions whose tables were in use. They are tried again. */
  readonly busy: readonly string[];
};

/**
 * Makes the partitions of the present and of the time ahead, and those of rows that are in a default partition, unless they are
 * more than `maxMoved`. Archived months get none. Needs a connection of the tables' owner. Several processes may run it at once.
 * It never waits longer than a moment for a lock.
 */
export async function makePartitions(owner: Sql, now: number, maxMoved = MAX_MOVED_ROWS): Promise<Made> {
  const [present, tables] = [await listPartitions(owner), await partitionedTables(owner)];
  const [made, busy]: [string[], string[]] = [[], []];
  const make = async (one: Partition) => {
    const result = present.has(one.name) ? "present" : await makePartition(owner, one);
    if (result !== "present") (result === "made" ? made : busy).push(one.name);
    return result;
  };
  // Before its first migration a database has neither.
  const archivedUntil = tables.length === 0 ? null : await readArchivedUntil(owner);
  for (const of of tables) {
    const hasLeft = ({ span }: Partition) => of.kept === "history" && span.toMilliseconds <= (archivedUntil ?? 0);
    for (const one of partitionsAhead(of, now, AHEAD[of.step])) if (!hasLeft(one)) await make(one);
    const oldest = () => oldestMisplaced(owner, of, misplacedRows(of, archivedUntil), maxMoved);
    let before = "";
    for (let misplaced = await oldest(); misplaced !== null && misplaced.name !== before; misplaced = await oldest()) {
      if ((await make(misplaced)) === "busy") break;
      before = misplaced.name;
    }
  }
  return { made, busy };
}

/** Makes one partition, as a copy of the default partition, and moves the rows into it that the default partition has of it. */
export async function makePartition(owner: Sql, partition: Partition): Promise<"made" | "present" | "busy"> {
  try {
    return await owner.begin(async (tx) => {
      await boundLocks(tx);
      // Two that read the default partition would both wait for the other before they can lock it, and both give up.
      await tx`select pg_advisory_xact_lock(${LOCK})`;
      const [row] = await tx<{ is_present: boolean }[]>`select to_regclass(${`public.${partition.name}`}) is not null as is_present`;
      if (row?.is_present) return "present";
      await createLikeDefault(tx, partition);
      await attachPartition(tx, partition);
      // Where the URL's user is the application's role too, it must not write to a partition directly (privileges.sql).
      await tx.unsafe(`revoke insert, update, delete, truncate on ${partition.name} from current_user`);
      return "made";
    });
  } catch (error) {
    if (isLocked(error)) return "busy";
    if (isPresent(error)) return "present";
    throw error;
  }
}

const TRIES = 100;
const PAUSE_MILLISECONDS = 100;

/** Makes one partition before its rows are inserted. Throws if its table stays in use: the rows would get into the default one. */
export async function makeWhenFree(owner: Sql, partition: Partition): Promise<void> {
  await untilFree(async () => ((await makePartition(owner, partition)) === "busy" ? [partition.name] : []));
}

/** Makes all partitions that `makePartitions` makes. Throws if a table stays in use: its rows would stay in the default one. */
export async function makeAllWhenFree(owner: Sql, now: number, maxMoved: number): Promise<void> {
  await untilFree(async () => (await makePartitions(owner, now, maxMoved)).busy);
}

async function untilFree(make: () => Promise<readonly string[]>): Promise<void> {
  for (let tries = 1; ; tries++) {
    const busy = await make();
    if (busy.length === 0) return;
    if (tries === TRIES) throw new Error(`Partitions cannot be made, because their tables are in use: ${busy.join(", ")}. Try again.`);
    await delay(PAUSE_MILLISECONDS);
  }
}

async function createLikeDefault(tx: Transaction, { of, name }: Partition): Promise<void> {
  const [row] = await tx<{ options: string[] | null; is_unlogged: boolean }[]>`
    select reloptions as options, relpersistence = 'u' as is_unlogged from pg_class where oid = ${defaultPartition(of)}::text::regclass`;
  const options = row?.options ? ` with (${row.options.join(", ")})` : "";
  await tx.unsafe(`create ${row?.is_unlogged ? "unlogged " : ""}table ${name} (like ${defaultPartition(of)} including all)${options}`);
}

/** Rows of the default partition are moved first: PostgreSQL refuses a partition of rows that the default one has. */
async function attachPartition(tx: Transaction, partition: Partition): Promise<void> {
  const { of, name, bounds } = partition;
  const rest = defaultPartition(of);
  // Before PostgreSQL 17, an owner without the right to change a table may not lock it either.
  await withLostRights(tx, [rest, name], async () => {
    await tx.unsafe(`lock table ${rest} in access exclusive mode`);
    await moveRows(tx, partition);
  });
  await tx.unsafe(`alter table ${of.table} attach partition ${name} for values from ('${bounds[0]}') to ('${bounds[1]}')`);
}

async function moveRows(tx: Transaction, { of, name, bounds: [from, to] }: Partition): Promise<void> {
  const rest = defaultPartition(of);
  const ofPartition = `where ${of.key} >= '${from}' and ${of.key} < '${to}'`;
  const [row] = await tx.unsafe<{ has_rows: boolean }[]>(`select exists (select from ${rest} ${ofPartition}) as has_rows`);
  if (!row?.has_rows) return;
  const columns = (await writtenColumns(tx, of.table)).join(", ");
  await tx.unsafe(`with moved as (delete from ${rest} ${ofPartition} returning ${columns})
    insert into ${name} (${columns}) select ${columns} from moved`);
}

async function writtenColumns(tx: Queryable, table: string): Promise<readonly string[]> {
  const rows = await tx<{ name: string }[]>`
    select attname::text as name from pg_attribute
    where attrelid = ${table}::text::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`;
  return rows.map(({ name }) => name);
}

/** The partition of the oldest row that has none. */
async function oldestMisplaced(owner: Sql, of: PartitionedTable, rows: string, maxMoved: number): Promise<Partition | null> {
  const first = of.keyKind === "id" ? of.key : `floor(extract(epoch from ${of.key}) * 1000)`;
  const [row] = await owner.unsafe<{ first: string | null }[]>(`
    select min(first)::text as first from (select ${first} as first from ${rows} limit ${maxMoved + 1}) r
    having count(*) <= ${maxMoved}`);
  const at = of.keyKind === "id" ? timeOfId(row?.first ?? "") : Number(row?.first ?? 0);
  return at > EARLIEST && at < LATEST ? partitionAt(of, at) : null;
}

/** Another process made it at the same moment. */
function isPresent(error: unknown): boolean {
  return ["42P07", "42710", "23505"].includes(codeOf(error));
}
