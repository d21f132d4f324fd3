import { staffExecutors } from "../api/operator/approvals/executors.ts";
import type { AccountsContext } from "../domain/accounts/context.ts";
import type { ApprovalsContext, Executors } from "../domain/approvals/context.ts";
import { actionExecutors } from "../domain/approvals/executors/action-executors.ts";
import type { Catalogue } from "../domain/catalog/catalogue.ts";
import { type AccountCells, accountCellChanges, loadAccountCells } from "../domain/cells/account-cells.ts";
import { cellName } from "../domain/cells/cell.ts";
import { readCellNumbers } from "../domain/cells/store.ts";
import { listsInUse } from "../domain/providers/lists/lists-in-use.ts";
import { createProviderLists, type ProviderLists } from "../domain/providers/lists/provider-lists.ts";
import { createSeatRegister } from "../domain/services/bus/blocks/seat-register.ts";
import type { CancelContext } from "../domain/services/bus/context.ts";
import { HOME_CELL } from "../platform/core/ids.ts";
import type { Sql } from "../platform/db/connection.ts";
import { poolSize } from "../platform/db/pool-size.ts";
import { followReplica, type Replica } from "../platform/db/servers/replica.ts";
import type { Log } from "../platform/observability/log.ts";
import type { Config } from "../settings/config.ts";
import type { ConnectedDatabase } from "../start/connect-database.ts";
import type { Domain } from "../start/start-domain.ts";
import type { OrdersModule } from "../start/start-orders.ts";
import type { Cell } from "./cell.ts";
import { type Cells, createCells } from "./cells.ts";
import { connectForLongWork, createQueries, type ServicesOfCell } from "./services-of-cell.ts";

const REPLICA_CONNECTIONS = { alone: 4, least: 2 };
const HOUR_MILLISECONDS = 3_600_000;

type Dependencies = {
  readonly config: Config;
  readonly log: Log;
  readonly database: ConnectedDatabase;
  readonly domain: Domain;
  readonly closers: (() => unknown)[];
};

/** The home cell, and what the other cells need of it. */
export type Home = {
  readonly cells: Cells;
  readonly accountCells: AccountCells;
  readonly services: ServicesOfCell;
  readonly providerLists: ProviderLists;
  /** The database that holds an account. */
  readonly sqlOf: (accountId: string) => Sql;
};

export async function startHome({ config, log, database, domain, closers }: Dependencies): Promise<Home> {
  const { orders, settings } = domain;
  const { sql: longWork, close: closeLongWork } = connectForLongWork(database, config.processes);
  closers.push(closeLongWork);
  const replica = startReplica({ config, log, database, domain, closers }, longWork);
  const providerLists = loadProviderLists(config, longWork, orders);
  const accountCells = await loadCellsOfAccounts(config, domain, database.sql);
  const sqlOf = (accountId: string) => cells.ofAccount(accountId).database.sql;
  // On separate connections, because the transactions of requests wait for it.
  const register = () => createSeatRegister(longWork, (accountId) => cells.ofAccount(accountId).longWork);
  const seats = config.cells.length === 0 ? undefined : register();
  const services = { config, clock: settings.clock, connector: orders.providerRegistry.connector, providerLists, seats };
  const home = { ...homeCell({ config, log, database, domain, longWork, services, sqlOf }), replica };
  const cells = createCells({ home, configured: config.cells.map(({ cell }) => cell), accountCells });
  return { cells, accountCells, services, providerLists, sqlOf };
}

/** Connects to the replica of CORPRAIL_REPLICA_URL. It is used only while it is recent, so the start does not wait for it. */
function startReplica({ config, log, database, domain, closers }: Dependencies, primary: Sql): Replica | undefined {
  if (config.replicaUrl === null) return undefined;
  const connections = poolSize(REPLICA_CONNECTIONS, config.processes);
  const replica = followReplica({ url: config.replicaUrl, role: database.role, connections, primary, log });
  closers.push(replica.close);
  const help = "How far the replica is behind the primary, in seconds; NaN if it does not answer.";
  domain.metrics.gauge("corprail_replica_lag_seconds", help, () => replica.lagSeconds() ?? Number.NaN, "max");
  return replica;
}

/** Which account is in which cell. Refuses to start without the address of a cell that the installation has. */
async function loadCellsOfAccounts({ cells }: Config, { settings }: Domain, sql: Sql): Promise<AccountCells> {
  const named = cells.map(({ cell }) => cell);
  const missing = (await readCellNumbers(sql)).filter((cell) => !named.includes(cell));
  if (missing.length > 0)
    throw new Error(`This installation has ${missing.map(cellName).join(", ")}, which CORPRAIL_CELLS does not name. Add the address.`);
  const accountCells = await loadAccountCells(sql);
  if (cells.length > 0) settings.changeListeners.unshift(accountCellChanges(accountCells));
  return accountCells;
}

type HomeDependencies = {
  readonly config: Config;
  readonly log: Log;
  readonly database: ConnectedDatabase;
  readonly domain: Domain;
  readonly longWork: Sql;
  readonly services: ServicesOfCell;
  readonly sqlOf: (accountId: string) => Sql;
};

function homeCell({ config, log, database, domain, longWork, services, sqlOf }: HomeDependencies): Cell {
  const { ids, metrics, settings, admission, callLog, callbacks } = domain;
  const { sql } = database;
  const { vault, clock, catalogue, directory, feed } = settings;
  const orders = domain.orders.context;
  const several = config.cells.length === 0 ? {} : { sqlOf };
  const accounts: AccountsContext = { sql, vault, clock, ids, refresh: feed.refresh, ...several };
  const providerServices = createQueries(services, sql, orders);
  const { seats } = services;
  const { providerSecrets } = config;
  const approvals = createApprovals({ accounts, cancellations: { ...orders, providerServices, seats }, catalogue, providerSecrets, log });
  const engines = { admission, callLog, callbacks, orders, providerServices, seats, approvals };
  const hasLeft = () => false;
  return { cell: HOME_CELL, database, longWork, directory, hasLeft, feed, accounts, metrics, ...engines };
}

/** The lists of billers, banks, cities and plans of real providers. */
function loadProviderLists({ listHours }: Config, sql: Sql, { context, providerRegistry }: OrdersModule): ProviderLists {
  const { clock, log, stopping } = context;
  return createProviderLists({
    ...{ sql, clock, log, stopping, connector: providerRegistry.connector },
    ageMilliseconds: listHours * HOUR_MILLISECONDS,
    inUse: (stored) => listsInUse(providerRegistry.network(), stored),
  });
}

type ApprovalsDependencies = {
  readonly accounts: AccountsContext;
  readonly cancellations: CancelContext;
  readonly catalogue: Catalogue;
  readonly providerSecrets: Config["providerSecrets"];
  readonly log: Log;
};

/** Approvals with the executors of every kind of approved action. */
function createApprovals({ accounts, cancellations, catalogue, providerSecrets, log }: ApprovalsDependencies): ApprovalsContext {
  const { sql, vault, clock, ids } = accounts;
  const executors: Executors = {
    ...actionExecutors(cancellations),
    ...staffExecutors({ ...accounts, catalogue, providerSecrets }),
  };
  return { sql, clock, ids, vault, log, executors, sqlOf: accounts.sqlOf };
}
