import { z } from "zod";
import { readWallet } from "../../../domain/ledger/store.ts";
import type { OrderState } from "../../../domain/orders/order.ts";
import { countPending, FINAL_WITHIN_SECONDS, type OrderSum, sumOrders } from "../../../domain/orders/queries/sum-orders.ts";
import { indiaDate, indiaDateTime, indiaMidnight } from "../../../platform/core/india-time.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import { EVERYBODY } from "../access.ts";
import { action, type PortalAction } from "../action.ts";
import { readAlert } from "../wallet/balance-alert.ts";
import { readChecklist } from "./go-live.ts";
import { type bucketOutput, homeChartsOutput, homeOutput, type hourOutput, type todayOutput } from "./outputs.ts";

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
    const [wallet, alert, sums, old, failing, checklist] = await Promise.all([
      readWallet(deps.sql, accountId),
      readAlert(deps.sql, accountId),
      sumOrders(deps.sql, accountId, indiaMidnight(indiaDate(now)) ?? 0, now + 1),
      countPending(deps.sql, accountId, now - OLD_MILLISECONDS, MOST_COUNTED),
      countFailing(deps.sql, accountId),
      readChecklist(deps.sql, accountId),
    ]);
    return {
      balance: formatMoney(wallet.available),
      held: formatMoney(wallet.held),
      low_balance: alert && { threshold: formatMoney(alert.threshold), below: wallet.available < alert.threshold },
      today: todayFields(sums),
      pending_old: { count: old },
      callbacks_failing: { count: failing },
      checklist,
      is_new: checklist.some((step) => !step.done),
    };
  },
});

function todayFields(sums: readonly OrderSum[]): z.output<typeof todayOutput> {
  const [success, failed, pending] = [countOf(sums, "SUCCESS"), countOf(sums, "FAILED"), countOf(sums, "pending")];
  const value = sums.filter((sum) => sum.state === "SUCCESS").reduce((total, sum) => total + sum.amount, 0n);
  return {
    value: formatMoney(value),
    count: success + failed + pending,
    ...{ success, failed, pending },
    success_rate: success + failed === 0 ? null : Math.round((success / (success + failed)) * 10_000) / 10_000,
  };
}

function countOf(sums: readonly OrderSum[], state: OrderState): number {
  return sums.reduce((total, sum) => total + (sum.state === state ? sum.count : 0), 0);
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
    const sums = await sumOrders(deps.sql, accountId, first, now + 1);
    const perHour = Array.from({ length: hours }, (_, place) => hourFields(sums, first + place * HOUR_MILLISECONDS));
    return { per_hour: perHour, time_to_final: bucketFields(sums) };
  },
});

// Hours in India start at half past the hour in UTC.
function hourOf(now: number): number {
  const half = HOUR_MILLISECONDS / 2;
  return Math.floor((now - half) / HOUR_MILLISECONDS) * HOUR_MILLISECONDS + half;
}

function hourFields(sums: readonly OrderSum[], hour: number): z.output<typeof hourOutput> {
  const own = sums.filter((sum) => sum.hour === hour);
  return { at: indiaDateTime(hour), success: countOf(own, "SUCCESS"), failed: countOf(own, "FAILED"), pending: countOf(own, "pending") };
}

function bucketFields(sums: readonly OrderSum[]): readonly z.output<typeof bucketOutput>[] {
  const names = [...FINAL_WITHIN_SECONDS.map((seconds) => `within ${words(seconds)}`), "longer"];
  return names.map((bucket, place) => ({
    bucket,
    count: sums.reduce((total, sum) => total + (sum.bucket === place ? sum.count : 0), 0),
  }));
}

function words(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${seconds / 60} min`;
}

export const homeActions: readonly PortalAction[] = [showHome, showCharts];
