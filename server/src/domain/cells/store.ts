import type { Queryable, Sql } from "../../platform/db/connection.ts";
import { cellName } from "./cell.ts";

/** The cells beside home that this installation has. */
export async function readCellNumbers(home: Queryable): Promise<readonly number[]> {
  const rows = await home<{ cell: number }[]>`select cell::int as cell from cells order by cell`;
  return rows.map(({ cell }) => cell);
}

export async function registerCell(home: Queryable, cell: number, at: Date): Promise<void> {
  await home`insert into cells (cell, added_at) values (${cell}, ${at}) on conflict do nothing`;
}

export type AccountPlace = {
  readonly cell: number;
  /** The account is being moved. */
  readonly held: boolean;
};

/** Where the accounts are that are not simply at home. */
export async function readAccountCells(home: Queryable, accountIds: readonly string[] | "all"): Promise<ReadonlyMap<string, AccountPlace>> {
  const rows = await home<{ account_id: string; cell: number; held: boolean }[]>`
    select account_id, cell::int as cell, held from account_cells
    ${accountIds === "all" ? home`` : home`where account_id = any(${accountIds as string[]})`}`;
  return new Map(rows.map(({ account_id, cell, held }) => [account_id, { cell, held }]));
}

/** Records which cell a new account will be in, before the account is made there. */
export async function assignCell(home: Queryable, accountId: string, cell: number, at: Date): Promise<void> {
  await home`insert into account_cells (account_id, cell, since) values (${accountId}, ${cell}, ${at})`;
}

type Identity = { readonly installation_id: string; readonly cell: number };

/**
 * Makes a database a cell of this installation. Throws if it belongs to another installation or is another cell, because
 * two exchanged addresses would otherwise give accounts a second, empty wallet.
 */
export async function claimCell(home: Sql, database: Sql, cell: number): Promise<void> {
  const [own] = await home<(Identity & { created_at: Date; master_key_file: string; master_key_id: string })[]>`
    select installation_id, cell::int as cell, created_at, master_key_file, master_key_id from installation`;
  if (!own) throw new Error("The home cell has no installation yet. Start the service without CORPRAIL_CELLS once.");
  await database`
    insert into installation (installation_id, created_at, master_key_file, master_key_id, cell)
    values (${own.installation_id}, ${own.created_at}, ${own.master_key_file}, ${own.master_key_id}, ${cell}) on conflict do nothing`;
  const [found] = await database<Identity[]>`select installation_id, cell::int as cell from installation`;
  if (found?.installation_id !== own.installation_id)
    throw new Error(`The database of ${cellName(cell)} belongs to another installation. Give CORPRAIL_CELLS an empty database.`);
  if (found.cell !== cell) throw new Error(`The database that CORPRAIL_CELLS names as ${cellName(cell)} is ${cellName(found.cell)}.`);
}
