import { timeOfId } from "../../platform/core/ids.ts";
import { indiaMonth } from "../../platform/core/india-time.ts";
import type { Queryable } from "../../platform/db/connection.ts";
import type { Day } from "./find-orders.ts";

/** An order that has left the database with its month, and the sentence that says where it is. */
export type ArchivedOrder = { readonly orderId: string; readonly accountId: string; readonly why: string };

/** The orders among these that were made in an archived month. The database keeps their ids with their references. */
export async function findArchivedOrders(sql: Queryable, orderIds: readonly string[]): Promise<readonly ArchivedOrder[]> {
  const months = await sql<{ first: string; end: string }[]>`
    select first_order_id as first, end_order_id as end from archived_months`;
  const [first, ...others] = orderIds.filter((id) => months.some((month) => id >= month.first && id < month.end)).toSorted();
  if (first === undefined) return [];
  const rows = await sql<Omit<ArchivedOrder, "why">[]>`
    select account_id as "accountId", order_id as "orderId" from order_references
    where order_id between ${first} and ${others.at(-1) ?? first} and order_id = any(${[first, ...others]})`;
  return rows.map((row) => ({ ...row, why: archivedWords(row.orderId) }));
}

function archivedWords(orderId: string): string {
  return `The order is of ${indiaMonth(timeOfId(orderId))}, which is archived. Find it with: corprail archive find FOLDER --order ${orderId}`;
}

/** Why a provider's own reference may belong to an archived order: these days' orders and their references have left. Or null. */
export async function unsearchedWords(sql: Queryable, { firstId, endId }: Day): Promise<string | null> {
  const rows = await sql<{ month: string }[]>`
    select month from archived_months where first_order_id < ${endId} and end_order_id > ${firstId} order by month`;
  if (rows.length === 0) return null;
  const months = rows.map(({ month }) => month).join(" and ");
  const advice = "Look for it with: corprail archive find FOLDER --provider-reference REFERENCE";
  return `Orders of ${months} are archived, with the provider's references. ${advice}`;
}
