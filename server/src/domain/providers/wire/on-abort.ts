const watched = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `run` once when the signal aborts. The returned function unregisters it. Thousands of requests share one process's
 * signal, and adding a listener for each would take time proportional to their number.
 */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  const waiting = watched.get(signal) ?? watch(signal);
  waiting.add(run);
  return () => void waiting.delete(run);
}

function watch(signal: AbortSignal): Set<() => void> {
  const waiting = new Set<() => void>();
  watched.set(signal, waiting);
  const runAll = () => {
    for (const run of [...waiting]) run();
    waiting.clear();
  };
  signal.addEventListener("abort", runAll, { once: true });
  return waiting;
}
