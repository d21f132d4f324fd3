import cluster from "node:cluster";
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import type { NotReadyServer } from "../api/http/not-ready-server.ts";
import { randomIds } from "../platform/core/ids.ts";
import { isDiskFull, isReadOnly, isSilent } from "../platform/db/database-errors.ts";
import { DISK_FULL, NO_ANSWER, READ_ONLY } from "../platform/db/servers/health.ts";
import type { Log } from "../platform/observability/log.ts";
import type { Service, StartOptions } from "../service.ts";
import type { Config } from "../settings/config.ts";

const RETRY_MILLISECONDS = 1_000;
// Long enough for a database that starts, recovers or is overloaded; a wrong address is reported after it.
const SILENCE_MILLISECONDS = 60_000;

export type Start = (config: Config, log: Log, options: Pick<StartOptions, "beforeListening">) => Promise<Service>;

/**
 * Starts the service. The start is repeated while the disk is full or the database is read-only, because a supervisor that
 * restarts the process would only see the same failure again, and for a minute while the database accepts no session yet. Null
 * if a stop was requested meanwhile.
 */
export async function startWhenPossible(start: Start, config: Config, log: Log, stopRequest: Promise<unknown>): Promise<Service | null> {
  let isStopping = false;
  const stopping = stopRequest.then(() => {
    isStopping = true;
  });
  const givesUpAt = performance.now() + SILENCE_MILLISECONDS;
  let waiting: NotReadyServer | null = null;
  let reported: string | null = null;
  let { port } = config;
  const endWaiting = async () => {
    await waiting?.close();
    waiting = null;
  };
  try {
    // A stop that was requested while the program was loaded becomes known in the next turn of the event loop.
    await nextTurn();
    while (!isStopping) {
      try {
        return await start({ ...config, port }, log, { beforeListening: endWaiting });
      } catch (error) {
        const reason = passingReason(error, givesUpAt);
        if (reason === null) throw error;
        if (reported !== reason) {
          reported = reason;
          log.error({ err: error }, `service not ready: ${reason}. The start is retried every second`);
          await endWaiting();
        }
        // A worker that waits for a session must not answer instead of workers that serve the same port.
        if (waiting === null && (cluster.isPrimary || reason !== NO_ANSWER)) {
          // Loaded when it is needed, because the primary process has no other use for it.
          const { startNotReadyServer } = await import("../api/http/not-ready-server.ts");
          waiting = await startNotReadyServer({ host: config.host, port, ids: randomIds(), reason });
          ({ port } = waiting);
        }
      }
      await Promise.race([stopping, delay(RETRY_MILLISECONDS)]);
    }
    return null;
  } finally {
    await endWaiting();
  }
}

/** Why the start failed, if the next attempt can succeed; null if it cannot. */
function passingReason(error: unknown, givesUpAt: number): string | null {
  if (isDiskFull(error)) return DISK_FULL;
  if (isReadOnly(error)) return READ_ONLY;
  return isSilent(error) && performance.now() < givesUpAt ? NO_ANSWER : null;
}
