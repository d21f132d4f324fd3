import { indiaDate, indiaMidnight } from "../../../platform/core/india-time.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import type { AccountMode } from "../../accounts/account-mode.ts";
import { isBusy, readLiveFrom, thisMinute } from "./count-minutes.ts";
import { countedOrders, MINUTE, PASSED_ON } from "./count-orders.ts";
import { medianOf } from "./spans.ts";

/** The results of orders in a period. */
export type Counts = {
  readonly success: number;
  readonly failed: number;
  readonly pending: number;
  /** Attempts after which another provider was tried. */
  readonly passedOn: number;
  readonly medianMilliseconds: number | null;
};

export type Minute = { readonly at: number; readonly success: number; readonly failed: number; readonly pending: number };
export type RecentResults = { readonly name: string; readonly quarter: Counts; readonly hour: Counts };

export type Traffic = {
  /** The last hour, oldest first; the last minute is not complete. */
  readonly minutes: readonly Minute[];
  readonly providers: readonly RecentResults[];
  readonly operators: readonly RecentResults[];
  /** False while some of the hour's minutes have not been counted yet. */
  readonly isComplete: boolean;
  /** The first minute that was counted on demand. */
  readonly liveFrom: number;
  /** What providers have carried out since then today in India. */
  readonly live: readonly ProviderSum[];
  /** What everything above is computed from. */
  readonly rows: readonly Row[];
};

export type ProviderSum = { readonly provider: string; readonly orders: number; readonly owed: bigint };

const HOUR_MINUTES = 60;
const QUARTER_MINUTES = 15;
const MAX_NAMED = 50;
const SUCCESS = 1;

type Row = {
  readonly minute: Date | null;
  readonly provider: string | null;
  readonly operator: string | null;
  readonly recent: boolean | null;
  /** Null when it does not matter. */
  readonly live: boolean | null;
  readonly state: number;
  readonly span: number | null;
  readonly orders: number;
  readonly owed: bigint;
};

/**
 * Reads the last hour: complete minutes as counted, the newest on demand. Continuous viewers skip the newest minutes in a busy
 * installation, where they cost most and matter least.
 */
export async function readTraffic(
  sql: Sql,
  now: number,
  { mode = "live", newestOf = "always" }: { readonly mode?: AccountMode; readonly newestOf?: "always" | "when calm" } = {},
): Promise<Traffic> {
  const sandbox = mode === "test";
  const [live, last] = [await readLiveFrom(sql, now), thisMinute(now)];
  const from = last - (HOUR_MINUTES - 1) * MINUTE;
  const midnight = indiaMidnight(indiaDate(now)) ?? from;
  const isLeftOut = newestOf === "when calm" && (await isBusy(sql, live));
  const newest = Array.from({ length: isLeftOut ? 0 : (last - live) / MINUTE + 1 }, (_, place) => live + place * MINUTE);
  const [rows, [counted]] = await Promise.all([
    sql<Row[]>`
      select minute, provider, operator, recent, live, state, span, sum(orders)::int as orders, sum(owed)::bigint as owed from (
        select minute, provider, operator, state, span, orders, owed, live, minute >= ${new Date(last - (QUARTER_MINUTES - 1) * MINUTE)} as recent
        from (
          select minute, provider, operator, state, latency_bucket as span, orders, owed, false as live
          from order_counts where minute >= ${new Date(from)} and minute < ${new Date(live)} and sandbox = ${sandbox}
          union all
          select minute, provider, operator, state, span, orders, owed, minute >= ${new Date(midnight)} as live from (${countedOrders(sql, newest)}) l
          where sandbox = ${sandbox}) both_kinds) r
      group by grouping sets ((minute, state), (provider, recent, live, state, span), (operator, recent, state, span))`,
    sql<{ minutes: number }[]>`
      select count(*)::int as minutes from counted_order_minutes where minute >= ${new Date(from)} and minute < ${new Date(live)}`,
  ]);
  return trafficOf(rows, from, live, (counted?.minutes ?? 0) >= (live - from) / MINUTE);
}

/** The traffic of several cells together. The cells count their minutes independently. */
export function mergeTraffic(first: Traffic, others: readonly Traffic[]): Traffic {
  if (others.length === 0) return first;
  const all = [first, ...others];
  const rows = all.flatMap((one) => one.rows);
  const liveFrom = Math.min(...all.map((one) => one.liveFrom));
  const from = first.minutes[0]?.at ?? liveFrom;
  const isComplete = all.every((one) => one.isComplete);
  return trafficOf(rows, from, liveFrom, isComplete);
}

function trafficOf(rows: readonly Row[], from: number, liveFrom: number, isComplete: boolean): Traffic {
  return {
    minutes: minutesOf(rows, from),
    providers: recentResults(rows, "provider"),
    operators: recentResults(rows, "operator"),
    isComplete,
    liveFrom,
    rows,
    live: rows.flatMap(({ provider, live: isLive, state, orders, owed }) =>
      provider !== null && isLive ? [{ provider, orders: state === SUCCESS ? orders : 0, owed }] : [],
    ),
  };
}

const NAMES = ["pending", "success", "failed"] as const;

function minutesOf(rows: readonly Row[], from: number): readonly Minute[] {
  const minutes = Array.from({ length: HOUR_MINUTES }, (_, place) => ({ at: from + place * MINUTE, success: 0, failed: 0, pending: 0 }));
  for (const { minute, state, orders } of rows) {
    const [name, at] = [NAMES[state], minute && minutes[(minute.getTime() - from) / MINUTE]];
    if (name && at) at[name] += orders;
  }
  return minutes;
}

type Sums = { success: number; failed: number; pending: number; passedOn: number; readonly spans: Map<number, number> };

function recentResults(rows: readonly Row[], by: "provider" | "operator"): readonly RecentResults[] {
  const found = new Map<string, { readonly quarter: Sums; readonly hour: Sums }>();
  for (const row of rows) {
    const name = row[by];
    if (name === null) continue;
    const sums = found.get(name) ?? { quarter: nothing(), hour: nothing() };
    found.set(name, sums);
    add(sums.hour, row);
    if (row.recent) add(sums.quarter, row);
  }
  const all = [...found].map(([name, { quarter, hour }]) => ({ name, quarter: countsOf(quarter), hour: countsOf(hour) }));
  return all.sort((one, other) => ordersOf(other.hour) - ordersOf(one.hour) || one.name.localeCompare(other.name)).slice(0, MAX_NAMED);
}

function nothing(): Sums {
  return { success: 0, failed: 0, pending: 0, passedOn: 0, spans: new Map() };
}

function add(sums: Sums, { state, span, orders }: Row): void {
  const name = state === PASSED_ON ? "passedOn" : NAMES[state];
  if (!name) return;
  sums[name] += orders;
  if (span !== null && span >= 0) sums.spans.set(span, (sums.spans.get(span) ?? 0) + orders);
}

function countsOf({ spans, ...counts }: Sums): Counts {
  return { ...counts, medianMilliseconds: medianOf(spans) };
}

function ordersOf(counts: Counts): number {
  return counts.success + counts.failed + counts.pending + counts.passedOn;
}
