import { useSyncExternalStore } from "react";

// Behind a proxy the proxy answers 502 or 504 for a service that is away; 0 is no answer at all.
const OUTAGE: readonly number[] = [0, 502, 503, 504];
const ASK_AGAIN_MILLISECONDS = 3_000;

/** Why the service cannot be used now; null while it answers. */
let trouble: string | null = null;
const listeners = new Set<() => void>();

export function isOutage(status: number): boolean {
  return OUTAGE.includes(status);
}

/** Told by api.ts of every answer: null when the service answered, else why it cannot be used. */
export function noteOutage(now: string | null): void {
  if (now === trouble) return;
  trouble = now;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Why the service cannot be used now, for people; null while it answers. */
export function useOutage(): string | null {
  return useSyncExternalStore(subscribe, () => trouble);
}

/** Asks again every few seconds while the service cannot be used, so that pages load by themselves when it is back. */
export function watchOutage(ask: () => Promise<unknown>, onRecovered: () => void): void {
  let timer: number | null = null;
  subscribe(() => {
    if (trouble !== null) {
      timer ??= window.setInterval(() => void ask().catch(() => undefined), ASK_AGAIN_MILLISECONDS);
    } else if (timer !== null) {
      window.clearInterval(timer);
      timer = null;
      onRecovered();
    }
  });
}
