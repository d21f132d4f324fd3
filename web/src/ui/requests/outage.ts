import { useSyncExternalStore } from "react";

// A reverse proxy responds 502 or 504 when the service is down. 0 means no response at all.
const OUTAGE: readonly number[] = [0, 502, 503, 504];
const PROBE_MILLISECONDS = 3_000;

/** Why the service is unavailable; null while it responds. */
let outage: string | null = null;
const listeners = new Set<() => void>();

export function isOutage(status: number): boolean {
  return OUTAGE.includes(status);
}

/** Records whether the latest request reached the service: null when it did, else why it is unavailable. */
export function noteOutage(now: string | null): void {
  if (now === outage) return;
  outage = now;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Why the service is unavailable, as shown to the user; null while it responds. */
export function useOutage(): string | null {
  return useSyncExternalStore(subscribe, () => outage);
}

/** Probes the service every few seconds during an outage and calls `onRecovered` when it is back. */
export function watchOutage(probe: () => Promise<unknown>, onRecovered: () => void): void {
  let timer: number | null = null;
  subscribe(() => {
    if (outage !== null) {
      timer ??= window.setInterval(() => void probe().catch(() => undefined), PROBE_MILLISECONDS);
    } else if (timer !== null) {
      window.clearInterval(timer);
      timer = null;
      onRecovered();
    }
  });
}
