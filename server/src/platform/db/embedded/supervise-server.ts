import { setTimeout as delay } from "node:timers/promises";
import { isDiskFull } from "../database-errors.ts";
import { DISK_FULL } from "../health.ts";
import { errorText } from "./failures.ts";
import type { Log, Server } from "./run-server.ts";

export type SupervisedServer = {
  /** Resolves, with the last words, when restarting it is of no use any more. */
  readonly gaveUp: Promise<string>;
  /** Why it does not run at the moment; null when it does. */
  readonly trouble: () => string | null;
  readonly stop: () => Promise<void>;
};

const RESTARTS = 5;
const WITHIN_MILLISECONDS = 60_000;
const SPACE_MILLISECONDS = 1_000;

/**
 * Starts PostgreSQL again when it ends by itself, unless it does so again and again. On a full disk it is tried until there
 * is space: ending the service would help nobody, and whoever starts it again would see the same.
 */
export function superviseServer(first: Server, log: Log, restart: () => Promise<Server>): SupervisedServer {
  let current = first;
  let restarting: Promise<void> = Promise.resolve();
  let stopping = false;
  let trouble: string | null = null;
  const restarts: number[] = [];

  async function watch(): Promise<string> {
    for (let lastWords = await current.ended; ; ) {
      if (stopping) return await new Promise(() => {});
      if (!isWorthARestart(lastWords)) return lastWords;
      lastWords = (await startAgain()) ?? (await current.ended);
    }
  }

  function isWorthARestart(lastWords: string): boolean {
    if (trouble === DISK_FULL) return true;
    if (isDiskFull(new Error(lastWords))) {
      log.warn({ lastWords }, "disk full: PostgreSQL is started again as soon as there is space");
      trouble = DISK_FULL;
      return true;
    }
    const now = performance.now();
    if (trouble !== null || restarts.filter((at) => now - at < WITHIN_MILLISECONDS).length >= RESTARTS) return false;
    trouble = "the embedded PostgreSQL is being started again";
    restarts.push(now);
    log.warn({ lastWords }, "PostgreSQL ended by itself and is started again");
    return true;
  }

  /** Null when it runs again, else its last words. */
  async function startAgain(): Promise<string | null> {
    if (trouble === DISK_FULL) await delay(SPACE_MILLISECONDS);
    if (stopping) return "stopped";
    const starting = restart();
    restarting = starting.then(
      () => {},
      () => {},
    );
    try {
      current = await starting;
      if (trouble === DISK_FULL) log.info({}, "PostgreSQL runs again");
      trouble = null;
      return null;
    } catch (error) {
      return errorText(error);
    }
  }

  return {
    gaveUp: watch(),
    trouble: () => trouble,
    stop: async () => {
      stopping = true;
      await restarting;
      await current.stop();
    },
  };
}
