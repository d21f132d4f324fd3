import { join } from "node:path";
import type { AdmissionBatcher } from "../api/client/gate/admission.ts";
import { type AccountDirectory, accountChanges, loadDirectory } from "../domain/accounts/directory.ts";
import { type CallLog, createCallLog } from "../domain/api-log/call-log.ts";
import { audited, type Change, type ChangeFeed, followChanges } from "../domain/audit/feed.ts";
import { type Callbacks, callbackChanges, startCallbacks } from "../domain/callbacks/start-callbacks.ts";
import { type Catalogue, catalogueChanges, loadCatalogue } from "../domain/catalog/catalogue.ts";
import type { OrdersContext } from "../domain/orders/context.ts";
import { LONGEST_POLL_MILLISECONDS } from "../domain/orders/recovery/poll-schedule.ts";
import { loadPricing, type Pricing, pricingChanges } from "../domain/pricing/pricing.ts";
import type { Egress } from "../domain/providers/wire/exchange.ts";
import { announceSetBack, createRedate } from "../jobs/follow-clock-step.ts";
import { type Activity, createActivity } from "../platform/core/activity.ts";
import type { ServiceClock } from "../platform/core/clock.ts";
import { type Ids, randomIds } from "../platform/core/ids.ts";
import { makeFolder } from "../platform/core/make-folder.ts";
import { findKeyFile } from "../platform/crypto/find-key-file.ts";
import { loadOuterKey } from "../platform/crypto/outer-key.ts";
import { loadVault, type Vault } from "../platform/crypto/vault.ts";
import type { Sql } from "../platform/db/connection.ts";
import { type ClockWatch, createClockWatch, startClock } from "../platform/db/database-clock.ts";
import { nameResolver } from "../platform/network/name-resolver.ts";
import type { Log } from "../platform/observability/log.ts";
import { createMetrics, type Metrics } from "../platform/observability/metrics.ts";
import type { Config } from "../settings/config.ts";
import type { ConnectedDatabase } from "./connect-database.ts";
import { createAdmission } from "./create-gate.ts";
import { longestPoll, type OrdersModule, startOrders, type WriterTuning } from "./start-orders.ts";

type Dependencies = {
  readonly config: Config;
  readonly log: Log;
  readonly database: ConnectedDatabase;
  /** Each started part adds the function that closes it. */
  readonly closers: (() => unknown)[];
  readonly writerTuning: WriterTuning | undefined;
  readonly shareMetrics: Parameters<typeof createMetrics>[0];
  /** The orders of the cells beside home that have started. */
  readonly otherCells: () => readonly OrdersContext[];
};

/** The started domain of the home cell: what the HTTP interfaces and the background jobs are built from. */
export type Domain = {
  readonly activity: Activity;
  readonly ids: Ids;
  readonly metrics: Metrics;
  readonly settings: Settings;
  readonly callLog: CallLog;
  readonly admission: AdmissionBatcher;
  readonly callbacks: Callbacks;
  readonly egress: Egress;
  readonly orders: OrdersModule;
};

