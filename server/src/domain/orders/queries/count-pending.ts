import type { Sql } from "../../../platform/db/connection.ts";

/** Counts orders that have been pending since before a time, up to a limit. Each of them has a pending poll. */
export async function countPending(sql: Sql, accountId: string, createdBefore: number, most: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (
      select 1 from pending_polls w join orders o on o.account_id = w.account_id and o.order_id = w.order_id
      where w.account_id = ${accountId} and o.state = 0 and o.created_at < ${new Date(createdBefore)} limit ${most}) bounded`;
  return row?.count ?? 0;
}

/** When the account's first order was created; null when there is none. */
export async function readFirstOrderTime(sql: Sql, accountId: string): Promise<Date | null> {
  const [row] = await sql<{ created_at: Date }[]>`select created_at from orders where account_id = ${accountId} order by order_id limit 1`;
  return row?.created_at ?? null;
}
