import type { z } from "zod";
import type { Catalogue } from "../../../domain/catalog/catalogue.ts";
import type { Snapshot } from "../../../domain/reporting/read-snapshot.ts";
import type { Counts, RecentResults } from "../../../domain/reporting/traffic/read-traffic.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import { alertView } from "./alert-view.ts";
import type { overviewOutput } from "./outputs.ts";

type OverviewFields = z.output<typeof overviewOutput>;

export function overviewView(catalogue: Catalogue, snapshot: Snapshot): OverviewFields {
  const { at, traffic, recentOrders, polledOrders, callbacks, today, complaints } = snapshot;
  const [oldest] = callbacks.oldest;
  return {
    at: indiaDateTime(at),
    ts: Math.floor(at / 1000),
    complete: traffic.isComplete,
    orders_per_second: recentOrders.perSecond,
    minutes: traffic.minutes.map((minute) => ({ ...minute, at: indiaDateTime(minute.at) })),
    providers: traffic.providers.map((one) => ({ provider: one.name, ...recently(one, providerResults) })),
    operators: traffic.operators.map((one) => ({
      operator: one.name,
      name: catalogue.operator(one.name)?.name ?? one.name,
      ...recently(one, results),
    })),
    pending: {
      under_1m: recentOrders.pending,
      under_10m: polledOrders.underTenMinutes,
      under_1h: polledOrders.underOneHour,
      over_1h: polledOrders.overOneHour,
      in_doubt: polledOrders.inDoubt,
      human_tasks: polledOrders.humanTasks,
    },
    callbacks: {
      waiting: callbacks.waiting,
      oldest_due_seconds: oldest === undefined ? null : Math.max(0, Math.floor(oldest.seconds)),
      oldest_due_account_id: oldest?.accountId ?? null,
      targets: callbacks.targets,
    },
    float: {
      available: formatMoney(snapshot.float.available),
      held: formatMoney(snapshot.float.held),
      accounts: snapshot.float.accounts,
      complete: today.isComplete,
      providers_today: today.providers.map(({ provider, orders: count, owed }) => ({ provider, orders: count, owed: formatMoney(owed) })),
    },
    complaints: {
      open: complaints.open,
      due_today: complaints.dueToday,
      overdue: complaints.overdue,
      refund_blocked: complaints.refundBlocked,
    },
    approvals: { waiting: snapshot.approvalsWaiting },
    alerts: snapshot.alerts.map(alertView),
  };
}

function recently<Shown>({ quarter, hour }: RecentResults, show: (counts: Counts) => Shown) {
  return { last_15m: show(quarter), last_1h: show(hour) };
}

function results({ success, failed, pending, medianMilliseconds }: Counts): OverviewFields["operators"][number]["last_1h"] {
  return { success, failed, pending, success_rate: rate(success, success + failed), median_ms: medianMilliseconds };
}

/** A provider's figures, including orders that another provider carried out instead. */
function providerResults(counts: Counts): OverviewFields["providers"][number]["last_1h"] {
  const { success, failed, passedOn } = counts;
  return { ...results(counts), passed_on: passedOn, success_rate: rate(success, success + failed + passedOn) };
}

function rate(success: number, decided: number): number | null {
  return decided === 0 ? null : Math.round((success / decided) * 10_000) / 10_000;
}
