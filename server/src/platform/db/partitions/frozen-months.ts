import type { Queryable, Sql, Transaction } from "../connection.ts";
import { historyPartitions } from "./partitioned-tables.ts";

/** The trigger that refuses changes of a month while it is moved to the archive. A month that stays has it disabled. */
export const FROZEN_TRIGGER = "archived_month";

const ARCHIVE_LOCK = 7_236_154_208;

/** Runs a command that moves months to the archive, or back, alone. Null if another one is running. */
export async function withArchiveLock<Result>(owner: Sql, run: () => Promise<Result>): Promise<Result | null> {
  const connection = await owner.reserve();
  try {
    const [lock] = await connection<{ taken: boolean }[]>`select pg_try_advisory_lock(${ARCHIVE_LOCK}) as taken`;
    if (!lock?.taken) return null;
    try {
      return await run();
    } finally {
      await connection`select pg_advisory_unlock(${ARCHIVE_LOCK})`;
    }
  } finally {
    connection.release();
  }
}

/**
 * Keeps every month in the database until the transaction ends. It comes first in one with a single snapshot: PostgreSQL reads
 * the partitions that a table has now, and a month that left after the snapshot would be missing without its closings.
 */
export async function keepMonths(tx: Transaction): Promise<void> {
  // A month is detached from all its tables at once, so holding one of them is enough.
  await tx`lock table only transfers in access share mode`;
}

/** Partitions that refuse changes. With a token, only those whose trigger has it as its argument. */
export async function listFrozen(sql: Queryable, token: string | null = null): Promise<readonly string[]> {
  // PostgreSQL stores the arguments of a trigger as bytes and ends each with a zero byte.
  const rows = await sql<{ name: string }[]>`
    select tgrelid::regclass::text as name from pg_trigger where tgname = ${FROZEN_TRIGGER} and tgenabled <> 'D'
      and (${token}::text is null or tgargs = convert_to(${token}::text, 'UTF8') || '\\x00'::bytea) order by 1`;
  return rows.map(({ name }) => name);
}

/**
 * Tables that were partitions of months that have left, and that the archive drops next. Backups and moves of accounts leave
 * them out: the archive has their rows, and no other database has such tables.
 */
export async function listDetached(sql: Queryable): Promise<ReadonlySet<string>> {
  const rows = await sql<{ month: string }[]>`select month from archived_months where dropped_at is null`;
  return new Set(rows.flatMap(({ month }) => historyPartitions(month).map(({ name }) => name)));
}

/** Partitions that refuse changes although no move to the archive is running: it was interrupted. */
export async function listAbandoned(owner: Sql): Promise<readonly string[]> {
  return await owner.begin(async (tx) => {
    const frozen = await listFrozen(tx);
    return frozen.length > 0 && (await takesArchiveLock(tx)) ? frozen : [];
  });
}

/** Whether a move to the archive was killed: it has left a month frozen, or tables that it should have dropped. */
export async function wasMoveKilled(sql: Sql): Promise<boolean> {
  return await sql.begin(async (tx) => {
    const isUnfinished = (await listFrozen(tx)).length > 0 || (await listDetached(tx)).size > 0;
    return isUnfinished && (await takesArchiveLock(tx));
  });
}

/** Whether no command moves months to the archive or back. Until the end of the transaction none can start. */
async function takesArchiveLock(tx: Transaction): Promise<boolean> {
  const [lock] = await tx<{ taken: boolean }[]>`select pg_try_advisory_xact_lock(${ARCHIVE_LOCK}) as taken`;
  return lock?.taken === true;
}
