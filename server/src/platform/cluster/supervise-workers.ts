import cluster, { type Worker } from "node:cluster";
import type { Readable } from "node:stream";
import { Counter, Gauge, Registry } from "prom-client";
import { takeSnapshot } from "../observability/combine-metrics.ts";
import type { Log } from "../observability/log.ts";
import type { FromWorker } from "./messages.ts";
import { type SupervisedWorker, startWorker, tellWorker } from "./supervised-worker.ts";
import { createWorkerMetrics, type WorkerMetrics } from "./worker-metrics.ts";

export type WorkersOptions = {
  readonly count: number;
  /** Variables that the workers have in addition to this process's. */
  readonly environment: Readonly<Record<string, string>>;
  readonly log: Log;
  /** Receives what a worker writes to standard output. Null: workers write to this process's standard output themselves. */
  readonly follow: ((stream: Readable) => void) | null;
};

export type Workers = {
  readonly port: number;
  /** Replaces the workers one after the other. Each one ends only after its successor serves. */
  readonly restart: () => Promise<void>;
  /** Tells every worker to end. No worker is replaced any more. */
  readonly stop: (signal: NodeJS.Signals) => void;
  /** Resolves when every worker has ended after a stop. */
  readonly ended: Promise<void>;
};

/** The workers and what is known about them. */
type Supervision = WorkersOptions & {
  readonly workers: Set<SupervisedWorker>;
  readonly metrics: WorkerMetrics;
  /** The metrics of this process. */
  readonly registry: Registry;
  readonly replacements: Counter;
  readonly allEnded: () => void;
  /** False until the first worker serves. */
  isReplacing: boolean;
  isStopping: boolean;
  /** Workers that ended soon after their start, one after the other. */
  failures: number;
};

const FIRST_DELAY_MILLISECONDS = 100;
const LONGEST_DELAY_MILLISECONDS = 30_000;
// A worker that served this long was not broken from the start.
const STABLE_MILLISECONDS = 60_000;

/**
 * Runs several processes of this program behind one port. This process accepts the connections and hands them to the workers
 * in turn. A worker that ends is replaced, later and later if it keeps ending.
 */
export async function superviseWorkers(options: WorkersOptions): Promise<Workers> {
  // Otherwise the kernel would choose, and give most connections to few workers.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({ serialization: "advanced", stdio: ["ignore", options.follow === null ? "inherit" : "pipe", "inherit", "ipc"] });
  let allEnded = () => {};
  const ended = new Promise<void>((resolve) => {
    allEnded = resolve;
  });
  const supervision = createSupervision(options, () => allEnded());
  const port = await addWorker(supervision).began;
  if (port === null) throw new Error("The service could not start. The message of its first worker is above.");
  // Not earlier: what prevents the first worker from starting would prevent every other one too.
  supervision.isReplacing = true;
  for (let started = 1; started < options.count; started++) addWorker(supervision);
  return { port, ended, restart: () => restart(supervision), stop: (signal) => stop(supervision, signal) };
}

function createSupervision(options: WorkersOptions, allEnded: () => void): Supervision {
  const registry = new Registry();
  const workers = new Set<SupervisedWorker>();
  const gauge: Gauge = new Gauge({
    name: "corprail_workers",
    help: "Worker processes that serve requests.",
    registers: [registry],
    collect: () => gauge.set([...workers].filter(({ isReady }) => isReady).length),
  });
  const replacements = new Counter({
    name: "corprail_worker_replacements_total",
    help: "Worker processes that ended unexpectedly and were replaced.",
    registers: [registry],
  });
  const state = { isReplacing: false, isStopping: false, failures: 0 };
  return { ...options, workers, metrics: createWorkerMetrics(), registry, replacements, allEnded, ...state };
}

function addWorker(supervision: Supervision): SupervisedWorker {
  const supervised = startWorker(supervision.environment, supervision.follow, (worker, message) => receive(supervision, worker, message));
  const { worker } = supervised;
  supervision.workers.add(supervised);
  void supervised.began.then((port) => {
    if (port !== null) supervision.log.info({ worker: worker.id, pid: worker.process.pid }, "worker ready");
  });
  void supervised.ended.then(() => {
    supervision.workers.delete(supervised);
    supervision.metrics.ended(worker);
    if (supervision.isStopping && supervision.workers.size === 0) supervision.allEnded();
    if (supervision.isReplacing && !supervision.isStopping && supervised.isReplaceable) replace(supervision, supervised);
  });
  return supervised;
}

function receive(supervision: Supervision, worker: Worker, message: FromWorker): void {
  if (message.kind === "scrape") void answerScrape(supervision, worker, message.id);
  if (message.kind === "snapshot") supervision.metrics.received(worker, message.snapshot, message.id);
  if (message.kind === "totals") supervision.metrics.received(worker, message.snapshot, null);
}

async function answerScrape(supervision: Supervision, worker: Worker, id: number): Promise<void> {
  const workers = [...supervision.workers].filter(({ isReady }) => isReady).map(({ worker: ready }) => ready);
  const text = await supervision.metrics.collect(workers, await takeSnapshot(supervision.registry));
  tellWorker(worker, { kind: "scraped", id, text });
}

function replace(supervision: Supervision, { worker, startedAt }: SupervisedWorker): void {
  const { exitCode, signalCode: signal } = worker.process;
  supervision.failures = performance.now() - startedAt >= STABLE_MILLISECONDS ? 1 : supervision.failures + 1;
  const delayMilliseconds = backOff(supervision.failures);
  supervision.replacements.inc();
  supervision.log.error(
    { worker: worker.id, exitCode, signal, delayMilliseconds },
    "worker ended unexpectedly; another one takes its place",
  );
  setTimeout(() => {
    if (!supervision.isStopping) addWorker(supervision);
  }, delayMilliseconds);
}

export function backOff(failures: number): number {
  return Math.min(LONGEST_DELAY_MILLISECONDS, FIRST_DELAY_MILLISECONDS * 2 ** (failures - 1));
}

async function restart(supervision: Supervision): Promise<void> {
  for (const old of [...supervision.workers]) {
    if (supervision.isStopping) return;
    const next = addWorker(supervision);
    // The old worker continues, so nothing is missing if the new one cannot start.
    next.isReplaceable = false;
    if ((await next.began) === null)
      throw new Error("The new worker ended before it was ready. The workers that are not replaced yet continue.");
    next.isReplaceable = true;
    old.isReplaceable = false;
    tellWorker(old.worker, { kind: "retire" });
    await old.ended;
  }
}

function stop(supervision: Supervision, signal: NodeJS.Signals): void {
  supervision.isStopping = true;
  if (supervision.workers.size === 0) supervision.allEnded();
  for (const { worker } of supervision.workers) worker.process.kill(signal);
}
