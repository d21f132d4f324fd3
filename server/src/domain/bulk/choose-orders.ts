import { moneyOf } from "../../platform/core/money.ts";
import type { Sql } from "../../platform/db/connection.ts";
import type { Row } from "../../platform/db/schema/row-types.ts";
import { type AccountMode, ofMode } from "../accounts/account-mode.ts";
import type { Order } from "../orders/order.ts";
import type { BrowseFilter } from "../orders/queries/browse-filter.ts";
import { browseOrders } from "../orders/queries/browse-orders.ts";
import type { Sendings } from "../orders/recovery/quiet-time.ts";
import { IN_PROGRESS, RECENTLY_SENT } from "../orders/recovery/sending-conflict.ts";
import { columns, type OrderRow, toOrder } from "../orders/store.ts";
import { type FoundItem, MAX_ORDERS } from "./selection.ts";

export type Chosen = {
  readonly candidates: readonly FoundItem[];
  /** More match than one selection can hold. */
  readonly hasMore: boolean;
};

/** What an action needs of an order. */
export type OrderChecks = {
  /** Whether the order's provider can be queried. */
  readonly isRunning: (provider: string) => boolean;
  /** Whether the provider may still be answering, so that the order must not be settled. */
  readonly isRecentlySent: (order: Order, poll: Sendings) => boolean;
};

const UNKNOWN = "There is no such order in this mode.";

/** Orders by their ids. Ids that name no order are left out with that reason. */
export async function chooseOrdersById(
  sql: Sql,
  orderIds: readonly string[],
  mode: AccountMode | null,
  checks: OrderChecks,
): Promise<Chosen> {
  const ids = [...new Set(orderIds)];
  const rows = await sql<OrderRow[]>`
    select ${columns(sql)} from orders o where o.order_id = any(${ids}::text[]) and ${ofMode(sql, "o.account_id", mode)} order by o.order_id`;
  const orders = rows.map(toOrder);
  const known = new Set(orders.map((order) => order.orderId));
  const missing = ids
    .filter((id) => !known.has(id))
    .map((itemId) => ({ accountId: "", itemId, amount: moneyOf(0n), attempt: null, skip: UNKNOWN }));
  return { candidates: [...(await toCandidates(sql, orders, checks)), ...missing], hasMore: false };
}

/** Pending orders that match a filter, the newest first. */
export async function chooseOrdersByFilter(
  sql: Sql,
  filter: Omit<BrowseFilter, "before" | "limit">,
  now: number,
  checks: OrderChecks,
): Promise<Chosen> {
  const found: Order[] = [];
  // A page can be cut off to answer in time; a search for pending orders is short, but every page is read.
  for (let before: string | null = null; found.length <= MAX_ORDERS; ) {
    const page = await browseOrders(sql, { ...filter, status: "pending", before, limit: MAX_ORDERS + 1 - found.length }, now);
    found.push(...page.orders);
    before = page.next;
    if (before === null) break;
  }
  return { candidates: await toCandidates(sql, found.slice(0, MAX_ORDERS), checks), hasMore: found.length > MAX_ORDERS };
}

async function toCandidates(sql: Sql, orders: readonly Order[], checks: OrderChecks): Promise<readonly FoundItem[]> {
  const rows = await sql<Pick<Row<"pending_polls">, "order_id" | "since" | "resent_at">[]>`
    select w.order_id, w.since, w.resent_at from pending_polls w
    join unnest(${orders.map((one) => one.accountId)}::text[], ${orders.map((one) => one.orderId)}::text[]) as i (account_id, order_id)
      on w.account_id = i.account_id and w.order_id = i.order_id`;
  const polls = new Map(rows.map((row) => [row.order_id, { since: row.since.getTime(), resentAt: row.resent_at?.getTime() ?? null }]));
  return orders.map((order) => {
    const { accountId, orderId: itemId, amount, attempt } = order;
    return { accountId, itemId, amount, attempt, skip: skipOf(order, polls.get(itemId), checks) };
  });
}

function skipOf(order: Order, poll: Sendings | undefined, { isRunning, isRecentlySent }: OrderChecks): string | null {
  if (order.state !== "pending") return `The order is ${order.state}.`;
  if (poll === undefined) return IN_PROGRESS;
  if (isRecentlySent(order, poll)) return RECENTLY_SENT;
  return isRunning(order.provider) ? null : `The provider ${order.provider} cannot be queried because it is not running.`;
}
