import { setTimeout as delay } from "node:timers/promises";
import { isDiskFull } from "../database-errors.ts";
import { DISK_FULL } from "../servers/health.ts";
import { errorText } from "./failures.ts";
import type { Log, Server } from "./run-server.ts";

export type SupervisedServer = {
  /** Resolves with PostgreSQL's last output when it is not restarted any more. */
  readonly gaveUp: Promise<string>;
  /** Why PostgreSQL is not running; null while it runs. */
  readonly trouble: () => string | null;
  readonly stop: () => Promise<void>;
};

const RESTARTS = 5;
const WITHIN_MILLISECONDS = 60_000;
const SPACE_MILLISECONDS = 1_000;

/**
 * Restarts PostgreSQL when it exits unexpectedly, unless it keeps exiting. On a full disk it retries until there is space,
 * because a restart of the whole service would fail in the same way.
 */
export function superviseServer(first: Server, log: Log, restart: () => Promise<Server>): SupervisedServer {
  let current = first;
  let restarting: Promise<void> = Promise.resolve();
  let stopping = false;
  let trouble: string | null = null;
  const restarts: number[] = [];
  let failedInRow = 0;

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
      log.warn({ lastWords }, "disk full: PostgreSQL will be restarted when there is space");
      trouble = DISK_FULL;
      return true;
    }
    const now = performance.now();
    // A restart may fail because PostgreSQL was killed again while it recovered.
    if (failedInRow >= RESTARTS || restarts.filter((at) => now - at < WITHIN_MILLISECONDS).length >= RESTARTS) return false;
    trouble = "the embedded PostgreSQL is restarting";
    restarts.push(now);
    log.warn({ lastWords }, "PostgreSQL exited unexpectedly and is being restarted");
    return true;
  }

  /** Restarts PostgreSQL. Returns null if it runs, else its last output. */
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
      if (trouble === DISK_FULL) log.info({}, "PostgreSQL running again");
      trouble = null;
      failedInRow = 0;
      return null;
    } catch (error) {
      failedInRow++;
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
