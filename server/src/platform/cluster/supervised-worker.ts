import cluster, { type Worker } from "node:cluster";
import type { Readable } from "node:stream";
import type { FromWorker, ToWorker } from "./messages.ts";

/** One worker, from its start to its end. */
export type SupervisedWorker = {
  readonly worker: Worker;
  /** The port at which it serves; null if it ended before. */
  readonly began: Promise<number | null>;
  readonly ended: Promise<void>;
  readonly startedAt: number;
  isReady: boolean;
  /** Whether another worker takes its place when it ends. */
  isReplaceable: boolean;
};

/** @param follow receives what the worker writes to standard output, if that is not inherited */
export function startWorker(
  environment: Readonly<Record<string, string>>,
  follow: ((stream: Readable) => void) | null,
  onMessage: (worker: Worker, message: FromWorker) => void,
): SupervisedWorker {
  const worker = cluster.fork(environment);
  if (follow !== null && worker.process.stdout !== null) follow(worker.process.stdout);
  // Not "exit": what it wrote last is read by then.
  const ended = new Promise<void>((resolve) => worker.process.once("close", () => resolve()));
  const ready = new Promise<number>((resolve) => {
    worker.on("message", (message: FromWorker) => {
      if (message.kind === "ready") {
        supervised.isReady = true;
        resolve(message.port);
      } else onMessage(worker, message);
    });
  });
  const began = Promise.race([ready, ended.then(() => null)]);
  const supervised: SupervisedWorker = { worker, began, ended, startedAt: performance.now(), isReady: false, isReplaceable: true };
  return supervised;
}

/** If the worker has ended meanwhile, the message is lost; its "close" event tells of that. */
export function tellWorker(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {});
}
