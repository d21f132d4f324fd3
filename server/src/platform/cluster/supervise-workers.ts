import cluster, { type Worker } from "node:cluster";
import type { Readable } from "node:stream";
import { Counter, Gauge, Registry } from "prom-client";
import { takeSnapshot } from "../observability/combine-metrics.ts";
import type { Log } from "../observability/log.ts";
import { type Member, startMember, tellWorker } from "./member.ts";
import type { FromWorker } from "./messages.ts";
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

type Crew = WorkersOptions & {
  readonly members: Set<Member>;
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
  const crew = createCrew(options, () => allEnded());
  const port = await launch(crew).began;
  if (port === null) throw new Error("The service could not start. The message of its first worker is above.");
  // Not earlier: what prevents the first worker from starting would prevent every other one too.
  crew.isReplacing = true;
  for (let started = 1; started < options.count; started++) launch(crew);
  return { port, ended, restart: () => restart(crew), stop: (signal) => stop(crew, signal) };
}

function createCrew(options: WorkersOptions, allEnded: () => void): Crew {
  const registry = new Registry();
  const members = new Set<Member>();
  const gauge: Gauge = new Gauge({
    name: "corprail_workers",
    help: "Worker processes that serve requests.",
    registers: [registry],
    collect: () => gauge.set([...members].filter(({ isReady }) => isReady).length),
  });
  const replacements = new Counter({
    name: "corprail_worker_replacements_total",
    help: "Worker processes that ended unexpectedly and were replaced.",
    registers: [registry],
  });
  const state = { isReplacing: false, isStopping: false, failures: 0 };
  return { ...options, members, metrics: createWorkerMetrics(), registry, replacements, allEnded, ...state };
}

function launch(crew: Crew): Member {
  const member = startMember(crew.environment, crew.follow, (worker, message) => receive(crew, worker, message));
  const { worker } = member;
  crew.members.add(member);
  void member.began.then((port) => {
    if (port !== null) crew.log.info({ worker: worker.id, pid: worker.process.pid }, "worker ready");
  });
  void member.ended.then(() => {
    crew.members.delete(member);
    crew.metrics.ended(worker);
    if (crew.isStopping && crew.members.size === 0) crew.allEnded();
    if (crew.isReplacing && !crew.isStopping && member.isReplaceable) replace(crew, member);
  });
  return member;
}

function receive(crew: Crew, worker: Worker, message: FromWorker): void {
  if (message.kind === "scrape") void answerScrape(crew, worker, message.id);
  if (message.kind === "snapshot") crew.metrics.received(worker, message.snapshot, message.id);
  if (message.kind === "totals") crew.metrics.received(worker, message.snapshot, null);
}

async function answerScrape(crew: Crew, worker: Worker, id: number): Promise<void> {
  const workers = [...crew.members].filter(({ isReady }) => isReady).map((member) => member.worker);
  const text = await crew.metrics.collect(workers, await takeSnapshot(crew.registry));
  tellWorker(worker, { kind: "scraped", id, text });
}

function replace(crew: Crew, { worker, startedAt }: Member): void {
  const { exitCode, signalCode: signal } = worker.process;
  crew.failures = performance.now() - startedAt >= STABLE_MILLISECONDS ? 1 : crew.failures + 1;
  const delayMilliseconds = backOff(crew.failures);
  crew.replacements.inc();
  crew.log.error({ worker: worker.id, exitCode, signal, delayMilliseconds }, "worker ended unexpectedly; another one takes its place");
  setTimeout(() => {
    if (!crew.isStopping) launch(crew);
  }, delayMilliseconds);
}

export function backOff(failures: number): number {
  return Math.min(LONGEST_DELAY_MILLISECONDS, FIRST_DELAY_MILLISECONDS * 2 ** (failures - 1));
}

async function restart(crew: Crew): Promise<void> {
  for (const old of [...crew.members]) {
    if (crew.isStopping) return;
    const next = launch(crew);
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

function stop(crew: Crew, signal: NodeJS.Signals): void {
  crew.isStopping = true;
  if (crew.members.size === 0) crew.allEnded();
  for (const { worker } of crew.members) worker.process.kill(signal);
}
