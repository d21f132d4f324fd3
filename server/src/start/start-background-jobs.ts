import { sweepNonces } from "../api/client/gate/admission-store.ts";
import type { StaffWorkContext } from "../api/operator/jobs/staff-context.ts";
import { createStaffJobs } from "../api/operator/jobs/staff-jobs.ts";
import { createPortalJobs } from "../api/portal/jobs/portal-jobs.ts";
import type { Cell } from "../cells/cell.ts";
import type { Cells } from "../cells/cells.ts";
import { approvalsJob } from "../domain/approvals/approvals-job.ts";
import type { AuthContext } from "../domain/auth/context.ts";
import { sweepAuth } from "../domain/auth/sweep.ts";
import type { Catalogue } from "../domain/catalog/catalogue.ts";
import { cellName } from "../domain/cells/cell.ts";
import { passComplaintsOn } from "../domain/complaints/pass-on.ts";
import { saveCheckState } from "../domain/ledger/check-state-store.ts";
import { createLedgerCheck } from "../domain/ledger/continuous-check.ts";
import { SUM_MILLISECONDS, sumNewTransfers } from "../domain/ledger/month-sums.ts";
import { orderJobs, takeOver } from "../domain/orders/recovery/order-jobs.ts";
import type { ProviderLists } from "../domain/providers/lists/provider-lists.ts";
import type { ProviderRegistry } from "../domain/providers/registry.ts";
import { ROLL_UP_MILLISECONDS, rollUpOrders } from "../domain/reporting/analytics/roll-up.ts";
import { COUNT_MILLISECONDS, countMinutes } from "../domain/reporting/traffic/count-minutes.ts";
import { finishAbandonedCancellations } from "../domain/services/bus/cancellations/finish-cancellation.ts";
import { sweepTrips } from "../domain/services/bus/trips/trip-store.ts";
import { type AnchorFile, anchorOfCell } from "../domain/signing/anchor-file.ts";
import { signDueDays } from "../domain/signing/sign-due-days.ts";
import { type NoticesContext, sendStatusNotices } from "../domain/status/send-notices.ts";
import { sampleStatus } from "../domain/status/snapshot.ts";
import { archiveJob } from "../jobs/archive-job.ts";
import { driftJob } from "../jobs/configuration-drift-job.ts";
import { retentionJobs } from "../jobs/retention-jobs.ts";
import type { Activity } from "../platform/core/activity.ts";
import { HOME_CELL } from "../platform/core/ids.ts";
import { type PeriodicJob, startPeriodicJob } from "../platform/core/periodic-job.ts";
import type { Sql } from "../platform/db/connection.ts";
import type { ClockWatch } from "../platform/db/database-clock.ts";
import { failure } from "../platform/db/database-errors.ts";
import type { Mailer } from "../platform/mail/mailer.ts";
import type { ArchiveSchedule, Retention } from "../settings/retention-settings.ts";
import type { OrdersModule } from "./start-orders.ts";
import type { OverviewModule } from "./start-overview.ts";

type CellDependencies = {
  readonly activity: Activity;
  readonly providerRegistry: Pick<ProviderRegistry, "providers">;
  readonly longestPoll: () => number;
  readonly overview: OverviewModule;
  readonly mail: Mailer;
  readonly retention: Retention;
  readonly clockFault: () => string | null;
  /** The file outside the database that holds every signing run of home. */
  readonly anchor: AnchorFile;
  /** Home's database, which holds the users. */
  readonly usersSql: Sql;
  readonly accountName: (accountId: string) => Promise<string | null>;
};

type HomeDependencies = CellDependencies & {
  readonly clockWatch: Pick<ClockWatch, "job">;
  readonly orders: OrdersModule;
  readonly members: AuthContext;
  readonly providerLists: Pick<ProviderLists, "refreshDue">;
  readonly cells: Cells;
  /** Whether there are cells beside home. */
  readonly hasCells: boolean;
  readonly catalogue: Catalogue;
  /** Null: months are archived by the command only. */
  readonly archive: ArchiveSchedule | null;
};

type Closers = readonly (() => Promise<void>)[];

// Checking an account with 50,000 orders takes a second or two, so the check pauses for 60 times as long as it ran.
const LEDGER_REST = 60;
// Counting the minutes costs more with more traffic, and so does the pause after it.
const COUNT_REST = 30;
// Rolling up must keep up with the busiest traffic.
const ROLL_UP_REST = 4;

