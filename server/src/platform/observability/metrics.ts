import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { createHistogram, type Observe } from "./histogram.ts";

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const ITEMS = [1, 2, 5, 10, 20, 50, 100, 200, 500];

export type Stage = "read" | "gate" | "work" | "write";

export type Metrics = {
  readonly registry: Registry;
  /** One finished request: its route, its answer and where its time went. */
  readonly request: (method: string, route: string, status: number, seconds: number) => void;
  readonly stage: Readonly<Record<Stage, Observe>>;
  readonly refusal: (error: string) => void;
  /** A message that a provider sent by itself, and what became of it. */
  readonly providerCallback: (provider: string, outcome: string) => void;
  /** An order that did not reach a provider, or got no use of it, by a fault of ours. */
  readonly providerFault: (provider: string, fault: string) => void;
  /** For the batches of one name: how many went together, how long the first of them waited and how long they took. */
  readonly batches: (batch: string) => (items: number, waitSeconds: number, runSeconds: number) => void;
  /** A figure that is read when somebody looks. */
  readonly gauge: (name: string, help: string, read: () => number) => void;
};

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "corprail_" });
  const refusals = new Counter({
    name: "corprail_refusals_total",
    help: "Refused client API requests by error.",
    labelNames: ["error"],
    registers: [registry],
  });
  return {
    registry,
    request: requestMetric(registry),
    stage: stageMetrics(registry),
    refusal: (error) => refusals.inc({ error }),
    ...providerMetrics(registry),
    batches: batchMetrics(registry),
    gauge: (name, help, read) => {
      const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) });
    },
  };
}

function providerMetrics(registry: Registry): Pick<Metrics, "providerCallback" | "providerFault"> {
  const callbacks = new Counter({
    name: "corprail_provider_callbacks_total",
    help: "Messages of providers by what became of them: taken, or why not. The provider is - where the path named none.",
    labelNames: ["provider", "outcome"],
    registers: [registry],
  });
  const faults = new Counter({
    name: "corprail_provider_own_faults_total",
    help: "Attempts at a provider that failed by a fault of this installation, which does not count against the provider.",
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
  // By status first: none of the three has to be joined to another to look it up.
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
    help: "Batches to the database: how long the first of each waited for it to leave, and how long its SQL took.",
    buckets: SECONDS,
  });
  const sizes = createHistogram(registry, {
    name: "corprail_batch_items",
    help: "How many requests or operations went together in a batch.",
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
