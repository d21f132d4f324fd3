import type { Vault } from "./accounts/vault.ts";
import type { Commercials } from "./commercials/commercials.ts";
import type { Config } from "./config.ts";
import { connect, type Sql } from "./db/connection.ts";
import type { Clock } from "./kernel/clock.ts";
import type { Ids } from "./kernel/ids.ts";
import type { Log } from "./observe/log.ts";
import type { Metrics } from "./observe/metrics.ts";
import type { OpenedDatabase } from "./open-database.ts";
import { applyFinding } from "./orders/apply-finding.ts";
import type { OrdersContext } from "./orders/context.ts";
import { openOrders } from "./orders/open-orders.ts";
import { findById } from "./orders/store.ts";
import { createWriter } from "./orders/writer.ts";
import type { Report } from "./upstream/connector.ts";
import { openUpstreams, type Upstreams } from "./upstream/registry.ts";

export type OrdersRoomOptions = {
  readonly config: Config;
  readonly database: OpenedDatabase;
  readonly sql: Sql;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly commercials: Commercials;
  readonly processId: string;
  readonly wakeCallbacks: () => void;
  readonly writer?: WriterTuning | undefined;
};

/** Other than usual, for the bench: how much a batch holds and how many connections write. */
export type WriterTuning = { readonly maxItems: number; readonly connections: number };

export type OrdersRoom = {
  readonly ctx: OrdersContext;
  readonly upstreams: Upstreams;
  /** Takes in what a provider says; believed only of the provider that the order is with. */
  readonly takeReport: (report: Report, provider: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

// What is still under way when the process is told to stop has this long; the rest is asked about by whoever comes next.
const DRAIN_MILLISECONDS = 2_000;

export async function openOrdersRoom(options: OrdersRoomOptions): Promise<OrdersRoom> {
  const { config, database, sql, clock, ids, log, processId } = options;
  const tuning = options.writer;
  const lane = connect({ url: database.url, role: database.role, connections: tuning?.connections ?? 1 });
  const writer = createWriter({
    lane: lane.sql,
    sql,
    clock,
    processId,
    log,
    observe: options.metrics.batches("writer"),
    ...(tuning ? { maxItems: tuning.maxItems, maxInFlight: tuning.connections } : {}),
  });
  const open = openOrders();
  const stop = new AbortController();
  const upstreams = await openUpstreams({
    sql,
    vault: options.vault,
    clock,
    log,
    simulator: config.simulator,
    environment: config.providerSecrets,
    reportTo: (report, provider) => {
      takeReport(ctx, report, provider).catch((error: unknown) =>
        log.warn({ err: error, order: report.reference }, "a provider's report could not be taken in; the order will be asked about"),
      );
    },
  });
  const ctx: OrdersContext = {
    sql,
    writer,
    open,
    upstreams,
    commercials: options.commercials,
    clock,
    ids,
    log,
    processId,
    stopping: stop.signal,
    wakeCallbacks: options.wakeCallbacks,
    replyWaitMilliseconds: config.replyWaitMilliseconds,
  };
  options.metrics.gauge("corprail_orders_under_way", "Orders this process is working on.", () => open.size());
  options.metrics.gauge("corprail_writer_load", "Operations waiting for or in a batch of the writer.", () => writer.load());
  return {
    ctx,
    upstreams,
    takeReport: (report, provider) => takeReport(ctx, report, provider),
    close: async () => {
      await Promise.race([open.drained(), new Promise((resolve) => setTimeout(resolve, DRAIN_MILLISECONDS).unref())]);
      stop.abort();
      await upstreams.close();
      await lane.close();
    },
  };
}

async function takeReport(ctx: OrdersContext, report: Report, provider: string): Promise<void> {
  const order = await findById(ctx.sql, report.reference);
  if (order?.provider === provider) await applyFinding(ctx, order, report.finding);
}
