import type { Fragment } from "postgres";
import type { Queryable } from "../../platform/db/connection.ts";

/**
 * The transfers of one order, as a table expression. Two indexes find them, one without refunds and one with them, and each
 * is used only if its predicate is repeated: otherwise all transfers of the account are read.
 * `accountId` and `orderId` are values or columns of an outer query.
 */
export function transfersOfOrder(sql: Queryable, accountId: string | Fragment, orderId: string | Fragment): Fragment {
  const ofOrder = sql`select * from transfers where account_id = ${accountId} and order_id = ${orderId}`;
  return sql`(${ofOrder} and kind <> 'refund' union all ${ofOrder} and kind = 'refund')`;
}
