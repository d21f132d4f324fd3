import { createShortLivedSet, type ShortLivedSet } from "../../../platform/core/short-lived.ts";

const watched = new WeakMap<AbortSignal, ShortLivedSet<() => void>>();

/**
 * Calls `run` once when the signal aborts. The returned function unregisters it. Thousands of requests share one process's
 * signal, and adding a listener for each would take time proportional to their number.
 */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  const waiting = watched.get(signal) ?? watch(signal);
  return waiting.add(run);
}

function watch(signal: AbortSignal): ShortLivedSet<() => void> {
  const waiting = createShortLivedSet<() => void>();
  watched.set(signal, waiting);
  const runAll = () => {
    for (const run of waiting.items()) run();
    watched.delete(signal);
  };
  signal.addEventListener("abort", runAll, { once: true });
  return waiting;
}
