import { sweepNonces } from "../../../api/client/gate/admission-store.ts";
import type { GateContext } from "../../../api/client/gate/gate.ts";
import { type RouteTable, routeTable } from "../../../api/client/route-table.ts";
import type { AccountsContext } from "../../../domain/accounts/context.ts";
import { accountChanges, loadDirectory } from "../../../domain/accounts/directory.ts";
import { audited, followChanges } from "../../../domain/audit/feed.ts";
import type { Sender } from "../../../domain/callbacks/delivery/send.ts";
import { callbackChanges, startCallbacks } from "../../../domain/callbacks/start-callbacks.ts";
import { loadCatalogue } from "../../../domain/catalog/catalogue.ts";
import type { OrdersContext } from "../../../domain/orders/context.ts";
import { createOrderSummaryFinder } from "../../../domain/orders/queries/find-orders.ts";
import { beat, deregisterProcess, recoverOrders } from "../../../domain/orders/recovery/heartbeat.ts";
import { orderJobs, redatePolls, takeOver } from "../../../domain/orders/recovery/order-jobs.ts";
import { LONGEST_POLL_MILLISECONDS } from "../../../domain/orders/recovery/poll-schedule.ts";
import type { Connector } from "../../../domain/providers/connector.ts";
import type { RechargeContext } from "../../../domain/services/recharge/context.ts";
import { createRecharge } from "../../../domain/services/recharge/create-recharge.ts";
import { getBalance } from "../../../domain/services/recharge/get-balance.ts";
import { getRecharge } from "../../../domain/services/recharge/get-recharge.ts";
import { watchDueWork } from "../../../jobs/watch-due-work.ts";
import { type Activity, createActivity } from "../../../platform/core/activity.ts";
import { randomIds } from "../../../platform/core/ids.ts";
import { startPeriodicJob } from "../../../platform/core/periodic-job.ts";
import type { Vault } from "../../../platform/crypto/vault.ts";
import type { Database } from "../../../platform/db/connection.ts";
import { createClockWatch, startClock } from "../../../platform/db/database-clock.ts";
import { createJobStatuses } from "../../../platform/observability/job-statuses.ts";
import type { Log } from "../../../platform/observability/log.ts";
import type { Bug } from "../checks/bugs.ts";
import type { DatabaseNetwork } from "../environment/database-network.ts";
import type { Owner } from "../environment/event-queue.ts";
import type { World } from "../environment/world.ts";
import { connectPools, createGateContext, createOrdersContext, NOT_SIMULATED } from "./process-parts.ts";

/** One running copy of the service: the real code from the gate to the callbacks, on simulated time, storage and network. */
export type SimulatedProcess = {
  readonly owner: Owner;
  readonly orders: OrdersContext;
  readonly gate: GateContext;
  readonly table: RouteTable;
  readonly accounts: AccountsContext;
  readonly activity: Pick<Activity, "note" | "update">;
  /** Stops in the orderly way. */
  readonly stop: () => Promise<void>;
};

export type ProcessParts = {
  readonly world: World;
  readonly network: DatabaseNetwork;
  readonly vault: Vault;
  readonly log: Log;
  /** By name, tried in this order. */
  readonly providers: (owner: Owner) => Readonly<Record<string, Connector>>;
  readonly transport: (owner: Owner) => Sender;
  readonly bug: Bug | null;
};

/** Builds a process as start-domain.ts, create-gate.ts and start-orders.ts do, and starts its periodic jobs. */
export async function startProcess(parts: ProcessParts, owner: Owner): Promise<SimulatedProcess> {
  const { world, vault, log, bug } = parts;
  const pools = connectPools((pool) => parts.network.dialFor(owner, pool));
  const { sql } = pools.requests;
  const activity = createActivity();
  const ids = randomIds(world.random.fork(`ids of ${owner.name}`).fill);
  const clock = await startClock(sql, 0);
  const redate = async (isSetBack: boolean) => {
    if (!bug?.withoutRepair) await redatePolls({ sql, clock }, isSetBack, LONGEST_POLL_MILLISECONDS);
  };
  let beforeSetBack = async (_now: number) => {};
  const clockWatch = createClockWatch({ sql, clock, log, redate, beforeSetBack: (now) => beforeSetBack(now) });
  const from = await audited(sql);
  const [directory, catalogue] = [await loadDirectory(sql, vault), await loadCatalogue(sql)];
  const changed = [accountChanges(vault, directory)];
  const apply: Parameters<typeof followChanges>[0]["apply"] = async (changes) => {
    activity.note();
    for (const one of changed) await one(changes);
  };
  const feed = followChanges({ sql, from, apply, onError: () => {}, activity });
  const processId = ids.entry(clock.now());
  const callbacks = await startCallbacks({
    ...{ sql, vault, clock, ids, log, processId, activity, allow: [] },
    transport: parts.transport(owner),
    chance: world.random.fork(`chance of ${owner.name}`).next,
  });
  changed.push(callbackChanges(callbacks, log));
  const built = createOrdersContext(pools, {
    clock,
    ids,
    log,
    processId,
    wakeCallbacks: callbacks.wake,
    providers: parts.providers(owner),
  });
  const orders = bug?.orders ? bug.orders(built) : built;
  beforeSetBack = (now) => beat(orders, now);
  const gate = createGateContext(pools, orders.writer, { clock, directory, feed, clockFault: clockWatch.fault });
  await takeOverWith(orders, bug);
  const jobs = [
    clockWatch.job,
    ...orderJobs(orders),
    { name: "nonce sweep", everyMilliseconds: 30_000, run: () => sweepNonces(sql, clock) },
  ];
  const statuses = createJobStatuses();
  const started = jobs
    .filter(({ name }) => name !== bug?.withoutJob && !(bug?.withoutRecovery && name === RECOVERY))
    .map((job) => startPeriodicJob(job, log, statuses, activity));
  activity.stayActiveWhile(() => callbacks.inFlight() + orders.inProgress.size() > 0);
  const watched = bug?.withoutCheck ? { ...activity, isQuiet: () => false } : activity;
  const stopWatching = watchDueWork({ activity: watched, cells: () => [{ feed, database: pools.requests }], clock, log });
  const recharge: RechargeContext = {
    ...orders,
    catalogue,
    lookUp: createOrderSummaryFinder(sql),
    ...NOT_SIMULATED,
  };
  return {
    owner,
    orders,
    gate,
    table: routeTable([createRecharge(recharge), getRecharge(recharge), getBalance(recharge)]),
    accounts: { sql, vault, clock, ids, refresh: feed.refresh },
    activity,
    stop: async () => {
      await orders.inProgress.drained();
      await stopWatching();
      await Promise.all(started.map((stopJob) => stopJob()));
      await deregisterProcess(orders);
      await callbacks.close(2_000);
      feed.close();
      await Promise.all(Object.values(pools).map((pool: Database) => pool.close()));
    },
  };
}

const RECOVERY = "order recovery";

/** What a process does first, less what a planted bug leaves out. */
async function takeOverWith(orders: OrdersContext, bug: Bug | null): Promise<void> {
  if (!bug?.withoutRecovery && !bug?.withoutRepair) return await takeOver(orders, LONGEST_POLL_MILLISECONDS);
  await beat(orders);
  if (!bug.withoutRecovery) await recoverOrders(orders);
}
