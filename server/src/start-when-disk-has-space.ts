import { setTimeout as delay } from "node:timers/promises";
import type { NotReadyServer } from "./api/http/not-ready-server.ts";
import type { Config } from "./config.ts";
import { randomIds } from "./platform/core/ids.ts";
import { isDiskFull } from "./platform/db/database-errors.ts";
import { DISK_FULL } from "./platform/db/health.ts";
import type { Log } from "./platform/observability/log.ts";
import type { Service, StartOptions } from "./service.ts";

const RETRY_MILLISECONDS = 1_000;

export type Start = (config: Config, log: Log, options: Pick<StartOptions, "beforeListening">) => Promise<Service>;

/**
 * Starts the service. On a full disk the start is repeated until there is space, because a supervisor that restarts the
 * process would only see the same failure again. Null if a stop was requested meanwhile.
 */
export async function startWhenDiskHasSpace(
  start: Start,
  config: Config,
  log: Log,
  stopRequest: Promise<unknown>,
): Promise<Service | null> {
  let isStopping = false;
  const stopping = stopRequest.then(() => {
    isStopping = true;
  });
  let waiting: NotReadyServer | null = null;
  let { port } = config;
  const endWaiting = async () => {
    await waiting?.close();
    waiting = null;
  };
  try {
    while (!isStopping) {
      try {
        return await start({ ...config, port }, log, { beforeListening: endWaiting });
      } catch (error) {
        if (!isDiskFull(error)) throw error;
        if (waiting === null) log.error({ err: error }, `service not ready: ${DISK_FULL}. The start is retried every second`);
        // Loaded when it is needed, because the primary process has no other use for it.
        const { startNotReadyServer } = await import("./api/http/not-ready-server.ts");
        waiting ??= await startNotReadyServer({ host: config.host, port, ids: randomIds(), reason: DISK_FULL });
        ({ port } = waiting);
      }
      await Promise.race([stopping, delay(RETRY_MILLISECONDS)]);
    }
    return null;
  } finally {
    await endWaiting();
  }
}
