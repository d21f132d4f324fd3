import { sweepNonces } from "./api/client/gate/admission-store.ts";
import { sweepCalls } from "./domain/api-log/sweep-calls.ts";
import type { AuthContext } from "./domain/auth/context.ts";
import { sweepAuth } from "./domain/auth/sweep.ts";
import { saveCheckState } from "./domain/ledger/check-state-store.ts";
import { createLedgerCheck } from "./domain/ledger/continuous-check.ts";
import { beat, deregisterProcess, recoverOrders } from "./domain/orders/recovery/heartbeat.ts";
import { repairPollTimes } from "./domain/orders/recovery/pending-poll-store.ts";
import { pollOrders } from "./domain/orders/recovery/poll-orders.ts";
import type { CancelContext } from "./domain/services/bus/context.ts";
import { finishAbandonedCancellations } from "./domain/services/bus/finish-cancellation.ts";
import { type PeriodicJob, startPeriodicJob } from "./platform/core/periodic-job.ts";
import type { Sql } from "./platform/db/connection.ts";
import type { JobStatuses } from "./platform/observability/job-statuses.ts";
import type { Metrics } from "./platform/observability/metrics.ts";

// Checking an account with 50,000 orders takes a second or two, so the check pauses for 60 times as long as it ran.
const LEDGER_REST = 60;

/** Runs every periodic job of the service. Several processes may run them at the same time. */
export async function startBackgroundJobs(
  ctx: CancelContext & {
    readonly auth: AuthContext;
    readonly jobStatuses: JobStatuses;
    /** Connections without the time limit of requests. */
    readonly longWork: Sql;
  },
  metrics: Metrics,
  more: readonly PeriodicJob[] = [],
): Promise<() => Promise<void>> {
  await beat(ctx);
  const redated = await repairPollTimes(ctx.sql, ctx.clock.now());
  if (redated > 0) ctx.log.warn({ orders: redated }, "orders had a poll time in the future from a wrong clock; they are polled now");
  await recoverOrders(ctx);
  const { jobStatuses, longWork } = ctx;
  metrics.gauge(
    "corprail_ledger_violations",
    "Violations found by the continuous ledger check; must be 0.",
    () => jobStatuses.ledger().violations,
  );
  const watchLedger = createLedgerCheck({
    ...ctx,
    sql: longWork,
    report: async (state) => {
      jobStatuses.checkedLedger(state.violations);
      await saveCheckState(ctx, state);
    },
  });
  const jobs: readonly PeriodicJob[] = [
    { name: "heartbeat", everyMilliseconds: 1_000, run: () => beat(ctx) },
    { name: "order polls", everyMilliseconds: 200, run: () => pollOrders(ctx) },
    { name: "order recovery", everyMilliseconds: 5_000, run: () => recoverOrders(ctx) },
    { name: "bus cancellations", everyMilliseconds: 10_000, run: () => finishAbandonedCancellations(ctx) },
    { name: "ledger check", everyMilliseconds: 5_000, run: watchLedger, restFactor: LEDGER_REST },
    { name: "session sweep", everyMilliseconds: 60_000, run: () => sweepAuth(ctx.auth) },
    { name: "nonce sweep", everyMilliseconds: 30_000, run: () => sweepNonces(longWork, ctx.clock) },
    { name: "API log sweep", everyMilliseconds: 60_000, run: () => sweepCalls(longWork, ctx.clock.now()) },
    ...more,
  ];
  const stops = jobs.map((job) => startPeriodicJob(job, ctx.log, jobStatuses));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
    await deregisterProcess(ctx);
  };
}
