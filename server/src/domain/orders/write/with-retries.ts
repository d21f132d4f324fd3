import { codeOf, isOutage } from "../../../platform/db/database-errors.ts";
import type { Log } from "../../../platform/observability/log.ts";

// Clients are answered within ten seconds, and a single attempt may itself take several.
const RETRY_FOR_MILLISECONDS = 4_000;
const RETRY_MILLISECONDS = 250;

/** Retries a transaction that the database rejected. A later run must find what an earlier run has written. */
export async function withRetries<Answer>(log: Pick<Log, "warn">, run: () => Promise<Answer>): Promise<Answer> {
  const until = performance.now() + RETRY_FOR_MILLISECONDS;
  for (let tried = 1; ; tried++) {
    try {
      return await run();
    } catch (error) {
      if (performance.now() > until || !(isOutage(error) || isCollision(error))) throw error;
      log.warn({ err: error, tried }, "database rejected a batch; will retry");
      await new Promise((resolve) => setTimeout(resolve, RETRY_MILLISECONDS));
    }
  }
}

/** A deadlock or a serialization failure, which a second attempt resolves. */
function isCollision(error: unknown): boolean {
  return codeOf(error).startsWith("40");
}