/** Loads the settings into memory, then starts the admission, the delivery of callbacks and the orders. */
export async function startDomain(dependencies: Dependencies): Promise<Domain> {
  const { config, log, database, closers, writerTuning, shareMetrics, otherCells } = dependencies;
  const { sql } = database;
  const [ids, metrics, activity] = [randomIds(), createMetrics(shareMetrics), createActivity()];
  // The providers' schedules are known once the orders have started, and only then is there a heartbeat.
  let longestPollMilliseconds = () => LONGEST_POLL_MILLISECONDS;
  let beforeSetBack = async (_now: number) => {};
  const settings = await loadSettings({
    ...{ config, sql, ids, log, activity, otherCells },
    health: database.health,
    longestPollMilliseconds: () => longestPollMilliseconds(),
    beforeSetBack: (now) => beforeSetBack(now),
  });
  const { clock, vault, directory, pricing, feed, changeListeners } = settings;
  closers.push(() => feed.close());
  const callLog = createCallLog({ sql, log, metrics });
  closers.push(() => callLog.close());
  const { admission, close: closeAdmission } = createAdmission({ database, clock, metrics });
  closers.push(closeAdmission);
  const processId = ids.entry(clock.now());
  const callbacks = await startCallbacks({ sql, vault, clock, ids, log, metrics, activity, processId, allow: config.callbackAllow });
  closers.push(() => callbacks.close());
  const egress: Egress = { allow: config.providerAllow, resolve: nameResolver() };
  const orders = await startOrders({
    config,
    database,
    vault,
    clock,
    ids,
    log,
    metrics,
    pricing,
    egress,
    processId,
    wakeCallbacks: callbacks.wake,
    isSandbox: (accountId) => directory.byId(accountId)?.sandbox ?? false,
    writerTuning,
    otherCells,
  });
  longestPollMilliseconds = () => longestPoll(orders.providerRegistry);
  beforeSetBack = async (now) => await announceSetBack(orders.context, otherCells(), now);
  database.stalls.push(orders.context.writer.stalledMilliseconds);
  changeListeners.push(orders.takeChanges, callbackChanges(callbacks, log));
  return { activity, ids, metrics, settings, callLog, admission, callbacks, egress, orders };
}

type SettingsDependencies = {
  readonly config: Pick<Config, "clockOffsetSeconds" | "dataFolder" | "masterKeyFile" | "outerKey">;
  readonly sql: Sql;
  readonly ids: Ids;
  readonly log: Log;
  readonly activity: Activity;
  readonly health: ConnectedDatabase["health"];
  readonly otherCells: () => readonly OrdersContext[];
  /** The longest interval between two polls of an order. */
  readonly longestPollMilliseconds: () => number;
  /** Called with the new time before the clock is set back. */
  readonly beforeSetBack: (now: number) => Promise<void>;
};

/** The settings that decide requests, kept up to date by the change feed. */
export type Settings = {
  readonly clock: ServiceClock;
  readonly clockWatch: ClockWatch;
  readonly vault: Vault;
  readonly directory: AccountDirectory;
  readonly catalogue: Catalogue;
  readonly pricing: Pricing;
  readonly feed: ChangeFeed;
  /** Called in this order with each batch of changes from the feed. */
  readonly changeListeners: ((changes: readonly Change[]) => Promise<void>)[];
};

async function loadSettings(dependencies: SettingsDependencies): Promise<Settings> {
  const { config, sql, ids, log, activity, health, otherCells, longestPollMilliseconds, beforeSetBack } = dependencies;
  const clock = await startClock(sql, config.clockOffsetSeconds);
  const redate = createRedate({ sql, clock, otherCells, longestPollMilliseconds });
  const clockWatch = createClockWatch({
    sql,
    clock,
    log,
    redate: async (isSetBack) => {
      activity.note();
      await redate(isSetBack);
    },
    beforeSetBack,
  });
  health.onReading(clockWatch.take);
  makeFolder(config.dataFolder, 0o700);
  const inDataFolder = join(config.dataFolder, "master-key");
  const fetchOuter = () => loadOuterKey(config.outerKey);
  const outer = await fetchOuter();
  const keyFile = await findKeyFile({ sql, clock, ids, configured: config.masterKeyFile, inDataFolder, outer });
  const vault = await loadVault(keyFile, outer, fetchOuter);
  // The feed position is read before the tables, so that a change made meanwhile is applied again, never missed.
  const from = await audited(sql);
  const [directory, catalogue, pricing] = [await loadDirectory(sql, vault), await loadCatalogue(sql), await loadPricing(sql)];
  const changeListeners: Settings["changeListeners"] = [
    accountChanges(vault, directory),
    catalogueChanges(catalogue),
    pricingChanges(pricing),
  ];
  const feed = followChanges({
    sql,
    from,
    activity,
    apply: async (changes) => {
      for (const applyChanges of changeListeners) await applyChanges(changes);
    },
    onError: (error) => log.warn({ err: error }, "refreshing the settings failed"),
  });
  return { clock, clockWatch, vault, directory, catalogue, pricing, feed, changeListeners };
}
