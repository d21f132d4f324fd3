import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { keepOrdersOfComplaints } from "@corprail/server/domain/complaints/archived-order";
import { listArchivedMonths } from "@corprail/server/domain/ledger/archived-months";
import { keepVerifiedNames } from "@corprail/server/domain/services/transfers/beneficiaries/penny-drop-store";
import { orderIdAt } from "@corprail/server/platform/core/ids";
import type { Span } from "@corprail/server/platform/core/india-time";
import type { Sql, Transaction } from "@corprail/server/platform/db/connection";
import { isLocked } from "@corprail/server/platform/db/database-errors";
import { FROZEN_TRIGGER, listFrozen } from "@corprail/server/platform/db/partitions/frozen-months";
import type { Partition } from "@corprail/server/platform/db/partitions/partitioned-tables";
import { boundLocks, listPartitions } from "@corprail/server/platform/db/partitions/read-partitions";
import { prepareRole } from "@corprail/server/platform/db/schema/privileges";
import { BUCKETS, type Closing } from "./closings.ts";
import { notRolledUp } from "./rolled-up.ts";
import { unfinishedOf } from "./unfinished.ts";

/** A month that leaves the database, with the partitions that hold it. */
export type LeavingMonth = {
  readonly month: string;
  readonly span: Span;
  readonly partitions: readonly Partition[];
  /** Tells this run's freeze of the month from that of every other run. */
  readonly token: string;
};

const TRIES = 100;
const PAUSE_MILLISECONDS = 200;
const DETACH_MILLISECONDS = 240;
const IN_USE = "The tables of the month stay in use, for example by a backup. Run the command again when it has ended.";
// As the statements and searches assume: clocks of processes differ by less.
const CLOCK_MARGIN_MILLISECONDS = 60 * 60 * 1000;

/** Months before a time that are in the database and were not archived, the oldest first. */
export async function monthsBefore(sql: Sql, milliseconds: number): Promise<readonly LeavingMonth[]> {
  const archived = await archivedNames(sql);
  const history = (await historyOf(sql)).filter((one) => one.span.toMilliseconds <= milliseconds && !archived.has(monthOf(one)));
  const months = [...new Set(history.map(monthOf))].sort();
  return months.flatMap((month) => {
    const partitions = history.filter((one) => monthOf(one) === month);
    const [first] = partitions;
    return first ? [{ month, span: first.span, partitions, token: randomUUID() }] : [];
  });
}

/**
 * Archived months that have partitions again. A restore makes them first and deletes the month's record last, so it was
 * interrupted. Later months may leave meanwhile: they start from the month's closings, whatever rows of it are there.
 */
export async function halfRestoredMonths(sql: Sql): Promise<readonly string[]> {
  const archived = await archivedNames(sql);
  return [...new Set((await historyOf(sql)).map(monthOf))].filter((month) => archived.has(month)).sort();
}

async function archivedNames(sql: Sql): Promise<ReadonlySet<string>> {
  return new Set((await listArchivedMonths(sql)).map(({ month }) => month));
}

async function historyOf(sql: Sql): Promise<readonly Partition[]> {
  return [...(await listPartitions(sql)).values()].filter(({ of }) => of.kept === "history");
}

function monthOf({ of, name }: Partition): string {
  return name.slice(of.table.length + 1).replace("_", "-");
}

/** Refuses every change of the month's rows from now on, so that they stay what the archive says. */
export async function freezeMonth(sql: Sql, { partitions, token }: LeavingMonth): Promise<void> {
  await whenFree(sql, async (tx) => {
    for (const { name } of partitions)
      await tx.unsafe(`create or replace trigger ${FROZEN_TRIGGER} before insert or update or delete on ${name}
        for each row execute function refuse_change_of_archived_month('${token}')`);
  });
}

/** Allows changes again, also in months that an interrupted run has frozen. The caller holds the archive's lock. */
export async function unfreezeAll(sql: Sql): Promise<readonly string[]> {
  return await unfreeze(sql, await listFrozen(sql));
}

/** Allows changes of the month again, unless another run has frozen it since. */
export async function unfreezeMonth(sql: Sql, { token }: LeavingMonth): Promise<void> {
  await unfreeze(sql, await listFrozen(sql, token));
}

async function unfreeze(sql: Sql, frozen: readonly string[]): Promise<readonly string[]> {
  if (frozen.length === 0) return [];
  await whenFree(sql, async (tx) => {
    // Dropping it would wait for a backup that reads the table.
    for (const name of frozen) await tx.unsafe(`alter table ${name} disable trigger ${FROZEN_TRIGGER}`);
  });
  return frozen;
}

/** Undoes the transaction that detaches a month. */
class StillNeeded extends Error {
  readonly reasons: readonly string[];
  constructor(reasons: readonly string[]) {
    super("The month is still needed.");
    this.reasons = reasons;
  }
}

