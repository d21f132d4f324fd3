import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { createHistogram, type Observe } from "./histogram.ts";
import { createExemplars, type Exemplars } from "./open-metrics.ts";

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const ITEMS = [1, 2, 5, 10, 20, 50, 100, 200, 500];

export type Stage = "read" | "gate" | "work" | "write";

export type Metrics = {
  readonly registry: Registry;
  /** Everything in Prometheus' text format. In a worker it includes the metrics of the others. */
  readonly text: () => Promise<string>;
  /** Keeps a request with its trace, for the OpenMetrics format. */
  readonly exemplars: Exemplars;
  /** Counts a finished request by route and status. */
  readonly request: (method: string, route: string, status: number, seconds: number) => void;
  readonly stage: Readonly<Record<Stage, Observe>>;
  readonly refusal: (error: string) => void;
  /** Counts a callback from a provider by its outcome. */
  readonly providerCallback: (provider: string, outcome: string) => void;
  /** Counts an attempt that failed because of this installation, not because of the provider. */
  readonly providerFault: (provider: string, fault: string) => void;
  /** Records the batches of one batcher: their size, the wait of their first item and their duration. */
  readonly batches: (batch: string) => (items: number, waitSeconds: number, runSeconds: number) => void;
  /** Counts rows that were deleted because of their age. */
  readonly swept: (table: string, rows: number) => void;
  /** Registers a gauge whose value is read when metrics are collected. */
  readonly gauge: (name: string, help: string, read: () => number, among?: AmongProcesses) => void;
  /** The same with one value for each value of a label. */
  readonly labelledGauge: (
    name: string,
    help: string,
    label: string,
    read: () => Iterable<readonly [value: string, figure: number]>,
    among?: AmongProcesses,
  ) => void;
};

/** How the values of several processes become one: `sum` of what each has, `max` of what each knows about the whole installation. */
export type AmongProcesses = "sum" | "max";

// The event loop's lag is sampled by a timer. The default of 10 ms would wake an idle process a hundred times a second.
const LAG_SAMPLE_MILLISECONDS = 100;

/** @param share makes the metrics part of those of several processes, and returns the function that reads all of them */
export function createMetrics(share?: (registry: Registry) => Metrics["text"]): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "corprail_", eventLoopMonitoringPrecision: LAG_SAMPLE_MILLISECONDS });
  const refusals = new Counter({
    name: "corprail_refusals_total",
    help: "Refused client API requests by error.",
    labelNames: ["error"],
    registers: [registry],
  });
  const swept = new Counter({
    name: "corprail_retention_deleted_rows_total",
    help: "Rows deleted because they were older than the retention settings allow, by table.",
    labelNames: ["table"],
    registers: [registry],
  });
  return {
    registry,
    text: share?.(registry) ?? (() => registry.metrics()),
    exemplars: createExemplars(SECONDS),
    swept: (table, rows) => swept.inc({ table }, rows),
    request: requestMetric(registry),
    stage: stageMetrics(registry),
    refusal: (error) => refusals.inc({ error }),
    ...providerMetrics(registry),
    batches: batchMetrics(registry),
    gauge: (name, help, read, aggregator = "sum") => {
      const gauge: Gauge = new Gauge({ name, help, aggregator, registers: [registry], collect: () => gauge.set(read()) });
    },
    labelledGauge: (name, help, label, read, aggregator = "sum") => {
      const collect = () => {
        gauge.reset();
        for (const [value, figure] of read()) gauge.set({ [label]: value }, figure);
      };
      const gauge: Gauge = new Gauge({ name, help, labelNames: [label], aggregator, registers: [registry], collect });
    },
  };
}

function providerMetrics(registry: Registry): Pick<Metrics, "providerCallback" | "providerFault"> {
  const callbacks = new Counter({
    name: "corprail_provider_callbacks_total",
    help: "Callbacks from providers by outcome: taken, or the reason for the refusal. The provider is - if the path named none.",
    labelNames: ["provider", "outcome"],
    registers: [registry],
  });
  const faults = new Counter({
    name: "corprail_provider_own_faults_total",
    help: "Attempts at a provider that failed because of this installation. They do not count against the provider.",
    labelNames: ["provider", "fault"],
    registers: [registry],
  });
  return {
    providerCallback: (provider, outcome) => callbacks.inc({ provider, outcome }),
    providerFault: (provider, fault) => faults.inc({ provider, fault }),
  };
}

type Methods = Map<string, Observe>;
type Routes = Map<string, Methods>;

function requestMetric(registry: Registry): Metrics["request"] {
  const requests = createHistogram(registry, {
    name: "corprail_http_request_seconds",
    help: "Requests by route and status, from the first byte to the reply.",
    buckets: SECONDS,
  });
  // Nested maps, so that a lookup does not have to build a combined key.
  const resolved = new Map<number, Routes>();
  return (method, route, status, seconds) => {
    const routes = entryOf(resolved, status, (): Routes => new Map());
    const methods = entryOf(routes, route, (): Methods => new Map());
    entryOf(methods, method, () => requests({ method, route, status: String(status) }))(seconds);
  };
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

function stageMetrics(registry: Registry): Metrics["stage"] {
  const stages = createHistogram(registry, {
    name: "corprail_request_stage_seconds",
    help: "Where the time of a client API request goes: reading it, the gate, the work, writing the reply.",
    buckets: SECONDS,
  });
  return {
    read: stages({ stage: "read" }),
    gate: stages({ stage: "gate" }),
    work: stages({ stage: "work" }),
    write: stages({ stage: "write" }),
  };
}

function batchMetrics(registry: Registry): Metrics["batches"] {
  const seconds = createHistogram(registry, {
    name: "corprail_batch_seconds",
    help: "Batches to the database: the wait of the first item of each, and the duration of its SQL.",
    buckets: SECONDS,
  });
  const sizes = createHistogram(registry, {
    name: "corprail_batch_items",
    help: "Requests or operations per batch.",
    buckets: ITEMS,
  });
  return (batch) => {
    const [size, wait, sql] = [sizes({ batch }), seconds({ batch, part: "wait" }), seconds({ batch, part: "sql" })];
    return (items, waitSeconds, runSeconds) => {
      size(items);
      wait(waitSeconds);
      sql(runSeconds);
    };
  };
}
