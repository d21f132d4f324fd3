import type { Metrics } from "./metrics.ts";

/**
 * The metrics of cells beside home. A gauge gets a name of its own (corprail_cell_…) and the cell as its label, a batcher the
 * cell's number behind its name, so that the metrics of an installation with one cell keep their form.
 */
export function createCellMetrics(metrics: Metrics): (cell: number) => Metrics {
  const gauges = new Map<string, Map<number, () => number>>();
  return (cell) => ({
    ...metrics,
    batches: (batch) => metrics.batches(`${batch} of cell ${cell}`),
    gauge: (name, help, read, among) => {
      const known = gauges.get(name);
      if (known) return void known.set(cell, read);
      const reads = new Map([[cell, read]]);
      gauges.set(name, reads);
      const values = () => [...reads].map(([number, one]) => [String(number), one()] as const);
      metrics.labelledGauge(name.replace(/^corprail_/, "corprail_cell_"), `${help} By cell, without home.`, "cell", values, among);
    },
  });
}