/** Detaches the month and records its closings, in one transaction. Returns what keeps it; then nothing has happened. */
export async function detachMonth(
  sql: Sql,
  one: LeavingMonth,
  manifestSha256: string,
  closings: readonly Closing[],
): Promise<readonly string[]> {
  const role = await prepareRole(sql);
  try {
    await whenFree(sql, async (tx) => {
      await withRights(tx, role, async () => {
        await recordMonth(tx, one, manifestSha256);
        await recordClosings(tx, one.month, closings);
      });
      const [firstId, endId] = [orderIdAt(one.span.fromMilliseconds), orderIdAt(one.span.toMilliseconds)];
      await keepOrdersOfComplaints(tx, firstId, endId);
      await keepVerifiedNames(tx, firstId, endId);
      const uncounted = await notRolledUp(tx, one.span);
      // The locks that are there already hold up writes while the next one is waited for, so each may take a part of the time only.
      await tx.unsafe(`set local lock_timeout = '${Math.ceil(DETACH_MILLISECONDS / one.partitions.length)}ms'`);
      // Whoever reads an order of the month in a transaction has finished when the lock is there.
      for (const { of, name } of one.partitions) await tx.unsafe(`alter table ${of.table} detach partition ${name}`);
      const unfinished = [...(await unfinishedOf(tx, one.span)), ...(await unsummedOf(tx, one.month)), ...uncounted];
      const reasons = [...(await changedSince(tx, one)), ...unfinished];
      if (reasons.length > 0) throw new StillNeeded(reasons);
    });
    return [];
  } catch (error) {
    if (error instanceof StillNeeded) return error.reasons;
    throw error;
  }
}

/** A run whose connection with the archive's lock was cut does not notice that another run allows its month to change. */
async function changedSince(tx: Transaction, { partitions, token }: LeavingMonth): Promise<readonly string[]> {
  const frozen = new Set(await listFrozen(tx, token));
  return partitions.every(({ name }) => frozen.has(name)) ? [] : ["another run has allowed changes of it: run the command again"];
}

/** Statements of the month are answered from its sums when its transfers have left. */
async function unsummedOf(tx: Transaction, month: string): Promise<readonly string[]> {
  const [row] = await tx<{ accounts: number }[]>`
    select count(*)::int as accounts from ledger_closings c left join ledger_month_sum_positions p on p.account_id = c.account_id
    join wallets w on w.account_id = c.account_id and w.moved_to is null
    where c.month = ${month} and c.seq > coalesce(p.seq, 0)`;
  return row && row.accounts > 0 ? [`the sums of ${row.accounts} accounts are not complete`] : [];
}

async function recordMonth(tx: Transaction, { month, span }: LeavingMonth, manifestSha256: string): Promise<void> {
  const { fromMilliseconds, toMilliseconds } = span;
  await tx`
    insert into archived_months (month, first_order_id, end_order_id, checked_from, manifest_sha256, detached_at)
    values (${month}, ${orderIdAt(fromMilliseconds)}, ${orderIdAt(toMilliseconds)}, ${orderIdAt(toMilliseconds + CLOCK_MARGIN_MILLISECONDS)},
      ${manifestSha256}, now())`;
}

async function recordClosings(tx: Transaction, month: string, closings: readonly Closing[]): Promise<void> {
  const numbers = (pick: (one: Closing) => bigint) => `{${closings.map(pick).join(",")}}`;
  const buckets = BUCKETS.map((bucket) => numbers((one) => one[`closing_${bucket}`]));
  await tx.unsafe(
    `insert into ledger_closings (account_id, month, seq, ${BUCKETS.join(", ")})
    select account_id, $1, seq, ${BUCKETS.join(", ")}
    from unnest($2::text[], $3::bigint[], ${BUCKETS.map((_, place) => `$${place + 4}::bigint[]`).join(", ")}) as c (account_id, seq, ${BUCKETS.join(", ")})`,
    [month, closings.map((one) => one.account_id), numbers((one) => one.closing_seq), ...buckets],
  );
}

/** Drops the detached tables of months that have left. A run that was interrupted is finished by the next one. */
export async function dropDetached(sql: Sql): Promise<readonly string[]> {
  const rows = await sql<{ month: string }[]>`select month from archived_months where dropped_at is null order by month`;
  const role = await prepareRole(sql);
  for (const { month } of rows) {
    await sql.begin(async (tx) => {
      for (const table of await detachedTables(tx, month)) await tx.unsafe(`drop table ${table}`);
      await withRights(tx, role, async () => {
        await tx`update archived_months set dropped_at = now() where month = ${month}`;
      });
    });
  }
  return rows.map(({ month }) => month);
}

/** Tables with the name of a partition of the month that are no partition. */
async function detachedTables(tx: Transaction, month: string): Promise<readonly string[]> {
  const rows = await tx<{ name: string }[]>`
    select c.relname::text as name from pg_class c join pg_class p on c.relname = p.relname || '_' || ${month.replace("-", "_")}
    where p.relkind = 'p' and c.relkind = 'r' and not c.relispartition and c.relnamespace = 'public'::regnamespace`;
  return rows.map(({ name }) => name);
}

/** Where the URL's user is the application's role too, it has lost these rights (privileges.sql). */
export async function withRights(tx: Transaction, role: string | null, work: () => Promise<void>): Promise<void> {
  await tx`grant insert, update, delete on archived_months, ledger_closings to current_user`;
  await work();
  if (role === null) await tx`revoke insert, update, delete on archived_months, ledger_closings from current_user`;
}

/** Runs a transaction that needs exclusive locks. It waits only a moment for each, because writes queue behind it. */
async function whenFree(sql: Sql, work: (tx: Transaction) => Promise<void>): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      return await sql.begin(async (tx) => {
        await boundLocks(tx);
        await work(tx);
      });
    } catch (error) {
      if (!isLocked(error)) throw error;
      if (tried >= TRIES) throw new Error(IN_USE, { cause: error });
      await wait(PAUSE_MILLISECONDS);
    }
  }
}
