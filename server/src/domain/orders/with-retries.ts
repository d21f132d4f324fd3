import { codeOf, isOutage } from "../../platform/db/database-errors.ts";
import type { Log } from "../../platform/observability/log.ts";

// Whoever waits is answered within ten seconds; one try may take some of them by itself.
const RETRY_FOR_MILLISECONDS = 4_000;
const RETRY_MILLISECONDS = 250;

/** Runs a transaction again that the database did not take; it must find by itself what an earlier run has written. */
export async function withRetries<Answer>(log: Log, run: () => Promise<Answer>): Promise<Answer> {
  const until = performance.now() + RETRY_FOR_MILLISECONDS;
  for (let tried = 1; ; tried++) {
    try {
      return await run();
    } catch (error) {
      if (performance.now() > until || !(isOutage(error) || isCollision(error))) throw error;
      log.warn({ err: error, tried }, "the database did not take a batch; it is tried again");
      await new Promise((resolve) => setTimeout(resolve, RETRY_MILLISECONDS));
    }
  }
}

/** A deadlock or a serialization failure: the same again will do. */
function isCollision(error: unknown): boolean {
  return codeOf(error).startsWith("40");
}
