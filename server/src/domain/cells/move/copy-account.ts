import { pipeline } from "node:stream/promises";
import type { Sql, Transaction } from "../../../platform/db/connection.ts";
import { appendAudit } from "../../audit/append.ts";
import { removeFromSums, takeOverRollUps } from "../../reporting/analytics/move-roll-ups.ts";
import { type MovedTable, readColumns, readMovedTables, rowsOf } from "./moved-tables.ts";

export type Copying = {
  readonly source: Sql;
  readonly target: Sql;
  readonly accountIds: readonly string[];
  /** Accounts whose callbacks stay paused. */
  readonly pausedBefore: readonly string[];
  readonly actor: string;
  readonly fromCell: number;
  readonly at: Date;
};

/**
 * Copies everything of the accounts in one transaction of the target. What an interrupted copy may have left there goes first.
 * The accounts must be fenced in the source. Returns the number of rows.
 */
export async function copyAccounts(copying: Copying): Promise<number> {
  const { source, target, accountIds } = copying;
  return await source.begin("isolation level repeatable read read only", async (from) => {
    const tables = await readMovedTables(from);
    return await target.begin(async (to) => {
      await removeAccounts(to, tables, accountIds);
      let rows = 0;
      for (const table of tables) rows += await copyTable(from, to, table, accountIds);
      await takeOverRollUps(to, accountIds);
      await makeUsable(to, copying);
      return rows;
    });
  });
}

/** Deletes the accounts' rows, in an order in which no row loses what it refers to. */
export async function removeAccounts(tx: Transaction, tables: readonly MovedTable[], accountIds: readonly string[]): Promise<void> {
  await removeFromSums(tx, accountIds);
  for (const table of tables.toReversed()) await tx.unsafe(`delete from ${table.table} where ${rowsOf(table, accountIds)}`);
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

/** Opens the copied wallets, restores the callbacks' setting, and has pending orders that nobody works on polled. */
async function makeUsable(to: Transaction, { accountIds, pausedBefore, actor, fromCell, at }: Copying): Promise<void> {
  const ids = accountIds as string[];
  await to`update wallets set moved_to = null where account_id = any(${ids})`;
  await to`update accounts set callbacks_paused = account_id = any(${pausedBefore as string[]}) where account_id = any(${ids})`;
  await to`
    insert into pending_polls (account_id, order_id, why, since, due_at)
    select account_id, order_id, 'unknown: the account was moved while the order was in progress', ${at}, ${at}
    from orders where account_id = any(${ids}) and state = 0 on conflict do nothing`;
  // The entry has every process load the accounts from here.
  for (const accountId of accountIds)
    await appendAudit(to, at, {
      actor,
      action: "account.moved_in",
      subject: { kind: "account", id: accountId },
      details: { from_cell: fromCell },
    });
}
