import { moneyOf } from "../../platform/core/money.ts";
import type { Sql } from "../../platform/db/connection.ts";
import { type AccountMode, ofMode } from "../accounts/account-mode.ts";
import type { Order } from "../orders/order.ts";
import type { BrowseFilter } from "../orders/queries/browse-filter.ts";
import { browseOrders } from "../orders/queries/browse-orders.ts";
import { columns, type OrderRow, toOrder } from "../orders/store.ts";
import { type Candidate, MAX_ORDERS } from "./selection.ts";

export type Chosen = {
  readonly candidates: readonly Candidate[];
  /** More match than one selection can hold. */
  readonly hasMore: boolean;
};

/** Whether the order's provider can be queried. */
type IsRunning = (provider: string) => boolean;

const UNKNOWN = "There is no such order in this mode.";
const IN_PROGRESS = "The provider is working on the order at this moment.";

/** Orders by their ids. Ids that name no order are left out with that reason. */
export async function chooseOrdersById(
  sql: Sql,
  orderIds: readonly string[],
  mode: AccountMode | null,
  isRunning: IsRunning,
): Promise<Chosen> {
  const ids = [...new Set(orderIds)];
  const rows = await sql<OrderRow[]>`
    select ${columns(sql)} from orders o where o.order_id = any(${ids}::text[]) and ${ofMode(sql, "o.account_id", mode)} order by o.order_id`;
  const orders = rows.map(toOrder);
  const known = new Set(orders.map((order) => order.orderId));
  const missing = ids.filter((id) => !known.has(id)).map((itemId) => ({ accountId: "", itemId, amount: moneyOf(0n), skip: UNKNOWN }));
  return { candidates: [...(await toCandidates(sql, orders, isRunning)), ...missing], hasMore: false };
}

/** Pending orders that match a filter, the newest first. */
export async function chooseOrdersByFilter(
  sql: Sql,
  filter: Omit<BrowseFilter, "before" | "limit">,
  now: number,
  isRunning: IsRunning,
): Promise<Chosen> {
  const found: Order[] = [];
  // A page can be cut off to answer in time; a search for pending orders is short, but every page is read.
  for (let before: string | null = null; found.length <= MAX_ORDERS; ) {
    const page = await browseOrders(sql, { ...filter, status: "pending", before, limit: MAX_ORDERS + 1 - found.length }, now);
    found.push(...page.orders);
    before = page.next;
    if (before === null) break;
  }
  return { candidates: await toCandidates(sql, found.slice(0, MAX_ORDERS), isRunning), hasMore: found.length > MAX_ORDERS };
}

async function toCandidates(sql: Sql, orders: readonly Order[], isRunning: IsRunning): Promise<readonly Candidate[]> {
  const rows = await sql<{ order_id: string }[]>`
    select w.order_id from pending_polls w
    join unnest(${orders.map((one) => one.accountId)}::text[], ${orders.map((one) => one.orderId)}::text[]) as i (account_id, order_id)
      on w.account_id = i.account_id and w.order_id = i.order_id`;
  const polled = new Set(rows.map((row) => row.order_id));
  return orders.map((order) => {
    const { accountId, orderId: itemId, amount } = order;
    return { accountId, itemId, amount, skip: skipOf(order, polled.has(itemId), isRunning) };
  });
}

function skipOf(order: Order, isPolled: boolean, isRunning: IsRunning): string | null {
  if (order.state !== "pending") return `The order is ${order.state}.`;
  if (!isPolled) return IN_PROGRESS;
  return isRunning(order.provider) ? null : `The provider ${order.provider} cannot be queried because it is not running.`;
}
