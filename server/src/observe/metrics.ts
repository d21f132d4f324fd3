import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export type Stage = "read" | "gate" | "work" | "write";

export type Metrics = {
  readonly registry: Registry;
  /** One finished request: its route, its answer and where its time went. */
  readonly request: (method: string, route: string, status: number, seconds: number) => void;
  readonly stage: (stage: Stage, seconds: number) => void;
  readonly refusal: (error: string) => void;
  /** A figure that is read when somebody looks. */
  readonly gauge: (name: string, help: string, read: () => number) => void;
};

export function openMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "corprail_" });
  const requests = new Histogram({
    name: "corprail_http_request_seconds",
    help: "Requests by route and status, from the first byte to the reply.",
    labelNames: ["method", "route", "status"],
    buckets: SECONDS,
    registers: [registry],
  });
  const stages = new Histogram({
    name: "corprail_request_stage_seconds",
    help: "Where the time of a client API request goes: reading it, the gate, the work, writing the reply.",
    labelNames: ["stage"],
    buckets: SECONDS,
    registers: [registry],
  });
  const refusals = new Counter({
    name: "corprail_refusals_total",
    help: "Refused client API requests by error.",
    labelNames: ["error"],
    registers: [registry],
  });
  return {
    registry,
    request: (method, route, status, seconds) => requests.observe({ method, route, status: String(status) }, seconds),
    stage: (stage, seconds) => stages.observe({ stage }, seconds),
    refusal: (error) => refusals.inc({ error }),
    gauge: (name, help, read) => {
      const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) });
    },
  };
}
