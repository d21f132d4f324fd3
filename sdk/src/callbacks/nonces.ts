import { type Clock, seconds } from "../time.js";
import type { NonceStore } from "./types.js";

/** For one process. It forgets at a restart, and other processes do not see it: share a store where there are several. */
export function memoryNonces(clock: Clock): NonceStore {
  const seen = new Map<string, number>();
  let nextSweep = 0;
  const sweep = (now: number) => {
    if (now < nextSweep) return;
    for (const [nonce, until] of seen) if (until < now) seen.delete(nonce);
    nextSweep = now + 60;
  };
  return {
    remember: (nonce, untilSeconds) => {
      sweep(seconds(clock));
      if (seen.has(nonce)) return false;
      seen.set(nonce, untilSeconds);
      return true;
    },
  };
}
