import { orderIdAt } from "../../../platform/core/ids.ts";
import { indiaDate, indiaMidnight } from "../../../platform/core/india-time.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import { claimTurn } from "../claim-turn.ts";
import type { OverviewContext } from "../context.ts";
import { countedOrders, MINUTE } from "./count-orders.ts";

export const COUNT_MILLISECONDS = 5_000;
const SHOWN_MINUTES = 60;
// Upper bound of the delay between an order's id and the batch that writes it.
const LATE_MILLISECONDS = 10_000;
const MAX_LIVE_MINUTES = 2;
const BUDGET_MILLISECONDS = 200;
// Counts as many minutes at once as have about this many orders; empty minutes cost nothing.
const ORDERS_A_STEP = 10_000;
const [FIRST_AT_ONCE, MOST_AT_ONCE] = [5, 120];
const KEPT_MINUTES = 26 * 60;
const MANY_ORDERS = 10_000;

/** Minutes from here on are counted on demand, because their orders still arrive or nobody has counted them yet. */
export async function readLiveFrom(sql: Sql, now: number): Promise<number> {
  const [row] = await sql<
    { last: Date | null }[]
  >`select max(minute) as last from counted_order_minutes where minute < ${new Date(thisMinute(now))}`;
  const earliest = thisMinute(now) - MAX_LIVE_MINUTES * MINUTE;
  return Math.max(earliest, (row?.last?.getTime() ?? 0) + MINUTE);
}

/** Whether the last counted minute had so many orders that it suffices, or the later ones are too many to count on demand. */
export async function isBusy(sql: Sql, liveFrom: number): Promise<boolean> {
  const [row] = await sql<{ counted: number; newer: number }[]>`
    select (select coalesce(sum(orders), 0)::int from order_counts where minute = ${new Date(liveFrom - MINUTE)}) as counted,
      (select count(*)::int from (select from orders where order_id >= ${orderIdAt(liveFrom)} limit ${MANY_ORDERS + 1}) n) as newer`;
  return Math.max(row?.counted ?? 0, row?.newer ?? 0) > MANY_ORDERS;
}

/** The first minute that is kept up to date: an hour ago, or the start of the day in India. */
export function keptFrom(now: number): number {
  return Math.min(indiaMidnight(indiaDate(now)) ?? now, thisMinute(now) - SHOWN_MINUTES * MINUTE);
}

export function thisMinute(now: number): number {
  return Math.floor(now / MINUTE) * MINUTE;
}

/** Counts due minutes, newest first, within a time budget. Returns their number. One process does it at a time. */
export async function countMinutes({ sql, clock }: Pick<OverviewContext, "sql" | "clock">): Promise<number> {
  const now = clock.now();
  if (!(await claimTurn(sql, "count minutes", now, COUNT_MILLISECONDS * 0.8))) return 0;
  const ends = performance.now() + BUDGET_MILLISECONDS;
  let counted = 0;
  for (let atOnce = FIRST_AT_ONCE; performance.now() < ends; ) {
    const due = await dueMinutes(sql, now, atOnce);
    if (due.length === 0) break;
    const orders = await recount(sql, due, now);
    counted += due.length;
    atOnce = Math.min(MOST_AT_ONCE, Math.max(1, Math.floor((ORDERS_A_STEP * due.length) / Math.max(1, orders))));
  }
  await sweep(sql, new Date(now - KEPT_MINUTES * MINUTE));
  return counted;
}

/**
 * A minute with pending orders is counted again whenever its age has grown by a fifth. A minute with only final orders changes
 * only by reversals and is counted again when its age has quadrupled.
 */
async function dueMinutes(sql: Sql, now: number, most: number): Promise<readonly number[]> {
  const rows = await sql<{ minute: Date }[]>`
    select m.minute from generate_series(${new Date(keptFrom(now))}::timestamptz, ${new Date(thisMinute(now - LATE_MILLISECONDS) - MINUTE)}::timestamptz, interval '1 minute')
      as m (minute)
    left join counted_order_minutes c on c.minute = m.minute
    where c.minute is null
      or ${new Date(now)}::timestamptz - m.minute > (c.counted_at - m.minute) * (case when c.pending > 0 then 1.2 else 4 end)
    order by c.minute is null desc, m.minute desc limit ${most}`;
  return rows.map((row) => row.minute.getTime());
}

/** Returns the number of orders in these minutes. */
async function recount(sql: Sql, minutes: readonly number[], now: number): Promise<number> {
  const names = minutes.map((minute) => new Date(minute).toISOString());
  return await sql.begin(async (tx) => {
    // Locks these rows first, so that concurrent counts of the same minutes wait here.
    await tx`
      insert into counted_order_minutes (minute, counted_at, pending)
      select minute::timestamptz, ${new Date(now)}, 0 from unnest(${names}::text[]) as m (minute) order by 1
      on conflict (minute) do update set counted_at = excluded.counted_at`;
    await tx`delete from order_counts where minute = any(${names}::timestamptz[])`;
    const [row] = await tx<{ orders: number }[]>`
      with counted as (
        insert into order_counts (minute, sandbox, provider, operator, state, latency_bucket, orders, owed)
        select minute, sandbox, provider, operator, state, span, orders, owed from (${countedOrders(tx, minutes)}) c
        returning minute, state, orders
      ), noted as (
        update counted_order_minutes m set pending = coalesce(p.pending, 0)
        from unnest(${names}::text[]) as n (minute)
        left join (select minute, sum(orders)::int as pending from counted where state = 0 group by 1) p on p.minute = n.minute::timestamptz
        where m.minute = n.minute::timestamptz
      )
      select coalesce(sum(orders), 0)::int as orders from counted`;
    return row?.orders ?? 0;
  });
}

async function sweep(sql: Sql, before: Date): Promise<void> {
  await sql`delete from order_counts where minute < ${before}`;
  await sql`delete from counted_order_minutes where minute < ${before}`;
}
