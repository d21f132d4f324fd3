/**
 * What an order costs with providers over HTTP, measured with `npm run bench` on shared 2-core machines: see docs/scaling.md.
 */
export const COSTS = {
  /** CPU time. */
  nodeMicrosecondsPerOrder: 450,
  nodeMicrosecondsPerCallback: 220,
  postgresMicrosecondsPerOrder: 300,
  postgresMicrosecondsPerCallback: 175,
  /** Indexes included. */
  storedBytesPerOrder: 2_400,
  storedBytesPerReference: 103,
  walBytesPerOrder: 5_800,
  archivedBytesPerOrder: 37,
  /** To a cell. */
  connectionsPerProcess: 20,
} as const;

/** Above half of its capacity a reply waits noticeably longer, so nothing is planned to be busier at the peak. */
const BUSY_AT_PEAK = 0.5;
const DAY_SECONDS = 86_400;
const MONTH_DAYS = 30.5;
const MICROSECONDS_PER_SECOND = 1_000_000;

export type Demand = {
  readonly ordersPerDay: number;
  /** The busiest second divided by the average one. */
  readonly peak: number;
  /** The share of orders with a callback, 0 to 1. */
  readonly callbacks: number;
  /** The months of history that stay in the database. */
  readonly keepMonths: number;
  /** Cores of one machine. */
  readonly cores: number;
};

export const STEPS = ["one process", "all cores of one machine", "several machines, one PostgreSQL", "cells"] as const;
export type StepName = (typeof STEPS)[number];

/** A step is enough up to this many orders; null if it has no limit. */
export type Step = { readonly name: StepName; readonly upToOrdersPerDay: number | null };

export type Capacity = {
  readonly peakPerSecond: number;
  readonly nodeCores: number;
  readonly postgresCores: number;
  readonly processes: number;
  readonly cells: number;
  readonly connectionsOfEachCell: number;
  readonly databaseGigabytes: number;
  readonly referencesGigabytesAYear: number;
  readonly walGigabytesADay: number;
  readonly archiveGigabytesAYear: number;
  readonly step: StepName;
  readonly steps: readonly Step[];
};

/** Computes what a demand needs, and up to which demand each step of growth is enough. */
export function planCapacity(demand: Demand): Capacity {
  const { ordersPerDay, keepMonths, cores } = demand;
  const nodeCores = ordersPerDay * coresOfAnOrder(demand, COSTS.nodeMicrosecondsPerOrder, COSTS.nodeMicrosecondsPerCallback);
  const postgresCores = ordersPerDay * coresOfAnOrder(demand, COSTS.postgresMicrosecondsPerOrder, COSTS.postgresMicrosecondsPerCallback);
  const steps = stepsOf(demand);
  const processes = Math.max(1, Math.ceil(nodeCores));
  return {
    peakPerSecond: (ordersPerDay * demand.peak) / DAY_SECONDS,
    nodeCores,
    postgresCores,
    processes,
    cells: Math.max(1, Math.ceil(postgresCores / cores)),
    connectionsOfEachCell: processes * COSTS.connectionsPerProcess,
    databaseGigabytes: gigabytes(ordersPerDay * MONTH_DAYS * keepMonths * COSTS.storedBytesPerOrder),
    referencesGigabytesAYear: gigabytes(ordersPerDay * 365 * COSTS.storedBytesPerReference),
    walGigabytesADay: gigabytes(ordersPerDay * COSTS.walBytesPerOrder),
    archiveGigabytesAYear: gigabytes(ordersPerDay * 365 * COSTS.archivedBytesPerOrder),
    step: steps.find(({ upToOrdersPerDay }) => upToOrdersPerDay === null || ordersPerDay <= upToOrdersPerDay)?.name ?? "cells",
    steps,
  };
}

/** The cores that one order a day needs at the peak. */
function coresOfAnOrder({ peak, callbacks }: Demand, orderMicroseconds: number, callbackMicroseconds: number): number {
  return ((orderMicroseconds + callbacks * callbackMicroseconds) * peak) / DAY_SECONDS / MICROSECONDS_PER_SECOND / BUSY_AT_PEAK;
}

function stepsOf(demand: Demand): readonly Step[] {
  const node = coresOfAnOrder(demand, COSTS.nodeMicrosecondsPerOrder, COSTS.nodeMicrosecondsPerCallback);
  const postgres = coresOfAnOrder(demand, COSTS.postgresMicrosecondsPerOrder, COSTS.postgresMicrosecondsPerCallback);
  const limits = [Math.min(1 / node, demand.cores / (node + postgres)), demand.cores / (node + postgres), demand.cores / postgres, null];
  return STEPS.map((name, place) => {
    const limit = limits[place] ?? null;
    return { name, upToOrdersPerDay: limit === null ? null : Math.floor(limit) };
  });
}

function gigabytes(bytes: number): number {
  return bytes / 1e9;
}
