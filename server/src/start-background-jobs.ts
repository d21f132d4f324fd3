import { sweepNonces } from "./api/client/gate/admission-store.ts";
import { createStaffJobs } from "./api/operator/jobs/staff-jobs.ts";
import { createPortalJobs } from "./api/portal/jobs/portal-jobs.ts";
import { approvalsJob } from "./domain/approvals/approvals-job.ts";
import type { ApprovalsContext } from "./domain/approvals/context.ts";
import type { AuthContext } from "./domain/auth/context.ts";
import { sweepAuth } from "./domain/auth/sweep.ts";
import type { Callbacks } from "./domain/callbacks/start-callbacks.ts";
import { passComplaintsOn } from "./domain/complaints/pass-on.ts";
import { saveCheckState } from "./domain/ledger/check-state-store.ts";
import { createLedgerCheck } from "./domain/ledger/continuous-check.ts";
import type { OrdersContext } from "./domain/orders/context.ts";
import { deregisterProcess } from "./domain/orders/recovery/heartbeat.ts";
import { orderJobs, takeOver } from "./domain/orders/recovery/order-jobs.ts";
import type { ProviderLists } from "./domain/providers/lists/provider-lists.ts";
import type { CancelContext } from "./domain/services/bus/context.ts";
import { finishAbandonedCancellations } from "./domain/services/bus/finish-cancellation.ts";
import { sweepTrips } from "./domain/services/bus/trip-store.ts";
import { type SigningContext, signDueDays } from "./domain/signing/sign-due-days.ts";
import { type PeriodicJob, startPeriodicJob } from "./platform/core/periodic-job.ts";
import type { Sql } from "./platform/db/connection.ts";
import type { ClockWatch } from "./platform/db/database-clock.ts";
import type { Mailer } from "./platform/mail/mailer.ts";
import type { JobStatuses } from "./platform/observability/job-statuses.ts";
import type { Metrics } from "./platform/observability/metrics.ts";
import { type RetentionDependencies, retentionJobs } from "./retention-jobs.ts";
import type { Retention } from "./retention-settings.ts";
import { longestPoll, type OrdersModule } from "./start-orders.ts";
import type { OverviewModule } from "./start-overview.ts";

type Dependencies = {
  readonly clockWatch: Pick<ClockWatch, "job">;
  readonly orders: OrdersModule;
  /** The orders' context with the provider services that cancel bus tickets. */
  readonly cancellations: CancelContext;
  readonly members: AuthContext;
  readonly approvals: ApprovalsContext;
  readonly overview: OverviewModule;
  readonly callbacks: Callbacks;
  readonly mail: Mailer;
  readonly metrics: Metrics;
  readonly providerLists: Pick<ProviderLists, "refreshDue">;
  /** Connections without the time limit of requests. */
  readonly longWork: Sql;
  readonly asOwner: RetentionDependencies["asOwner"];
  readonly retention: Retention;
  readonly signing: SigningContext;
};

// Checking an account with 50,000 orders takes a second or two, so the check pauses for 60 times as long as it ran.
const LEDGER_REST = 60;

/**
 * Starts every periodic job of the service. Several processes may run them at the same time. Returns the functions that
 * stop them; they must be called in reverse order.
 */
export async function startBackgroundJobs(dependencies: Dependencies): Promise<readonly (() => Promise<void>)[]> {
  const { clockWatch, orders, approvals, overview, callbacks, mail, metrics, longWork } = dependencies;
  const { clock, ids, log } = orders.context;
  const portalJobs = createPortalJobs({ sql: longWork, clock, ids, log, mail, callbacks });
  const staffJobs = createStaffJobs({ sql: longWork, clock, ids, log, orders: orders.context, callbacks });
  const jobs = [clockWatch.job, ...orders.jobs, ...portalJobs.jobs, ...staffJobs.jobs, ...overview.jobs, approvalsJob(approvals, metrics)];
  await takeOver(orders.context, longestPoll(orders.providerRegistry));
  const started = [...ownJobs(dependencies), ...jobs].map((job) => startPeriodicJob(job, log, overview.jobStatuses));
  const stop = async () => {
    await Promise.all(started.map((stopOne) => stopOne()));
    await deregisterProcess(orders.context);
  };
  return [portalJobs.close, staffJobs.close, stop];
}

function ownJobs({
  orders,
  cancellations,
  members,
  overview,
  metrics,
  longWork,
  asOwner,
  providerLists,
  retention,
  signing,
}: Dependencies): readonly PeriodicJob[] {
  const { context } = orders;
  const checkLedger = createLedgerJob(context, overview.jobStatuses, metrics, longWork);
  return [
    ...orderJobs(context),
    {
      name: "complaints at providers",
      everyMilliseconds: 10_000,
      run: () => passComplaintsOn(context, () => orders.providerRegistry.providers().map(({ row }) => row.provider)),
    },
    { name: "bus cancellations", everyMilliseconds: 10_000, run: () => finishAbandonedCancellations(cancellations) },
    { name: "provider lists", everyMilliseconds: 2_000, run: () => providerLists.refreshDue() },
    { name: "bus trip sweep", everyMilliseconds: 60_000, run: () => sweepTrips(longWork, context.clock.now()) },
    { name: "ledger check", everyMilliseconds: 5_000, run: checkLedger, restFactor: LEDGER_REST },
    { name: "ledger signing", everyMilliseconds: 60_000, run: () => signDueDays(signing) },
    { name: "session sweep", everyMilliseconds: 60_000, run: () => sweepAuth(members) },
    { name: "nonce sweep", everyMilliseconds: 30_000, run: () => sweepNonces(longWork, context.clock) },
    ...retentionJobs({ sql: longWork, asOwner, log: context.log, clock: context.clock, retention, metrics }),
  ];
}

/** The continuous ledger check. It reads on the connections for long work and reports to every process. */
function createLedgerJob(orders: OrdersContext, jobStatuses: JobStatuses, metrics: Metrics, longWork: Sql): () => Promise<void> {
  const { sql, clock, log, processId } = orders;
  metrics.gauge(
    "corprail_ledger_violations",
    "Violations found by the continuous ledger check; must be 0.",
    () => jobStatuses.ledger().violations,
    "max",
  );
  return createLedgerCheck({
    sql: longWork,
    clock,
    log,
    report: async (state) => {
      jobStatuses.checkedLedger(state.violations);
      await saveCheckState({ sql, clock, processId }, state);
    },
  });
}
