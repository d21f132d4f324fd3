import type { Sql } from "../db/connection.ts";
import type { Order } from "./order.ts";
import { columns, idsOf, type OrderRow, toOrder } from "./store.ts";

export type Stretch = { readonly accountId: string; readonly fromMilliseconds: number; readonly toMilliseconds: number };

/** Oldest first, beginning after an order. Every order of the stretch, whatever its state. */
export async function readOrdersAfter(sql: Sql, stretch: Stretch, after: string | null, limit: number): Promise<readonly Order[]> {
  const rows = await sql<OrderRow[]>`
    select ${columns(sql)} from orders o where ${within(sql, stretch)} and o.order_id > ${after ?? ""} order by o.order_id limit ${limit}`;
  return rows.map(toOrder);
}

export async function countOrders(sql: Sql, stretch: Stretch): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from orders o where ${within(sql, stretch)}`;
  return row?.count ?? 0;
}

function within(sql: Sql, { accountId, fromMilliseconds, toMilliseconds }: Stretch) {
  const [firstId, endId] = idsOf(fromMilliseconds, toMilliseconds);
  return sql`o.account_id = ${accountId} and o.order_id >= ${firstId} and o.order_id < ${endId}
    and o.created_at >= ${new Date(fromMilliseconds)} and o.created_at < ${new Date(toMilliseconds)}`;
}
