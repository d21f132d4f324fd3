import type { Sql } from "../../db/connection.ts";
import { orderIdAt } from "../../kernel/ids.ts";
import { isReal, MINUTE } from "../traffic/count-orders.ts";

export type Pending = {
  readonly underOneMinute: number;
  readonly underTenMinutes: number;
  readonly underOneHour: number;
  readonly overOneHour: number;
  /** Of all of them, those of which the provider has said nothing. */
  readonly inDoubt: number;
  /** Orders that were asked about for a day: somebody has to look. */
  readonly humanTasks: number;
};

export type Now = { readonly ordersPerSecond: number; readonly pending: Pending };

const RATE_SECONDS = 10;
/** No more than so many are counted. */
export const MOST_PENDING = 100_000;

/** How fast orders come in, and what is pending: the newest by their ids, older ones by who watches them. */
export async function readNow(sql: Sql, now: number): Promise<Now> {
  const since = (minutes: number) => orderIdAt(now - minutes * MINUTE);
  const [[young], [watched], [tasks]] = await Promise.all([
    sql<{ orders: number; pending: number }[]>`
      select count(*) filter (where order_id >= ${orderIdAt(now - RATE_SECONDS * 1000)})::int as orders,
        count(*) filter (where state = 0)::int as pending
      from orders o where order_id >= ${since(1)} and ${isReal(sql, "o.account_id")}`,
    sql<{ ten: number; hour: number; older: number; doubtful: number }[]>`
      select count(*) filter (where order_id >= ${since(10)} and order_id < ${since(1)})::int as ten,
        count(*) filter (where order_id >= ${since(60)} and order_id < ${since(10)})::int as hour,
        count(*) filter (where order_id < ${since(60)})::int as older,
        count(*) filter (where why not like 'pending:%')::int as doubtful
      from (
        select order_id, why from order_watch w where why <> 'may be taken back' and ${isReal(sql, "w.account_id")} limit ${MOST_PENDING}) w`,
    sql<{ count: number }[]>`
      select count(*)::int as count from (
        select 1 from order_watch w where needs_human and ${isReal(sql, "w.account_id")} limit ${MOST_PENDING}) w`,
  ]);
  return {
    ordersPerSecond: (young?.orders ?? 0) / RATE_SECONDS,
    pending: {
      underOneMinute: young?.pending ?? 0,
      underTenMinutes: watched?.ten ?? 0,
      underOneHour: watched?.hour ?? 0,
      overOneHour: watched?.older ?? 0,
      inDoubt: watched?.doubtful ?? 0,
      humanTasks: tasks?.count ?? 0,
    },
  };
}
