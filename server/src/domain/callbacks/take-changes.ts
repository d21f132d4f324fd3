import type { Log } from "../../platform/observability/log.ts";
import type { Change } from "../audit/feed.ts";
import type { Callbacks } from "./start-callbacks.ts";

// The settings of all accounts are stale while this waits, and a row that somebody has locked may keep it waiting.
const PATIENCE_MILLISECONDS = 300;

/**
 * A change of an account's callback settings makes what waits for it due, before the change is answered. What cannot be
 * done in time is done by the engine, which looks for changed settings once a second.
 */
export function callbackChanges(callbacks: Pick<Callbacks, "makeDue">, log: Log): (changes: readonly Change[]) => Promise<void> {
  return async (changes) => {
    const accountIds = changes.filter((change) => change.kind === "account").map((change) => change.id);
    if (accountIds.length === 0) return;
    const due = callbacks.makeDue(accountIds).catch((error: unknown) => {
      log.warn({ err: error }, "callbacks of changed settings could not be made due; it is tried again");
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MILLISECONDS);
    });
    await Promise.race([due, late]);
    clearTimeout(timer);
  };
}
