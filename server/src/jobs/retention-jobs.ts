import { sweepCallDetails } from "../domain/api-log/sweep-calls.ts";
import { sweepDocuments } from "../domain/onboarding/documents.ts";
import { createUnusedSweep, sweepOldFetches } from "../domain/services/sweep-unused.ts";
import { type Clock, sinceStep, steadyNow } from "../platform/core/clock.ts";
import type { PeriodicJob } from "../platform/core/periodic-job.ts";
import type { Sql } from "../platform/db/connection.ts";
import { dropPartitionsBefore } from "../platform/db/partitions/drop-partition.ts";
import { listAbandoned } from "../platform/db/partitions/frozen-months.ts";
import { indexPastMonths } from "../platform/db/partitions/index-past-months.ts";
import { makePartitions } from "../platform/db/partitions/make-partitions.ts";
import { tablesWithMisplacedRows } from "../platform/db/partitions/read-partitions.ts";
import type { Log } from "../platform/observability/log.ts";
import type { Metrics } from "../platform/observability/metrics.ts";
import type { Retention } from "../settings/retention-settings.ts";

const DAY_MILLISECONDS = 24 * 3_600_000;
const TEN_MINUTES = 600_000;
// A wrong clock is usually corrected, or found to differ from another one, long before.
const TRUSTED_AFTER_MILLISECONDS = 3_600_000;

export type RetentionDependencies = {
  /** Connections without the time limit of requests. */
  readonly sql: Sql;
  /** Runs work on a connection of the tables' owner, which alone may create and drop partitions. */
  readonly asOwner: <Result>(work: (owner: Sql) => Promise<Result>) => Promise<Result>;
  readonly log: Pick<Log, "info" | "warn">;
  readonly clock: Clock;
  /** What is wrong with this machine's clock or the database's; null if nothing. */
  readonly clockFault: () => string | null;
  readonly retention: Retention;
  readonly metrics: Pick<Metrics, "swept">;
};

/** The jobs that make partitions ahead, and delete what is older than the retention settings allow. */
export function retentionJobs(dependencies: RetentionDependencies): readonly PeriodicJob[] {
  const { sql, clock, retention, metrics } = dependencies;
  const before = (days: number) => new Date(clock.now() - days * DAY_MILLISECONDS);
  const sweepUnused = createUnusedSweep(sql);
  const mayDelete = createDeletionGuard(dependencies);
  const sweeps: readonly PeriodicJob[] = [
    {
      name: "evidence sweep",
      everyMilliseconds: TEN_MINUTES,
      run: async () => metrics.swept("bill_fetches", await sweepOldFetches(sql, before(retention.evidenceDays))),
    },
    { name: "API log sweep", everyMilliseconds: 60_000, run: () => sweepCallDetails(sql, clock.now(), retention.apiLogDays) },
    {
      name: "sweep of what expired unused",
      everyMilliseconds: TEN_MINUTES,
      run: () => sweepUnused(before(retention.unusedDays), metrics.swept),
    },
    {
      name: "document sweep",
      everyMilliseconds: TEN_MINUTES,
      run: async () =>
        metrics.swept("onboarding_documents", await sweepDocuments(sql, before(retention.documentDays), new Date(clock.now()))),
    },
  ];
  return [
    { name: "partitions", everyMilliseconds: TEN_MINUTES, run: () => maintainPartitions(dependencies, mayDelete()) },
    { name: "search indexes", everyMilliseconds: TEN_MINUTES, run: () => indexForSearches(dependencies) },
    ...sweeps.map((sweep) => ({ ...sweep, run: async () => void (mayDelete() && (await sweep.run())) })),
  ];
}

/**
 * Whether records may be deleted by their age. What a wrong clock deletes is lost, so the clock must have been right for an
 * hour: without a step, and without a difference between this machine and the database.
 */
function createDeletionGuard({ clock, clockFault }: Pick<RetentionDependencies, "clock" | "clockFault">): () => boolean {
  const startedAt = steadyNow(clock);
  return () => clockFault() === null && Math.min(steadyNow(clock) - startedAt, sinceStep(clock)) >= TRUSTED_AFTER_MILLISECONDS;
}

async function indexForSearches({ asOwner, clock, log }: RetentionDependencies): Promise<void> {
  const made = await asOwner((owner) => indexPastMonths(owner, clock.now()));
  if (made.length > 0) log.info({ made }, "search indexes of past months made");
}

async function maintainPartitions(dependencies: RetentionDependencies, mayDelete: boolean): Promise<void> {
  const { asOwner, clock, retention, metrics, log } = dependencies;
  const now = clock.now();
  const kept = {
    provider_exchanges: retention.evidenceDays,
    callback_attempts: retention.callbackLogDays,
    api_calls: retention.apiLogDays,
  };
  await asOwner(async (owner) => {
    const { made, busy } = await makePartitions(owner, now);
    if (made.length > 0) log.info({ made }, "partitions made");
    if (busy.length > 0) log.warn({ busy }, "partitions could not be made, because their tables were in use; they are tried again");
    for (const [table, days] of mayDelete ? Object.entries(kept) : [])
      metrics.swept(table, await dropPartitionsBefore(owner, table, now - days * DAY_MILLISECONDS));
    const misplacedTables = await tablesWithMisplacedRows(owner);
    // A job that fails repeatedly raises an alert.
    if (misplacedTables.length > 0)
      throw new Error(
        `The default partitions of ${misplacedTables.join(", ")} hold rows whose own partition could not be made: see docs/operating.md.`,
      );
    const frozen = await listAbandoned(owner);
    if (frozen.length > 0)
      throw new Error(`${frozen.join(", ")} refuse changes, because corprail archive move was interrupted. Run it again.`);
  });
}
