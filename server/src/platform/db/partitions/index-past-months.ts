import type { Sql } from "../connection.ts";
import { listFrozen } from "./frozen-months.ts";
import type { Partition } from "./partitioned-tables.ts";
import { listPartitions } from "./read-partitions.ts";

// An order of a month's last minutes may still be written a little later.
const AFTER_MILLISECONDS = 24 * 3_600_000;
const LOCK = 7_236_154_209;

/**
 * What searches for one value in a month that is over. Orders of the present month have BRIN indexes instead, which cost a new
 * order nearly nothing, but a search must read such an index whole.
 */
const INDEXES = [
  { table: "orders", suffix: "target", definition: "(target)" },
  // Every reference is different and may be long: a hash index stores four bytes of each.
  { table: "orders", suffix: "reference", definition: "using hash (reference)" },
  { table: "orders", suffix: "operator_ref", definition: "(operator_ref) where operator_ref is not null" },
] as const;

/**
 * Creates the search indexes of past months that lack them, without holding up writes, and returns their names. Of several
 * processes one does it. `owner` has a single connection, as the tables' owner; closing it releases the lock.
 */
export async function indexPastMonths(owner: Sql, now: number): Promise<readonly string[]> {
  const [lock] = await owner<{ is_mine: boolean }[]>`select pg_try_advisory_lock(${LOCK}) as is_mine`;
  if (!lock?.is_mine) return [];
  const past = [...(await listPartitions(owner)).values()].filter(({ span }) => span.toMilliseconds + AFTER_MILLISECONDS < now);
  const made: string[] = [];
  // Creating an index of a month that is leaving for the archive would hold that up.
  const frozen = new Set(await listFrozen(owner));
  for (const partition of past.filter(({ name }) => !frozen.has(name))) made.push(...(await indexPartition(owner, partition)));
  return made;
}

async function indexPartition(owner: Sql, { of, name }: Partition): Promise<readonly string[]> {
  const made: string[] = [];
  for (const { suffix, definition } of INDEXES.filter(({ table }) => table === of.table)) {
    const index = `${name}_by_${suffix}`;
    const [present] = await owner<{ is_valid: boolean }[]>`
      select indisvalid as is_valid from pg_index where indexrelid = to_regclass(${`public.${index}`})`;
    if (present?.is_valid) continue;
    // An index that was interrupted while it was created is incomplete, and nobody else creates one now.
    if (present) await owner.unsafe(`drop index concurrently ${index}`);
    await owner.unsafe(`create index concurrently ${index} on ${name} ${definition}`);
    made.push(index);
  }
  return made;
}
