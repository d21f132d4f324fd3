import { Counter, Gauge } from "prom-client";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import { createHistogram, type Observe } from "../../../platform/observability/histogram.ts";
import type { Metrics } from "../../../platform/observability/metrics.ts";
import { type Overview, readOverview } from "../queries/read-overview.ts";
import type { Outcome } from "./send.ts";
import type { ClaimedRow } from "./store.ts";

export type DeliveryMetrics = {
  readonly attempted: (row: ClaimedRow, outcome: Outcome, startedAt: number, milliseconds: number) => void;
};

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const FIRST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300];

export const NO_METRICS: DeliveryMetrics = { attempted: () => {} };

export function deliveryMetrics(sql: Sql, clock: Clock, { registry }: Metrics): DeliveryMetrics {
  const registers = [registry];
  const attempts = attemptMetric(registry);
  const first = createHistogram(registry, {
    name: "corprail_callback_first_attempt_seconds",
    help: "From the change that a callback reports to its first attempt.",
    buckets: FIRST_SECONDS,
  })({});
  const deliveries = new Counter({
    name: "corprail_callback_deliveries_total",
    help: "Callbacks delivered, by version and by whether the first attempt did it.",
    labelNames: ["version", "attempt"],
    registers,
  });
  targetGauges(sql, clock, registers);
  return {
    attempted: (row, outcome, startedAt, milliseconds) => {
      attempts(row.kind, resultOf(outcome), milliseconds / 1000);
      if (row.attempts === 0) first(Math.max(0, startedAt - row.created_at.getTime()) / 1000);
      if (outcome.error === null) deliveries.inc({ version: String(row.version), attempt: row.attempts === 0 ? "first" : "later" });
    },
  };
}

function attemptMetric(registry: Metrics["registry"]): (kind: string, result: string, seconds: number) => void {
  const histogram = createHistogram(registry, {
    name: "corprail_callback_attempt_seconds",
    help: "Attempts to deliver a callback, by result: delivered, refused (an answer other than 2xx) or unanswered.",
    buckets: SECONDS,
  });
  const resolved = new Map<string, Observe>();
  return (kind, result, seconds) => {
    const key = `${kind} ${result}`;
    const observe = resolved.get(key) ?? histogram({ kind, result });
    resolved.set(key, observe);
    observe(seconds);
  };
}

function resultOf(outcome: Outcome): string {
  if (outcome.error === null) return "delivered";
  return outcome.httpStatus === null ? "unanswered" : "refused";
}

// Read from the database at each scrape, so every process has the same. The account is a label of a target's age, so only the oldest few are exported.
function targetGauges(sql: Sql, clock: Clock, registers: Metrics["registry"][]): void {
  const look = sharedOverview(sql, clock);
  const targets: Gauge<"state"> = new Gauge({
    name: "corprail_callback_targets",
    help: "Targets with undelivered callbacks, by state: waiting, broken (its breaker is open), parked (no URL), paused.",
    labelNames: ["state"],
    aggregator: "max",
    registers,
    collect: async () => {
      const overview = await look();
      targets.reset();
      for (const [state, count] of Object.entries(overview?.targets ?? {})) targets.set({ state }, count);
    },
  });
  const waiting: Gauge = new Gauge({
    name: "corprail_callbacks_waiting",
    help: "Undelivered callbacks, counted up to 100000.",
    aggregator: "max",
    registers,
    collect: async () => waiting.set((await look())?.waiting ?? Number.NaN),
  });
  const oldest: Gauge<"account_id" | "kind"> = new Gauge({
    name: "corprail_callback_oldest_due_seconds",
    help: "How long the oldest due callback of a target has been due; the ten longest.",
    labelNames: ["account_id", "kind"],
    aggregator: "max",
    registers,
    collect: async () => {
      const overview = await look();
      oldest.reset();
      for (const one of overview?.oldest ?? []) oldest.set({ account_id: one.accountId, kind: one.kind }, one.seconds);
    },
  });
}

/** One query for all gauges of a scrape. Null while the database does not answer, so that the other metrics stay available. */
function sharedOverview(sql: Sql, clock: Clock): () => Promise<Overview | null> {
  let looking: Promise<Overview | null> | null = null;
  return () => {
    looking ??= readOverview(sql, clock.now(), null)
      .catch(() => null)
      .finally(() => {
        looking = null;
      });
    return looking;
  };
}
