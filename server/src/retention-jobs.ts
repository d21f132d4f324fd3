import { sweepCalls } from "./domain/api-log/sweep-calls.ts";
import { sweepAttempts } from "./domain/callbacks/delivery/sweep-attempts.ts";
import { sweepExchanges } from "./domain/orders/attempts/sweep-exchanges.ts";
import { createUnusedSweep, sweepOldFetches } from "./domain/services/sweep-unused.ts";
import type { Clock } from "./platform/core/clock.ts";
import type { PeriodicJob } from "./platform/core/periodic-job.ts";
import type { Sql } from "./platform/db/connection.ts";
import type { Metrics } from "./platform/observability/metrics.ts";
import type { Retention } from "./retention-settings.ts";

const DAY_MILLISECONDS = 24 * 3_600_000;
const TEN_MINUTES = 600_000;

type Dependencies = {
  /** Connections without the time limit of requests. */
  readonly sql: Sql;
  readonly clock: Clock;
  readonly retention: Retention;
  readonly metrics: Pick<Metrics, "swept">;
};

/** The jobs that delete what is older than the retention settings allow, in small steps. */
export function retentionJobs({ sql, clock, retention, metrics }: Dependencies): readonly PeriodicJob[] {
  const before = (days: number) => new Date(clock.now() - days * DAY_MILLISECONDS);
  const sweepUnused = createUnusedSweep(sql);
  const counted = async (table: string, sweeping: Promise<number>) => metrics.swept(table, await sweeping);
  return [
    {
      name: "evidence sweep",
      everyMilliseconds: TEN_MINUTES,
      run: async () => {
        await counted("provider_exchanges", sweepExchanges(sql, before(retention.evidenceDays)));
        await counted("bill_fetches", sweepOldFetches(sql, before(retention.evidenceDays)));
      },
    },
    {
      name: "callback log sweep",
      everyMilliseconds: TEN_MINUTES,
      run: () => counted("callback_attempts", sweepAttempts(sql, before(retention.callbackLogDays))),
    },
    {
      name: "API log sweep",
      everyMilliseconds: 60_000,
      run: () => counted("api_calls", sweepCalls(sql, clock.now(), retention.apiLogDays)),
    },
    {
      name: "sweep of what expired unused",
      everyMilliseconds: TEN_MINUTES,
      run: () => sweepUnused(before(retention.unusedDays), metrics.swept),
    },
  ];
}
