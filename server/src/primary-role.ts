import { superviseWorkers, type Workers } from "./platform/cluster/supervise-workers.ts";
import { type EmbeddedDatabase, startEmbedded } from "./platform/db/embedded/start-embedded.ts";
import { createOutputLog, type Log } from "./platform/observability/log.ts";
import { type MergedLines, mergeLines } from "./platform/observability/merge-lines.ts";
import { standardOutput } from "./platform/observability/standard-output.ts";
import type { Role } from "./role.ts";
import type { Service } from "./service.ts";
import type { Config } from "./settings/config.ts";

// The most that a worker and the commands beside it open.
const CONNECTIONS_OF_WORKER = 22;
const OTHER_CONNECTIONS = 20;
const USUAL_CONNECTIONS = 100;

/** The process that supervises the workers, accepts their connections and runs the embedded PostgreSQL. It serves nothing itself. */
export function primaryRole({ logLevel: level, logFormat: format }: Config): Role {
  // A terminal shows the workers' output as it is, because they must see that it is a terminal.
  const lines = process.stdout.isTTY ? null : mergedOutput();
  return {
    log: createOutputLog({ level, format, ...(lines === null ? {} : { output: lines.destination }) }),
    start: async (config, log, { beforeListening }) => await startWorkers(config, log, lines, beforeListening),
    discard: async () => {},
    started: () => {},
    retired: new Promise(() => {}),
    beforeExit: async () => {},
  };
}

function mergedOutput(): MergedLines {
  const output = standardOutput();
  const lines = mergeLines((text) => output.write(text));
  // Before the listener that writes out standard output.
  process.prependOnceListener("exit", lines.flush);
  return lines;
}

async function startWorkers(
  config: Config,
  log: Log,
  lines: MergedLines | null,
  beforeListening: (() => Promise<void>) | undefined,
): Promise<Service> {
  const embedded = config.databaseUrl === null ? await startEmbedded(embeddedOptions(config, log)) : null;
  try {
    await beforeListening?.();
    const workers = await superviseWorkers({
      count: config.processes,
      environment: { CORPRAIL_PORT: String(config.port), ...(embedded === null ? {} : { CORPRAIL_DATABASE_URL: embedded.url }) },
      log,
      follow: lines?.follow ?? null,
    });
    if (lines !== null) restartOnHangUp(workers, log);
    return serviceOf(workers, embedded);
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

function embeddedOptions({ dataFolder, host, port, processes }: Config, log: Log): Parameters<typeof startEmbedded>[0] {
  const connections = Math.max(USUAL_CONNECTIONS, processes * CONNECTIONS_OF_WORKER + OTHER_CONNECTIONS);
  return { dataFolder, log, address: `http://${host}:${port}`, settings: { max_connections: String(connections) } };
}

function serviceOf(workers: Workers, embedded: EmbeddedDatabase | null): Service {
  let isTold = false;
  const tell = (signal: NodeJS.Signals) => {
    embedded?.stopping();
    if (!isTold) workers.stop(signal);
    isTold = true;
  };
  return {
    port: workers.port,
    failed: (embedded?.died ?? new Promise<string>(() => {})).then((output) => `The embedded PostgreSQL exited unexpectedly: ${output}`),
    // The workers drain by themselves after this signal, for as long as this process waits.
    drain: () => tell("SIGTERM"),
    stop: async () => {
      tell("SIGINT");
      await workers.ended;
      await embedded?.stop();
    },
  };
}

/** SIGHUP replaces the workers one after the other, while the port stays open. */
function restartOnHangUp(workers: Workers, log: Log): void {
  let restarting = Promise.resolve();
  process.on("SIGHUP", () => {
    restarting = restarting.then(async () => {
      log.info({}, "replacing the workers one after the other");
      await workers.restart().then(
        () => log.info({}, "all workers are replaced"),
        (error: unknown) => log.error({ err: error }, "not all workers could be replaced"),
      );
    });
  });
}
