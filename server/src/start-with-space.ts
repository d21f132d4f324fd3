import { setTimeout as delay } from "node:timers/promises";
import type { Config } from "./config.ts";
import { DISK_FULL } from "./db/health.ts";
import { isDiskFull } from "./db/outage.ts";
import { openWaitingServer, type WaitingServer } from "./http/waiting-server.ts";
import { randomIds } from "./kernel/ids.ts";
import type { Log } from "./observe/log.ts";
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