// A process that does something runs its jobs as usual. The others take over from dead ones, and notice what passing time brings.
const QUIET_MILLISECONDS = 60_000;
const QUIET_LEDGER_MILLISECONDS = 30_000;
const slowerWhenQuiet = (job: PeriodicJob) => ({ quietMilliseconds: Math.max(job.everyMilliseconds, QUIET_MILLISECONDS), ...job });

/** Starts the periodic jobs of the installation. Several processes may run them at the same time. */
export async function startHomeJobs(dependencies: HomeDependencies): Promise<Closers> {
  const { activity, providerRegistry, clockWatch, orders, members, overview, providerLists, cells, catalogue } = dependencies;
  const { longWork, replica, callbacks } = cells.home;
  const { clock, ids, log } = orders.context;
  const staffJobs = createStaffJobs({
    ...{ sql: longWork, replica, clock, ids, log, orders: orders.context, callbacks },
    ...(dependencies.hasCells ? staffJobsInCells(cells) : {}),
  });
  const jobs: readonly PeriodicJob[] = [
    clockWatch.job,
    ...orders.jobs,
    ...staffJobs.jobs,
    ...overview.jobs,
    { name: "provider lists", everyMilliseconds: 2_000, quietMilliseconds: 10_000, run: () => providerLists.refreshDue() },
    driftJob({ activity, cells, providerRegistry, clock }),
    {
      name: "status samples",
      everyMilliseconds: 20_000,
      run: () => sampleStatus({ sql: longWork, clock, catalogue, providerRegistry: orders.providerRegistry }),
    },
    ...archiveJobs(dependencies),
    {
      name: "status notices",
      everyMilliseconds: 2_000,
      quietMilliseconds: QUIET_MILLISECONDS,
      run: () => sendStatusNotices(noticesContext(dependencies)),
    },
    { name: "session sweep", everyMilliseconds: 60_000, run: () => sweepAuth(members) },
  ];
  const started = jobs.map((job) => startPeriodicJob(job, log, overview.jobStatuses, activity));
  return [staffJobs.close, async () => void (await Promise.all(started.map((stopOne) => stopOne())))];
}

function archiveJobs({ archive: schedule, cells, orders }: HomeDependencies): readonly PeriodicJob[] {
  const { clock, log, stopping } = orders.context;
  const databases = () => cells.all().map(({ longWork }) => longWork);
  return schedule === null ? [] : [archiveJob({ schedule, sql: cells.home.longWork, cells: databases, clock, log, stopping })];
}

function noticesContext({ cells, orders, mail }: HomeDependencies): NoticesContext {
  const { clock, log } = orders.context;
  return {
    ...{ sql: cells.home.longWork, clock, sendMail: (message) => mail.send(message) },
    sendWebhook: async (accountId, url, fields) => {
      // Retried later: the account is being moved, or its cell does not answer.
      const cell = cells.find(accountId);
      if (cell === null) return false;
      const { error } = await cell.callbacks.sendNotice(accountId, url, fields);
      if (error !== null) log.warn({ account_id: accountId, reason: error }, "a status webhook was not delivered");
      return error === null;
    },
    onError: (error) => log.warn({ err: error }, "a notice of the status page was not sent; will retry"),
  };
}

/** A job over all accounts would be wrong without the accounts of a cell that does not answer, so it fails instead. */
function staffJobsInCells(cells: Cells): Required<Pick<StaffWorkContext, "allCells" | "reachedCells" | "ordersOf">> {
  const reachedCells = () =>
    cells.all().map(({ cell, longWork: sql, replica, orders, callbacks }) => ({ cell, sql, replica, orders, callbacks }));
  return {
    allCells: () => {
      const [trouble] = cells.troubles();
      if (trouble) throw failure("CONNECTION_NO_LEADER", `${cellName(trouble[0])}: ${trouble[1]}`);
      return reachedCells();
    },
    reachedCells,
    ordersOf: (accountId) => cells.ofAccount(accountId).orders,
  };
}

/**
 * Takes over what dead processes left in a cell, and starts the cell's periodic jobs. Returns the functions that stop them;
 * they must be called in reverse order.
 */
