import { errorText } from "./failures.ts";
import type { Log, Server } from "./run-server.ts";

export type KeptServer = {
  /** Resolves, with the last words, when restarting it is of no use any more. */
  readonly gaveUp: Promise<string>;
  readonly stop: () => Promise<void>;
};

const RESTARTS = 5;
const WITHIN_MILLISECONDS = 60_000;

/** Starts PostgreSQL again when it ends by itself, unless it does so again and again. */
export function keepRunning(first: Server, log: Log, restart: () => Promise<Server>): KeptServer {
  let current = first;
  let restarting: Promise<void> = Promise.resolve();
  let stopping = false;
  const restarts: number[] = [];

  async function watch(): Promise<string> {
    for (;;) {
      const lastWords = await current.ended;
      if (stopping) return await new Promise(() => {});
      const now = performance.now();
      if (restarts.filter((at) => now - at < WITHIN_MILLISECONDS).length >= RESTARTS) return lastWords;
      restarts.push(now);
      log.warn({ lastWords }, "PostgreSQL ended by itself and is started again");
      const again = restart();
      restarting = again.then(
        () => {},
        () => {},
      );
      try {
        current = await again;
      } catch (error) {
        return errorText(error);
      }
    }
  }

  return {
    gaveUp: watch(),
    stop: async () => {
      stopping = true;
      await restarting;
      await current.stop();
    },
  };
}
