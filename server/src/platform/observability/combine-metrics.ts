import { AggregatorRegistry, Gauge, type Registry } from "prom-client";

/** The metrics of one process at one moment, in a form that can be sent to another. */
export type MetricsSnapshot = readonly object[];

export async function takeSnapshot(registry: Registry): Promise<MetricsSnapshot> {
  return await registry.getMetricsAsJSON();
}

/** Counters and histograms only: what must not be lost when the process ends. Gauges would query a database that is closed. */
export async function takeTotals(registry: Registry): Promise<MetricsSnapshot> {
  const metrics = registry.getMetricsAsArray().map(({ name }) => registry.getSingleMetric(name));
  const totals = metrics.flatMap((metric) => (metric === undefined || metric instanceof Gauge ? [] : [metric]));
  return await Promise.all(totals.map((metric) => metric.get()));
}

/** The counters and histograms of a snapshot. */
export function totalsOf(snapshot: MetricsSnapshot): MetricsSnapshot {
  return snapshot.filter((metric) => "type" in metric && (metric.type === "counter" || metric.type === "histogram"));
}

/** One snapshot for several processes. Each metric says how: most are added up, some have one value for the whole installation. */
export async function combine(snapshots: readonly MetricsSnapshot[]): Promise<MetricsSnapshot> {
  return await takeSnapshot(aggregate(snapshots));
}

export async function combinedText(snapshots: readonly MetricsSnapshot[]): Promise<string> {
  return await aggregate(snapshots).metrics();
}

function aggregate(snapshots: readonly MetricsSnapshot[]): Registry {
  return AggregatorRegistry.aggregate([...snapshots]);
}
