import { setTimeout as wait } from "node:timers/promises";

export type SharedOptions<Value> = {
  readonly read: () => Promise<Value>;
  readonly onError: (error: unknown) => void;
  readonly everyMilliseconds?: number;
  /** The pause after a reading, as a multiple of its duration, so that slow readings are rare. */
  readonly restFactor?: number;
};

/** One reading at a time, shared by all viewers. */
export type Shared<Value> = {
  /** Returns a reading that is at most slightly older than the call. */
  readonly read: () => Promise<Value>;
  /** Yields the newest readings until the viewer leaves or this is closed. A slow viewer misses some. */
  readonly watch: (left: AbortSignal) => AsyncIterable<Value>;
  /** Ends all viewers' streams. */
  readonly close: () => void;
};

const EVERY_MILLISECONDS = 2_000;
const REST_TIMES = 20;
const FRESH_MILLISECONDS = 1_000;

export function shareReading<Value>(options: SharedOptions<Value>): Shared<Value> {
  const { everyMilliseconds = EVERY_MILLISECONDS, restFactor = REST_TIMES } = options;
  const closed = new AbortController();
  let under: Promise<Value> | null = null;
  let latest: { readonly value: Value; readonly at: number } | null = null;
  let viewers = 0;
  let turning = false;
  const waiting = new Set<(value: Value | null) => void>();

  function readNow(): Promise<Value> {
    under ??= options
      .read()
      .then((value) => {
        latest = { value, at: performance.now() };
        return value;
      })
      .finally(() => {
        under = null;
      });
    return under;
  }

  function publish(value: Value | null): void {
    for (const tell of [...waiting]) tell(value);
  }

  async function turn(): Promise<void> {
    if (turning) return;
    turning = true;
    while (viewers > 0 && !closed.signal.aborted) {
      const startedAt = performance.now();
      // A failed reading is not sent to viewers, because the next one may succeed.
      await readNow().then(publish, options.onError);
      const rest = Math.max(everyMilliseconds, (performance.now() - startedAt) * restFactor);
      await wait(rest, undefined, { signal: closed.signal }).catch(() => {});
    }
    turning = false;
  }

  function next(left: AbortSignal): Promise<Value | null> {
    return new Promise((resolve) => {
      const tell = (value: Value | null) => {
        waiting.delete(tell);
        left.removeEventListener("abort", end);
        resolve(value);
      };
      const end = () => tell(null);
      left.addEventListener("abort", end, { once: true });
      waiting.add(tell);
      if (left.aborted || closed.signal.aborted) end();
    });
  }

  return {
    read: async () => (latest !== null && performance.now() - latest.at < FRESH_MILLISECONDS ? latest.value : await readNow()),
    watch: async function* (left) {
      viewers += 1;
      try {
        // A new viewer gets the latest reading at once, even an old one.
        if (latest !== null && viewers > 1) yield latest.value;
        while (!left.aborted && !closed.signal.aborted) {
          const coming = next(left);
          void turn();
          const value = await coming;
          if (value === null) return;
          yield value;
        }
      } finally {
        viewers -= 1;
      }
    },
    close: () => {
      closed.abort();
      publish(null);
    },
  };
}
