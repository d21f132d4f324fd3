import type { Queryable } from "../../platform/db/connection.ts";
import { latestClosings } from "./closings.ts";

/** Some orders of one account. */
export type OrdersOfAccount = { readonly accountId: string; readonly orderIds: readonly string[] };
/** The accounts or orders to check. */
export type Scope = readonly string[] | OrdersOfAccount | "all";

export function inScope(sql: Queryable, scope: Scope, table: "w" | "t" | "o") {
  if (scope === "all") return sql`true`;
  const column = sql.unsafe(`${table}.account_id`);
  if (!("orderIds" in scope)) return sql`${column} = any(${scope as string[]})`;
  return sql`${column} = ${scope.accountId} and ${sql.unsafe(`${table}.order_id`)} = any(${scope.orderIds as string[]})`;
}

export function accountsIn(sql: Queryable, scope: Scope) {
  if (scope === "all") return sql`select distinct account_id from transfers union select distinct account_id from orders`;
  const accounts = "orderIds" in scope ? [scope.accountId] : scope;
  return sql`select unnest(${accounts as string[]}::text[]) as account_id`;
}

/** The transfers of orders. Those of some orders are found by two partial indexes, whose predicates are repeated here. */
export function orderTransfers(sql: Queryable, scope: Scope) {
  const wanted = sql`select * from transfers t where order_id is not null and ${inScope(sql, scope, "t")}`;
  if (scope === "all" || !("orderIds" in scope)) return sql`(${wanted}) t`;
  return sql`(${wanted} and kind <> 'refund' union all ${wanted} and kind = 'refund') t`;
}

/** Orders and holds of archived months, and of the hour after them: their transfers or orders may have left the database. */
export function isKept(sql: Queryable, table: "t" | "o") {
  return sql`${sql.unsafe(`${table}.order_id`)} >= (select coalesce(max(checked_from), '') from archived_months)`;
}

export function closingsOf(sql: Queryable, scope: Scope) {
  return latestClosings(sql, scope === "all" || !("orderIds" in scope) ? scope : [scope.accountId]);
}

/** The transfers that have not been archived, with the closing that they follow. */
export function keptTransfers(sql: Queryable, scope: Scope) {
  return sql`transfers t left join (${closingsOf(sql, scope)}) c using (account_id) where t.seq > coalesce(c.seq, 0) and ${inScope(sql, scope, "t")}`;
}

/** The commission that an order has earned, and the part that was taken back. */
export function commissions(sql: Queryable) {
  return sql`coalesce(sum(amount) filter (where kind = 'commission'), 0) as earned,
    coalesce(sum(amount) filter (where kind = 'commission_back'), 0) as lost`;
}
