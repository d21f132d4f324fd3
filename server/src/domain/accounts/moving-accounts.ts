import type { Fragment } from "postgres";
import type { Queryable } from "../../platform/db/connection.ts";

/** An account whose rows two cells may have at this moment, and the cell that serves it. */
export type MovingAccount = { readonly accountId: string; readonly cell: number };

/** The accounts that are being moved to another cell, as home has recorded it. */
export async function readMovingAccounts(home: Queryable): Promise<readonly MovingAccount[]> {
  return await home<MovingAccount[]>`
    select unnest(account_ids) as "accountId", (case phase when 'switched' then to_cell else from_cell end)::int as cell
    from account_moves where phase not in ('done', 'cancelled') order by 1`;
}

/** Whether the account of a row is counted in this database: one that is being moved only in the cell that serves it. */
export function isCountedHere(sql: Queryable, column: string, moving: readonly MovingAccount[]): Fragment {
  if (moving.length === 0) return sql`true`;
  return sql`not exists (
    select from unnest(${moving.map((one) => one.accountId)}::text[], ${moving.map((one) => one.cell)}::int[]) as m (account_id, cell)
    where m.account_id = ${sql.unsafe(column)} and m.cell <> (select cell from installation))`;
}
