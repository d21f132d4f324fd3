import { z } from "zod";
import { readAccount } from "../../../domain/accounts/read-account.ts";
import { readWallet } from "../../../domain/ledger/store.ts";
import { stateNumber } from "../../../domain/orders/order.ts";
import { countPending } from "../../../domain/orders/queries/count-pending.ts";
import { LATENCY_BOUNDS_MILLISECONDS } from "../../../domain/reporting/analytics/latency.ts";
import { type HourSum, readRecentHours } from "../../../domain/reporting/analytics/read-recent.ts";
import { REVERSED } from "../../../domain/reporting/analytics/roll-up-sql.ts";
import { indiaDate, indiaDateTime, indiaMidnight } from "../../../platform/core/india-time.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import { EVERYBODY } from "../access.ts";
import { action, type PortalAction } from "../action.ts";
import { readAlert } from "../wallet/balance-alert.ts";
import { readChecklist } from "./go-live.ts";
import { type bucketOutput, homeChartsOutput, homeOutput, type hourOutput, menuCountsOutput, type todayOutput } from "./outputs.ts";

const HOUR_MILLISECONDS = 60 * 60 * 1000;
const OLD_MILLISECONDS = 10 * 60 * 1000;
const MOST_COUNTED = 1_000;

const showHome = action({
  path: "GET /home",
  summary: "Shows today's summary of the account.",
  roles: EVERYBODY,
  input: z.object({}),
  output: homeOutput,
  handler: async ({ deps, session: { accountId } }) => {
    const now = deps.clock.now();
    const [wallet, alert, sums, [old, failing], checklist, detail] = await Promise.all([
      readWallet(deps.sql, accountId),
      readAlert(deps.sql, accountId),
      readRecentHours(deps.sql, accountId, indiaMidnight(indiaDate(now)) ?? 0),
      countOpen(deps.sql, accountId, now),
      readChecklist(deps.sql, accountId),
      readAccount(deps, accountId),
    ]);
    return {
      balance: formatMoney(wallet.available),
      held: formatMoney(wallet.held),
      low_balance: alert && { threshold: formatMoney(alert.threshold), below: wallet.available < alert.threshold },
      today: todayFields(sums),
      pending_old: { count: old },
      callbacks_failing: { count: failing },
      waiting_for: [
        ...(detail?.account.kyc === "pending" ? (["kyc"] as const) : []),
        ...(detail?.account.agreement === "pending" ? (["agreement"] as const) : []),
      ],
      checklist,
      is_new: checklist.some((step) => !step.done),
    };
  },
});

const showCounts = action({
  path: "GET /menu-counts",
  summary: "Counts what the account's members should look at, for the menu.",
  roles: EVERYBODY,
  input: z.object({}),
  output: menuCountsOutput,
  handler: async ({ deps, session: { accountId } }) => {
    const [transactions, callbacks] = await countOpen(deps.sql, accountId, deps.clock.now());
    return { transactions, callbacks };
  },
});

function todayFields(sums: readonly HourSum[]): z.output<typeof todayOutput> {
  const { success, failed, pending } = countsOf(sums);
  const value = sums.filter((sum) => sum.state === stateNumber("SUCCESS")).reduce((total, sum) => total + sum.amount, 0n);
  return {
    value: formatMoney(value),
    count: success + failed + pending,
    ...{ success, failed, pending },
    success_rate: success + failed === 0 ? null : Math.round((success / (success + failed)) * 10_000) / 10_000,
  };
}

function countsOf(sums: readonly HourSum[]): { readonly success: number; readonly failed: number; readonly pending: number } {
  const count = (state: number) => sums.reduce((total, sum) => total + (sum.state === state ? sum.orders : 0), 0);
  return {
    success: count(stateNumber("SUCCESS")),
    failed: count(stateNumber("FAILED")) + count(REVERSED),
    pending: count(stateNumber("pending")),
  };
}

/** The numbers of old pending orders and of failing callbacks, up to a limit. */
function countOpen(sql: Sql, accountId: string, now: number): Promise<readonly [number, number]> {
  return Promise.all([countPending(sql, accountId, now - OLD_MILLISECONDS, MOST_COUNTED), countFailing(sql, accountId)]);
}

/** The number of attempted but undelivered callbacks, up to a limit. */
async function countFailing(sql: Sql, accountId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (
      select 1 from callbacks where account_id = ${accountId} and state = 'waiting' and attempts > 0 limit ${MOST_COUNTED}) bounded`;
  return row?.count ?? 0;
}

const HOURS = /^(?:[1-9]|[1-6][0-9]|7[0-2])$/;

const showCharts = action({
  path: "GET /home/charts",
  summary: "Counts the transactions of the last hours, and how long they took to be final.",
  roles: EVERYBODY,
  input: z.object({ hours: z.string().regex(HOURS, "Must be a whole number from 1 to 72.").default("24").transform(Number) }),
  output: homeChartsOutput,
  handler: async ({ deps, session: { accountId }, input: { hours } }) => {
    const now = deps.clock.now();
    const thisHour = hourOf(now);
    const first = thisHour - (hours - 1) * HOUR_MILLISECONDS;
    const sums = await readRecentHours(deps.sql, accountId, first);
    const perHour = Array.from({ length: hours }, (_, place) => hourFields(sums, first + place * HOUR_MILLISECONDS));
    return { per_hour: perHour, time_to_final: bucketFields(sums) };
  },
});

// Hours in India start at half past the hour in UTC.
function hourOf(now: number): number {
  const half = HOUR_MILLISECONDS / 2;
  return Math.floor((now - half) / HOUR_MILLISECONDS) * HOUR_MILLISECONDS + half;
}

function hourFields(sums: readonly HourSum[], hour: number): z.output<typeof hourOutput> {
  return { at: indiaDateTime(hour), ...countsOf(sums.filter((sum) => sum.hour === hour)) };
}

const SHOWN_SECONDS = [1, 5, 30, 120, 600];

/** Sums the finer buckets of the roll-ups, whose bounds include these. */
function bucketFields(sums: readonly HourSum[]): readonly z.output<typeof bucketOutput>[] {
  const bounds = [...LATENCY_BOUNDS_MILLISECONDS, Number.POSITIVE_INFINITY];
  return [...SHOWN_SECONDS, Number.POSITIVE_INFINITY].map((seconds, place) => {
    const after = (SHOWN_SECONDS[place - 1] ?? 0) * 1000;
    const places = [...bounds.keys()].filter((one) => (bounds[one] ?? 0) > after && (bounds[one] ?? 0) <= seconds * 1000);
    const own = new Set(places);
    const count = sums.reduce((total, sum) => total + sum.latency.reduce((orders, many, one) => orders + (own.has(one) ? many : 0), 0), 0);
    return { bucket: seconds === Number.POSITIVE_INFINITY ? "longer" : `within ${words(seconds)}`, count };
  });
}

function words(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${seconds / 60} min`;
}

export const homeActions: readonly PortalAction[] = [showHome, showCounts, showCharts];
