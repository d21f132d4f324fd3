import type { Log } from "../../platform/observability/log.ts";
import type { Change } from "../audit/feed.ts";
import type { Callbacks } from "./start-callbacks.ts";

// The settings of all accounts stay outdated while this waits, and another session's lock could delay it.
const WAIT_MILLISECONDS = 300;

/**
 * Makes waiting callbacks due after a change of the account's callback settings, before the change is acknowledged. If that
 * takes too long, the engine does it, which checks for changed settings once a second.
 */
export function callbackChanges(callbacks: Pick<Callbacks, "makeDue">, log: Log): (changes: readonly Change[]) => Promise<void> {
  return async (changes) => {
    const accountIds = changes.filter((change) => change.kind === "account").map((change) => change.id);
    if (accountIds.length === 0) return;
    const due = callbacks.makeDue(accountIds).catch((error: unknown) => {
      log.warn({ err: error }, "making callbacks of changed settings due failed; will retry");
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, WAIT_MILLISECONDS);
    });
    await Promise.race([due, late]);
    clearTimeout(timer);
  };
}
