import { accountChanges, loadDirectory } from "../domain/accounts/directory.ts";
import { createCallLog } from "../domain/api-log/call-log.ts";
import { actionExecutors } from "../domain/approvals/executors/action-executors.ts";
import { audited, type Change, followChanges } from "../domain/audit/feed.ts";
import { callbackChanges, startCallbacks } from "../domain/callbacks/start-callbacks.ts";
import { type AccountCells, newAccountChanges } from "../domain/cells/account-cells.ts";
import { type CellAddress, cellName } from "../domain/cells/cell.ts";
import { loadMovedOut } from "../domain/cells/moved-out.ts";
import { assignCell, claimCell, registerCell } from "../domain/cells/store.ts";
import { deregisterProcess } from "../domain/orders/recovery/heartbeat.ts";
import { idsOfCell } from "../platform/core/ids.ts";
import { databaseTrouble } from "../platform/db/database-errors.ts";
import type { Log } from "../platform/observability/log.ts";
import type { Metrics } from "../platform/observability/metrics.ts";
import type { Config } from "../settings/config.ts";
import { type ConnectedDatabase, connectCell } from "../start/connect-database.ts";
import { createAdmission } from "../start/create-gate.ts";
import type { Domain } from "../start/start-domain.ts";
import { startOrdersOfCell, type WriterTuning } from "../start/start-orders.ts";
import type { Cell } from "./cell.ts";
import type { Cells } from "./cells.ts";
import { mirrorSettings } from "./mirror-settings.ts";
import { createServicesOfCell, type ServicesOfCell } from "./services-of-cell.ts";

type Closer = () => unknown;

export type CellsDependencies = {
  readonly config: Config;
  readonly log: Log;
  readonly domain: Domain;
  readonly cells: Cells;
  readonly accountCells: AccountCells;
  readonly services: ServicesOfCell;
  readonly metricsOf: (cell: number) => Metrics;
  readonly writerTuning: WriterTuning | undefined;
  /** Starts what runs periodically on a cell. Returns the functions that stop it, to be called in reverse order. */
  readonly startJobs: (cell: Cell) => Promise<readonly Closer[]>;
};

const RETRY_MILLISECONDS = 1_000;

/**
 * Starts the cells beside home. One whose database does not answer is started as soon as it does; a wrong address stops the
 * start of the service. Returns the function that closes them all.
 */
export async function startCells(dependencies: CellsDependencies): Promise<() => Promise<void>> {
  const { config, log } = dependencies;
  const closers: Closer[] = [];
  const waiting = new Set<NodeJS.Timeout>();
  let isClosing = false;
  const start = async (address: CellAddress, isFirst: boolean): Promise<void> => {
    try {
      await startCell(dependencies, address, closers);
    } catch (error) {
      if (isFirst && databaseTrouble(error) === null) throw error;
      log.error({ err: error, cell: address.cell }, `${cellName(address.cell)} cannot be used; its accounts are refused as busy`);
      if (isClosing) return;
      const timer = setTimeout(() => {
        waiting.delete(timer);
        void start(address, false);
      }, RETRY_MILLISECONDS).unref();
      waiting.add(timer);
    }
  };
  const close = async () => {
    isClosing = true;
    for (const timer of waiting) clearTimeout(timer);
    await closeAll(closers, log);
  };
  try {
    for (const address of config.cells) await start(address, true);
  } catch (error) {
    await close();
    throw error;
  }
  return close;
}

/** Starts one cell; what it opened is closed again if a later part fails. */
async function startCell(dependencies: CellsDependencies, address: CellAddress, closers: Closer[]): Promise<void> {
  const { config, log, cells, startJobs } = dependencies;
  const own: Closer[] = [];
  try {
    const database = await connectCell(config, address, log);
    own.push(() => database.close());
    const cell = await startParts(dependencies, address.cell, database, own);
    own.push(...(await startJobs(cell)));
    cells.add(cell);
    log.info({ cell: address.cell }, `${cellName(address.cell)} is served`);
    closers.push(() => closeAll(own, log));
  } catch (error) {
    await closeAll(own, log);
    throw error;
  }
}

async function startParts(dependencies: CellsDependencies, number: number, database: ConnectedDatabase, own: Closer[]): Promise<Cell> {
  const { config, log, domain, cells, services, metricsOf, writerTuning } = dependencies;
  const { sql } = database;
  const home = cells.home.database.sql;
  const { clock, vault } = domain.settings;
  const { activity } = domain;
  const { processId } = domain.orders.context;
  await claimCell(home, sql, number);
  await registerCell(home, number, new Date(clock.now()));
  await mirrorSettings(home, sql);
  const [ids, metrics] = [idsOfCell(domain.ids, number), metricsOf(number)];
  // The feed position is read before the tables, so that a change made meanwhile is applied again, never missed.
  const from = await audited(sql);
  const directory = await loadDirectory(sql, vault);
  const movedOut = await loadMovedOut(sql, number);
  const callLog = createCallLog({ sql, log, metrics });
  own.push(() => callLog.close());
  const { admission, close: closeAdmission } = createAdmission({ database, clock, metrics });
  own.push(closeAdmission);
  const { observer } = domain.callbacks;
  const callbacks = await startCallbacks({ sql, vault, clock, ids, log, observer, activity, processId, allow: config.callbackAllow });
  own.push(() => callbacks.close());
  const orders = startOrdersOfCell(domain.orders.context, {
    ...{ database, clock, processId, log, metrics, writerTuning, ids },
    wakeCallbacks: callbacks.wake,
    isSandbox: (accountId) => directory.byId(accountId)?.sandbox ?? false,
  });
  own.push(() => deregisterProcess(orders.context));
  own.push(orders.close);
  database.stalls.push(orders.context.writer.stalledMilliseconds);
  const warn = (error: unknown) => log.warn({ err: error, cell: number }, "refreshing the settings failed");
  const newAccounts = newAccountChanges(dependencies.accountCells, number, warn);
  own.push(newAccounts.close);
  const listeners = [movedOut.apply, newAccounts.apply, accountChanges(vault, directory), callbackChanges(callbacks, log)];
  const apply = async (changes: readonly Change[]) => {
    for (const applyChanges of listeners) await applyChanges(changes);
  };
  const feed = followChanges({
    sql,
    from,
    activity,
    apply,
    onError: warn,
  });
  own.push(() => feed.close());
  const { longWork, providerServices, close: closeServices } = createServicesOfCell(services, database, orders.context);
  own.push(closeServices);
  const assign = (accountId: string) => assignCell(home, accountId, number, new Date(clock.now()));
  return {
    ...{ cell: number, database, longWork, directory, hasLeft: movedOut.has, feed, admission, callLog, callbacks, metrics },
    ...{ orders: orders.context, providerServices, seats: services.seats },
    accounts: { sql, vault, clock, ids, refresh: feed.refresh, assign, sqlOf: (accountId) => cells.ofAccount(accountId).database.sql },
    approvals: { sql, clock, ids, vault, log, executors: actionExecutors({ ...orders.context, providerServices, seats: services.seats }) },
  };
}

async function closeAll(closers: readonly Closer[], log: Log): Promise<void> {
  for (const close of closers.toReversed()) {
    try {
      await close();
    } catch (error) {
      // For example because the cell's database is gone. The remaining parts must still be closed.
      log.warn({ err: error }, "closing a part of a cell failed");
    }
  }
}
