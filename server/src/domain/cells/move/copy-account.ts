import { pipeline } from "node:stream/promises";
import type { Sql, Transaction } from "../../../platform/db/connection.ts";
import { withLostRights } from "../../../platform/db/schema/privileges.ts";
import type { Row } from "../../../platform/db/schema/row-types.ts";
import { appendAudit } from "../../audit/append.ts";
import { removeFromSums, takeOverRollUps } from "../../reporting/analytics/move-roll-ups.ts";
import { SIGNING_LOCK } from "../../signing/sign-due-days.ts";
import { copyProcesses } from "./copy-processes.ts";
import type { Move } from "./move-store.ts";
import { type MovedTable, readColumns, readMovedTables, rowsOf } from "./moved-tables.ts";
import { changeUnderLock, type MovesLock } from "./moves-lock.ts";

export type Copying = {
  readonly source: Sql;
  readonly target: Sql;
  readonly accountIds: readonly string[];
  readonly actor: string;
  readonly fromCell: number;
  readonly at: Date;
  readonly lock: MovesLock;
};

/**
 * Copies everything of the accounts in one transaction of the target. What an interrupted copy may have left there goes first.
 * The accounts must be fenced in the source, and are fenced in the target until openAccounts. Returns the number of rows.
 */
export async function copyAccounts(copying: Copying): Promise<number> {
  return await withoutSigning(copying.source, () => copyInSnapshot(copying));
}

async function copyInSnapshot(copying: Copying): Promise<number> {
  const { source, target, accountIds, lock } = copying;
  return await source.begin("isolation level repeatable read read only", async (from) => {
    await refuseUnfinishedDay(from, accountIds);
    const tables = await readMovedTables(from);
    const archived = await from<Row<"archived_months">[]>`select * from archived_months`;
    return await changeUnderLock(target, lock, async (to) => {
      await removeAccounts(to, tables, accountIds);
      const rows = await withLostRights(to, [...tables.map(({ table }) => table), "archived_months"], async () => {
        let copied = 0;
        for (const table of tables) copied += await copyTable(from, to, table, accountIds);
        // The accounts' history of these months is in the archive, also if this cell is younger and never had them.
        for (const month of archived) await to`insert into archived_months ${to(month)} on conflict do nothing`;
        return copied;
      });
      await takeOverRollUps(to, accountIds);
      await copySigningKeys(from, to, accountIds);
      await tellCell(to, copying);
      await copyProcesses(from, to);
      return rows;
    });
  });
}

/**
 * A signed day must be in the run of the cell that signed it, so no day is signed while accounts are copied. The lock is taken
 * before the snapshot: one that waited for it would not see what was signed meanwhile.
 */
async function withoutSigning<Result>(source: Sql, copy: () => Promise<Result>): Promise<Result> {
  const connection = await source.reserve();
  try {
    await connection.unsafe(`set lock_timeout = '60s'`);
    await connection`select pg_advisory_lock(${SIGNING_LOCK})`;
    try {
      return await copy();
    } finally {
      await connection`select pg_advisory_unlock(${SIGNING_LOCK})`;
    }
  } finally {
    await connection.unsafe("reset lock_timeout");
    connection.release();
  }
}

/** After a crash of the process that signed, a day may not be in a run yet. The next process completes it. */
async function refuseUnfinishedDay(from: Transaction, accountIds: readonly string[]): Promise<void> {
  const open = await from`
    select from signed_days where account_id = any(${accountIds as string[]})
      and cell = (select cell from installation) and day > (select coalesce(max(day), '-infinity') from signing_runs) limit 1`;
  if (open.length > 0) throw new Error("The last day of the ledger is not signed wholly. Run the command again in some minutes.");
}

/**
 * Deletes the accounts' rows, in an order in which no row loses what it refers to. Throws if the cell serves one of them: that
 * rests on this database alone, so it holds even if home's lock or its record of the move is wrong.
 */
export async function removeAccounts(tx: Transaction, tables: readonly MovedTable[], accountIds: readonly string[]): Promise<void> {
  const served = await tx`select from wallets where account_id = any(${accountIds as string[]}) and moved_to is null for update`;
  if (served.length > 0) throw new Error("This cell serves the account, so its data was not deleted there. Nothing more was done.");
  await removeFromSums(tx, accountIds);
  const names = tables.map(({ table }) => table);
  await withLostRights(tx, names, async () => {
    for (const table of tables.toReversed()) await tx.unsafe(`delete from ${table.table} where ${rowsOf(table, accountIds)}`);
  });
}

async function copyTable(from: Transaction, to: Transaction, table: MovedTable, accountIds: readonly string[]): Promise<number> {
  const columns = await readColumns(from, table.table);
  const condition = rowsOf(table, accountIds);
  const rows = await from.unsafe(`copy (select ${columns} from ${table.table} where ${condition}) to stdout`).readable();
  await pipeline(rows, await to.unsafe(`copy ${table.table} (${columns}) from stdin`).writable());
  const count = `select count(*)::int as count from ${table.table} where ${condition}`;
  const [[there], [here]] = [await from.unsafe<{ count: number }[]>(count), await to.unsafe<{ count: number }[]>(count)];
  if (there?.count !== here?.count)
    throw new Error(`${table.table} has ${there?.count} rows of the account, but ${here?.count} were copied.`);
  return here?.count ?? 0;
}

/** The keys that signed the accounts' days, so that their statements can still be verified. */
async function copySigningKeys(from: Transaction, to: Transaction, accountIds: readonly string[]): Promise<void> {
  const keys = await from<Row<"signing_keys">[]>`
    select * from signing_keys where key_id in (select key_id from signed_days where account_id = any(${accountIds as string[]}))`;
  for (const key of keys) await to`insert into signing_keys ${to(key)} on conflict do nothing`;
}

/** The entry has every process load the accounts from here. */
async function tellCell(to: Transaction, { accountIds, actor, fromCell, at }: Copying): Promise<void> {
  for (const id of accountIds)
    await appendAudit(to, at, { actor, action: "account.moved_in", subject: { kind: "account", id }, details: { from_cell: fromCell } });
}

/**
 * Opens the accounts in the new cell, and has pending orders that nobody works on polled. Only after the switch: an order that
 * this cell sent to another provider would be sent again by the old cell if the move were cancelled.
 */
export async function openAccounts(tx: Transaction, move: Pick<Move, "accountIds" | "pausedBefore">, at: Date): Promise<void> {
  const ids = move.accountIds as string[];
  const fenced = await tx`select from wallets where account_id = any(${ids}) and moved_to is not null for update`;
  // A run that was interrupted had opened them: their orders are in progress here.
  if (fenced.length === 0) return;
  await unfence(tx, move);
  await tx`
    insert into pending_polls (account_id, order_id, why, since, due_at)
    select account_id, order_id, 'unknown: the account was moved while the order was in progress', ${at}, ${at}
    from orders where account_id = any(${ids}) and state = 0 on conflict do nothing`;
}

/** Lets money move and callbacks be sent again. */
export async function unfence(tx: Transaction, { accountIds, pausedBefore }: Pick<Move, "accountIds" | "pausedBefore">): Promise<void> {
  const ids = accountIds as string[];
  await tx`update accounts set callbacks_paused = account_id = any(${pausedBefore as string[]}) where account_id = any(${ids})`;
  await tx`update wallets set moved_to = null where account_id = any(${ids})`;
}
