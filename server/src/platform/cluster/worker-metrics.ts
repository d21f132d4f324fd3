import type { Worker } from "node:cluster";
import { combine, combinedText, type MetricsSnapshot, totalsOf } from "../observability/combine-metrics.ts";
import type { ToWorker } from "./messages.ts";

const ANSWER_MILLISECONDS = 2_000;

export type WorkerMetrics = {
  /** The metrics of all workers in one text, with these of the primary process. */
  readonly collect: (workers: readonly Worker[], own: MetricsSnapshot) => Promise<string>;
  /** A worker answered, or sent its final counters. */
  readonly received: (worker: Worker, snapshot: MetricsSnapshot, id: number | null) => void;
  readonly ended: (worker: Worker) => void;
};

/**
 * Adds up the metrics of the workers. The counters of workers that ended stay in the sums: if a sum fell, Prometheus would
 * take it for a restart and count everything again.
 */
export function createWorkerMetrics(): WorkerMetrics {
  const latest = new Map<number, MetricsSnapshot>();
  const waiting = new Map<string, () => void>();
  let ofEnded: MetricsSnapshot = [];
  let adding = Promise.resolve();
  let lastId = 0;

  /** Resolves at the worker's answer. One that is too busy to answer is counted as it was the last time. */
  const ask = (worker: Worker, id: number): Promise<void> =>
    new Promise((resolve) => {
      const key = `${worker.id} ${id}`;
      const end = () => {
        clearTimeout(timer);
        waiting.delete(key);
        resolve();
      };
      const timer = setTimeout(end, ANSWER_MILLISECONDS);
      waiting.set(key, end);
      const message: ToWorker = { kind: "collect", id };
      worker.send(message, (error) => {
        if (error !== null) end();
      });
    });

  return {
    collect: async (workers, own) => {
      lastId++;
      const id = lastId;
      await Promise.all(workers.filter((worker) => worker.isConnected()).map((worker) => ask(worker, id)));
      return await combinedText([own, ofEnded, ...latest.values()]);
    },
    received: (worker, snapshot, id) => {
      latest.set(worker.id, snapshot);
      waiting.get(`${worker.id} ${id}`)?.();
    },
    ended: (worker) => {
      for (const [key, end] of waiting) if (key.startsWith(`${worker.id} `)) end();
      // One after the other: each adds to the sum of those before.
      adding = adding.then(async () => {
        const together = await combine([ofEnded, totalsOf(latest.get(worker.id) ?? [])]);
        latest.delete(worker.id);
        ofEnded = together;
      });
    },
  };
}
