const watched = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back once when the signal aborts; the answer takes that back. Thousands of requests share the signal
 * of one process, and a listener for each would make every addition walk through all of them.
 */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  const waiting = watched.get(signal) ?? watch(signal);
  waiting.add(run);
  return () => void waiting.delete(run);
}

function watch(signal: AbortSignal): Set<() => void> {
  const waiting = new Set<() => void>();
  watched.set(signal, waiting);
  const tellAll = () => {
    for (const run of [...waiting]) run();
    waiting.clear();
  };
  signal.addEventListener("abort", tellAll, { once: true });
  return waiting;
}
