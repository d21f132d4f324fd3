import { rollUpStep } from "@corprail/server/domain/reporting/analytics/roll-up";
import { orderIdAt } from "@corprail/server/platform/core/ids";
import type { Span } from "@corprail/server/platform/core/india-time";
import type { Queryable, Sql } from "@corprail/server/platform/db/connection";

/** Rolls up all orders that are old enough. Where a service is doing it at this moment, that one goes on. */
export async function rollUpAll(sql: Sql, now: number): Promise<void> {
  while ((await rollUpStep(sql, now)).isMore);
}

/**
 * Analytics of the month are answered from its roll-ups when its orders have left, so all of them must be counted. The position
 * is held until the transaction ends: a rebuild, which begins by moving it back, comes wholly before or wholly after.
 */
export async function notRolledUp(sql: Queryable, { toMilliseconds }: Span): Promise<readonly string[]> {
  const end = orderIdAt(toMilliseconds);
  const [row] = await sql<{ next_order_id: string }[]>`select next_order_id from order_rollup_position for share`;
  const [left] = await sql<{ orders: boolean; changes: boolean }[]>`
    select exists (select from orders where order_id >= ${row?.next_order_id ?? ""} and order_id < ${end}) as orders,
      exists (select from order_rollup_changes where order_id < ${end}) as changes`;
  return left?.orders || left?.changes ? ["its orders are not all counted in the analytics roll-ups"] : [];
}
