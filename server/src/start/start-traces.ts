import { Counter } from "prom-client";
import type { Log } from "../platform/observability/log.ts";
import type { Metrics } from "../platform/observability/metrics.ts";
import { useTracer } from "../platform/observability/traces/tracer.ts";
import type { Config } from "../settings/config.ts";

type Dependencies = {
  readonly config: Pick<Config, "traces">;
  readonly metrics: Pick<Metrics, "registry">;
  readonly log: Log;
  readonly closers: (() => unknown)[];
};

/** Switches traces on, if an endpoint is configured. Otherwise the exporter is not even loaded. */
export async function startTraces({ config: { traces: settings }, metrics, log, closers }: Dependencies): Promise<void> {
  const spans = new Counter({
    name: "corprail_trace_spans_total",
    help: "Spans by outcome: exported, dropped because the queue was full, or failed because the collector did not take them.",
    labelNames: ["outcome"],
    registers: [metrics.registry],
  });
  for (const outcome of ["exported", "dropped", "failed"]) spans.inc({ outcome }, 0);
  if (settings === null) return;
  const { createExporter } = await import("../platform/observability/traces/exporter.ts");
  const exporter = createExporter({ ...settings, count: (outcome, count) => spans.inc({ outcome }, count) });
  const undo = useTracer({ sampler: settings.sampler, export: exporter.add });
  closers.push(async () => {
    undo();
    await exporter.close();
  });
  log.info({ endpoint: new URL(settings.url).origin }, "traces are on");
}
