import type { Sql } from "../../../platform/db/connection.ts";
import { readNames } from "../../accounts/read-names.ts";
import { mergeOverviews, type Overview, readOverview as readCallbackOverview } from "../../callbacks/queries/read-overview.ts";
import { readBalances } from "../../providers/health/balances.ts";
import { readFailingLists } from "../../providers/lists/store.ts";
import type { Unserved } from "../../providers/routing/unserved.ts";
import { readSigningState } from "../../signing/read-signing.ts";
import { readDoubtfulCancellations } from "../current-state/read-cancellations.ts";
import { addPolledOrders, type PolledOrders, readPolledOrders } from "../current-state/read-pending.ts";
import { type ProcessRow, readProcesses } from "../system/processes.ts";
import { mergeTraffic, readTraffic, type Traffic } from "../traffic/read-traffic.ts";
import type { Facts } from "./rules.ts";

const HOUR_MILLISECONDS = 3_600_000;

type CellFacts = {
  readonly traffic: Traffic;
  readonly polledOrders: PolledOrders;
  readonly callbacks: Overview;
  readonly failedJobs: number;
  readonly doubtfulCancellations: readonly string[];
};

async function gatherFromCell(sql: Sql, now: number): Promise<CellFacts> {
  const [traffic, polledOrders, callbacks, failedJobs, doubtfulCancellations] = await Promise.all([
    readTraffic(sql, now, { newestOf: "when calm" }),
    readPolledOrders(sql, now, "live"),
    readCallbackOverview(sql, now, "live"),
    countFailedJobs(sql, new Date(now - HOUR_MILLISECONDS)),
    readDoubtfulCancellations(sql, now, "live"),
  ]);
  return { traffic, polledOrders, callbacks, failedJobs, doubtfulCancellations };
}

/** Facts of the installation from home, and of the orders and callbacks from all cells that answer. */
export async function gatherFacts(sql: Sql, now: number, unserved: Unserved, otherCells: readonly Sql[] = []): Promise<Facts> {
  const [first, ...others] = await Promise.all([gatherFromCell(sql, now), ...otherCells.map((cell) => gatherFromCell(cell, now))]);
  const traffic = mergeTraffic(
    first.traffic,
    others.map((one) => one.traffic),
  );
  const polledOrders = others.map((one) => one.polledOrders).reduce(addPolledOrders, first.polledOrders);
  const callbacks = mergeOverviews(
    first.callbacks,
    others.map((one) => one.callbacks),
  );
  const failedJobs = others.reduce((sum, one) => sum + one.failedJobs, first.failedJobs);
  const [all, balances, lists, signingBehind, configurationDrift, archiveFailure, emergencySignIns] = await Promise.all([
    readProcesses(sql, now),
    readEnabledBalances(sql, now),
    readFailingLists(sql),
    findSigningBehind([sql, ...otherCells], now),
    readConfigurationDrift(sql),
    readArchiveFailure(sql, now),
    findEmergencySignIns(sql, new Date(now - HOUR_MILLISECONDS)),
  ]);
  const processes = all.filter((one) => one.isAlive);
  const [oldest] = callbacks.oldest;
  return {
    ledgerViolations: Math.max(0, ...processes.map(({ report }) => report?.ledger.violations ?? 0)),
    signingBehind,
    providers: traffic.providers.map(({ name, quarter }) => ({ provider: name, ...quarter })),
    breakers: processes.flatMap(({ report }) => report?.breakers ?? []),
    balances,
    pendingOverTenMinutes: polledOrders.underOneHour + polledOrders.overOneHour,
    humanTasks: polledOrders.humanTasks,
    doubtfulCancellations: [first, ...others].flatMap((one) => one.doubtfulCancellations),
    oldestCallback: oldest === undefined ? null : { ...oldest, accountName: await nameOfAccount([sql, ...otherCells], oldest.accountId) },
    failingJobs: failingJobs(processes),
    failedJobs,
    emergencySignIns,
    unserved,
    configurationDrift,
    archiveFailure,
    failingLists: lists.map(({ provider, name, key, failure, refreshedAt }) => ({ provider, name, key, failure, refreshedAt })),
    clocks: processes.flatMap((one) => (one.report ? [{ process: nameOf(one), milliseconds: one.report.clock_behind_milliseconds }] : [])),
    withoutKey: processes.flatMap((one) => {
      const missing = one.report?.missing_key_id ?? null;
      return missing === null ? [] : [{ process: nameOf(one), keyId: missing }];
    }),
  };
}

/** The cell whose ledger is signed least, if a day that is due is missing there. */
async function findSigningBehind(cells: readonly Sql[], now: number): Promise<Facts["signingBehind"]> {
  const states = await Promise.all(cells.map((cell) => readSigningState(cell, now)));
  const behind = states.flatMap(({ isBehind, dueDay, lastRun }) =>
    isBehind && dueDay !== null ? [{ lastDay: lastRun?.day ?? null, dueDay }] : [],
  );
  return behind.toSorted((one, other) => ((one.lastDay ?? "") < (other.lastDay ?? "") ? -1 : 1))[0] ?? null;
}

const RECENT_MILLISECONDS = 15 * 60_000;

/** A provider that is switched off or deleted needs no money. */
async function readEnabledBalances(sql: Sql, now: number): Promise<Facts["balances"]> {
  const [known, enabled] = await Promise.all([
    readBalances(sql),
    sql<{ provider: string }[]>`select provider from providers where enabled and connector <> 'simulator'`,
  ]);
  return enabled.flatMap(({ provider }) => {
    const one = known.get(provider);
    return one ? [{ provider, balance: one.balance, declined: one.declinedAt !== null && one.declinedAt > now - RECENT_MILLISECONDS }] : [];
  });
}

function nameOf({ host, pid }: ProcessRow): string {
  return `${host} (process ${pid})`;
}

/** Each job once, from the process with the most failures. */
function failingJobs(processes: readonly ProcessRow[]): Facts["failingJobs"] {
  const worst = new Map<string, Facts["failingJobs"][number]>();
  for (const { name, failures, error } of processes.flatMap(({ report }) => report?.jobs ?? []))
    if (failures > (worst.get(name)?.failures ?? 0)) worst.set(name, { name, failures, error: error ?? "" });
  return [...worst.values()];
}

/** What the check of the configuration module found last. */
async function readConfigurationDrift(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ drift: string | null }[]>`select drift from applied_configuration where alert_on_drift`;
  return row?.drift ?? null;
}

/** A failed run is tried again after an hour. One that is older than a day belongs to a schedule that was switched off. */
async function readArchiveFailure(sql: Sql, now: number): Promise<string | null> {
  const [row] = await sql<{ failure: string | null }[]>`
    select failure from archive_runs where started_at > ${new Date(now - 24 * HOUR_MILLISECONDS)}`;
  return row?.failure ?? null;
}

async function countFailedJobs(sql: Sql, since: Date): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from jobs where finished_at > ${since} and state = 'failed'`;
  return row?.count ?? 0;
}

async function findEmergencySignIns(sql: Sql, since: Date): Promise<Facts["emergencySignIns"]> {
  return await sql<{ userId: string; email: string; at: Date }[]>`
    select user_id as "userId", email, break_glass_used_at as at from users
    where realm = 'console' and break_glass_used_at > ${since} order by break_glass_used_at desc limit 20`;
}

async function nameOfAccount(cells: readonly Sql[], accountId: string): Promise<string | undefined> {
  const found = await Promise.all(cells.map((cell) => readNames(cell, [accountId])));
  return found.map((names) => names.get(accountId)).find((name) => name !== undefined);
}
