import { setTimeout as delay } from "node:timers/promises";
import { openWaitingServer, type WaitingServer } from "./api/http/waiting-server.ts";
import type { Config } from "./config.ts";
import { randomIds } from "./platform/core/ids.ts";
import { DISK_FULL } from "./platform/db/health.ts";
import { isDiskFull } from "./platform/db/outage.ts";
import type { Log } from "./platform/observability/log.ts";
import { type Service, startService } from "./service.ts";

const RETRY_MILLISECONDS = 1_000;

/**
 * Starts the service. On a full disk it is tried until there is space, as a running service does: ending would help nobody,
 * and whoever starts it again would see the same. Null when it was told to stop meanwhile.
 */
export async function startWithSpace(config: Config, log: Log, told: Promise<unknown>): Promise<Service | null> {
  let isTold = false;
  const stopping = told.then(() => {
    isTold = true;
  });
  let waiting: WaitingServer | null = null;
  let { port } = config;
  const endWaiting = async () => {
    await waiting?.close();
    waiting = null;
  };
  try {
    while (!isTold) {
      try {
        return await startService({ ...config, port }, log, { beforeListening: endWaiting });
      } catch (error) {
        if (!isDiskFull(error)) throw error;
        if (waiting === null) log.error({ err: error }, `the service is not ready: ${DISK_FULL}. Its start is tried again every second`);
        waiting ??= await openWaitingServer({ host: config.host, port, ids: randomIds(), reason: DISK_FULL });
        ({ port } = waiting);
      }
      await Promise.race([stopping, delay(RETRY_MILLISECONDS)]);
    }
    return null;
  } finally {
    await endWaiting();
  }
}
