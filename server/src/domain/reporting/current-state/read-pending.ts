import { orderIdAt } from "../../../platform/core/ids.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import { type AccountMode, ofMode } from "../../accounts/account-mode.ts";
import { MINUTE } from "../traffic/count-orders.ts";

/** Orders with a pending poll by age, counted up to a limit. */
export type PolledOrders = {
  readonly underTenMinutes: number;
  readonly underOneHour: number;
  readonly overOneHour: number;
  /** Of all of them, those without any answer from the provider. */
  readonly inDoubt: number;
  /** Orders polled for a day without a result; staff must settle them. */
  readonly humanTasks: number;
};

/** Orders of the last minute, whose providers may still be working on them. */
export type RecentOrders = { readonly perSecond: number; readonly pending: number };

const RATE_SECONDS = 10;
const MAX_COUNTED = 100_000;

export async function readRecentOrders(sql: Sql, now: number, mode: AccountMode): Promise<RecentOrders> {
  const [row] = await sql<{ orders: number; pending: number }[]>`
    select count(*) filter (where order_id >= ${orderIdAt(now - RATE_SECONDS * 1000)})::int as orders,
      count(*) filter (where state = 0)::int as pending
    from orders o where order_id >= ${orderIdAt(now - MINUTE)} and ${ofMode(sql, "o.account_id", mode)}`;
  return { perSecond: (row?.orders ?? 0) / RATE_SECONDS, pending: row?.pending ?? 0 };
}

export async function readPolledOrders(sql: Sql, now: number, mode: AccountMode): Promise<PolledOrders> {
  const since = (minutes: number) => orderIdAt(now - minutes * MINUTE);
  const [[polledOrders], [tasks]] = await Promise.all([
    sql<Omit<PolledOrders, "humanTasks">[]>`
      select count(*) filter (where order_id >= ${since(10)} and order_id < ${since(1)})::int as "underTenMinutes",
        count(*) filter (where order_id >= ${since(60)} and order_id < ${since(10)})::int as "underOneHour",
        count(*) filter (where order_id < ${since(60)})::int as "overOneHour",
        count(*) filter (where why not like 'pending:%')::int as "inDoubt"
      from (
        select order_id, why from pending_polls w where why <> 'may be taken back' and ${ofMode(sql, "w.account_id", mode)} limit ${MAX_COUNTED}) w`,
    sql<{ count: number }[]>`
      select count(*)::int as count from (
        select 1 from pending_polls w where needs_human and ${ofMode(sql, "w.account_id", mode)} limit ${MAX_COUNTED}) w`,
  ]);
  return { ...(polledOrders ?? { underTenMinutes: 0, underOneHour: 0, overOneHour: 0, inDoubt: 0 }), humanTasks: tasks?.count ?? 0 };
}

export function addPolledOrders(one: PolledOrders, other: PolledOrders): PolledOrders {
  return {
    underTenMinutes: one.underTenMinutes + other.underTenMinutes,
    underOneHour: one.underOneHour + other.underOneHour,
    overOneHour: one.overOneHour + other.overOneHour,
    inDoubt: one.inDoubt + other.inDoubt,
    humanTasks: one.humanTasks + other.humanTasks,
  };
}