export async function startCellJobs(dependencies: CellDependencies, cell: Cell, ...more: readonly PeriodicJob[]): Promise<Closers> {
  const { overview, mail, usersSql, accountName, longestPoll } = dependencies;
  const { longWork, orders, callbacks, approvals, metrics } = cell;
  const { clock, ids, log } = orders;
  const portalJobs = createPortalJobs({ sql: longWork, usersSql, accountName, clock, ids, log, mail, callbacks });
  const jobs = [...ownJobs(dependencies, cell), ...portalJobs.jobs.map(slowerWhenQuiet), approvalsJob(approvals, metrics), ...more];
  await takeOver(orders, longestPoll());
  const nameOf = (name: string) => (cell.cell === HOME_CELL ? name : `${name} (${cellName(cell.cell)})`);
  const start = (job: PeriodicJob) =>
    startPeriodicJob({ ...job, name: nameOf(job.name) }, log, overview.jobStatuses, dependencies.activity);
  const started = jobs.map(start);
  return [portalJobs.close, async () => void (await Promise.all(started.map((stopOne) => stopOne())))];
}

function ownJobs(dependencies: CellDependencies, cell: Cell): readonly PeriodicJob[] {
  const { providerRegistry, retention, anchor, clockFault } = dependencies;
  const { longWork, orders, providerServices, seats, metrics } = cell;
  const { clock, log } = orders;
  const signing = { sql: longWork, clock, vault: cell.accounts.vault, log, anchor: anchorOfCell(anchor, cell.cell) };
  return [
    ...orderJobs(orders),
    {
      name: "complaints at providers",
      everyMilliseconds: 10_000,
      run: () => passComplaintsOn(orders, () => providerRegistry.providers().map(({ row }) => row.provider)),
    },
    {
      name: "bus cancellations",
      everyMilliseconds: 10_000,
      run: () => finishAbandonedCancellations({ ...orders, providerServices, seats }),
    },
    {
      name: "minute counts",
      everyMilliseconds: COUNT_MILLISECONDS,
      quietMilliseconds: QUIET_MILLISECONDS,
      restFactor: COUNT_REST,
      run: () => countMinutes({ sql: longWork, clock }),
    },
    {
      name: "order roll-ups",
      everyMilliseconds: ROLL_UP_MILLISECONDS,
      quietMilliseconds: QUIET_MILLISECONDS,
      restFactor: ROLL_UP_REST,
      run: () => rollUpOrders({ sql: longWork, clock }),
    },
    {
      name: "statement sums",
      everyMilliseconds: SUM_MILLISECONDS,
      quietMilliseconds: QUIET_MILLISECONDS,
      run: () => sumNewTransfers(longWork),
    },
    { name: "bus trip sweep", everyMilliseconds: 60_000, run: () => sweepTrips(longWork, clock.now()) },
    {
      name: "ledger check",
      everyMilliseconds: 5_000,
      quietMilliseconds: QUIET_LEDGER_MILLISECONDS,
      restFactor: LEDGER_REST,
      run: createLedgerJob(dependencies, cell),
    },
    { name: "ledger signing", everyMilliseconds: 60_000, atStart: true, run: () => signDueDays(signing) },
    { name: "nonce sweep", everyMilliseconds: 30_000, run: () => sweepNonces(longWork, clock) },
    ...retentionJobs({ sql: longWork, asOwner: cell.database.asOwner, log, clock, clockFault, retention, metrics }),
  ];
}

/** The continuous ledger check. It reads on the connections for long work and reports to every process. */
function createLedgerJob({ activity, overview }: CellDependencies, { cell, orders, longWork, metrics }: Cell): () => Promise<void> {
  const { sql, clock, log, processId } = orders;
  const { jobStatuses } = overview;
  metrics.gauge(
    "corprail_ledger_violations",
    "Violations found by the continuous ledger check; must be 0.",
    () => jobStatuses.ledger(cell).violations,
    "max",
  );
  return createLedgerCheck({
    sql: longWork,
    clock,
    log,
    report: async (state) => {
      jobStatuses.checkedLedger(state.violations, cell);
      // The alert must not wait until somebody calls.
      if (state.violations > 0) activity.note();
      await saveCheckState({ sql, clock, processId }, state);
    },
  });
}
