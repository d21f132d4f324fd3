import cluster from "node:cluster";
import type { Registry } from "prom-client";
import { takeSnapshot, takeTotals } from "../observability/combine-metrics.ts";
import type { FromWorker, ToWorker } from "./messages.ts";

/** What a worker says to the primary process and hears from it. */
export type WorkerLink = {
  readonly id: number;
  readonly tellReady: (port: number) => void;
  /** Resolves when another worker took the place of this one. */
  readonly retired: Promise<void>;
  /** Adds this worker's metrics to those of the others. Returns a function that reads the metrics of all workers. */
  readonly shareMetrics: (registry: Registry) => () => Promise<string>;
  /** Tells the final counters, which would otherwise be missing from the sums. */
  readonly tellTotals: () => Promise<void>;
};

/** Null in a process that is not a worker. */
export function connectToPrimary(): WorkerLink | null {
  const { worker } = cluster;
  if (worker === undefined) return null;
  let shared: Registry | null = null;
  let lastId = 0;
  const scrapes = new Map<number, (text: string) => void>();
  const retired = new Promise<void>((resolve) => {
    worker.on("message", (message: ToWorker) => {
      if (message.kind === "retire") resolve();
      if (message.kind === "collect" && shared !== null) void answer(message.id, shared);
      if (message.kind === "scraped") {
        scrapes.get(message.id)?.(message.text);
        scrapes.delete(message.id);
      }
    });
  });
  const answer = async (id: number, registry: Registry) => tell({ kind: "snapshot", id, snapshot: await takeSnapshot(registry) });
  return {
    id: worker.id,
    retired,
    tellReady: (port) => void tell({ kind: "ready", port }),
    shareMetrics: (registry) => {
      shared = registry;
      return () =>
        new Promise((resolve) => {
          lastId++;
          scrapes.set(lastId, resolve);
          void tell({ kind: "scrape", id: lastId });
        });
    },
    tellTotals: async () => {
      const registry = shared;
      // From now on the gauges, which read the database, are not asked any more.
      shared = null;
      if (registry !== null) await tell({ kind: "totals", snapshot: await takeTotals(registry) });
    },
  };
}

/** Resolves once the message is on its way, so that the process may exit. */
function tell(message: FromWorker): Promise<void> {
  return new Promise((resolve) => {
    // Without a connection the primary process is gone, and this worker is about to exit.
    if (process.connected) process.send?.(message, undefined, undefined, () => resolve());
    else resolve();
  });
}
