import type { OrdersContext } from "../domain/orders/context.ts";
import type { ProviderLists } from "../domain/providers/lists/provider-lists.ts";
import type { ProviderRegistry } from "../domain/providers/registry.ts";
import type { SeatRegister } from "../domain/services/bus/blocks/seat-register.ts";
import { createTripStore } from "../domain/services/bus/trips/trip-store.ts";
import { createProviderServices, type ServicesContext } from "../domain/services/registry.ts";
import type { Clock } from "../platform/core/clock.ts";
import { connect, type Sql } from "../platform/db/connection.ts";
import { poolSize } from "../platform/db/pool-size.ts";
import type { Config } from "../settings/config.ts";
import type { ConnectedDatabase } from "../start/connect-database.ts";

const LONG_WORK_CONNECTIONS = { alone: 6, least: 2 };

/** What the services of every cell share. */
export type ServicesOfCell = {
  readonly config: Pick<Config, "processes" | "simulator">;
  readonly clock: Clock;
  readonly connector: ProviderRegistry["connector"];
  readonly providerLists: ProviderLists;
  /** With several cells: who holds which seat of a bus. */
  readonly seats: SeatRegister | undefined;
};

/** A separate pool for long jobs (exports, counts, comparisons), so that they cannot starve requests. */
export function connectForLongWork({ url, role }: Pick<ConnectedDatabase, "url" | "role">, processes: number) {
  return connect({ url, role, connections: poolSize(LONG_WORK_CONNECTIONS, processes), purpose: "long work" });
}

/** The queries of providers for the orders of a cell. Trips are remembered in the cell. */
export function createQueries(shared: ServicesOfCell, sql: Sql, orders: OrdersContext): ServicesContext["providerServices"] {
  const { config, clock, connector, providerLists } = shared;
  return createProviderServices({
    clock,
    simulatorDelayMilliseconds: config.simulator.delayMilliseconds,
    connectors: connector,
    lists: (queries, name, input) => providerLists.read(queries.provider, name, input),
    trips: createTripStore(sql),
    // Requests wait for these queries, and background jobs repeat them after a restart.
    orders: { references: orders.references, stopping: orders.inProgress.waitsEnded },
  });
}

/** The services of a cell beside home. */
export function createServicesOfCell(shared: ServicesOfCell, database: ConnectedDatabase, orders: OrdersContext) {
  const { sql: longWork, close } = connectForLongWork(database, shared.config.processes);
  return { longWork, providerServices: createQueries(shared, database.sql, orders), close };
}
