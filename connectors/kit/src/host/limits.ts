/** Limits of one provider's plug-in, so that it hurts nobody else. */
export type HostLimits = {
  /** How long one operation may take. */
  readonly timeoutMs: number;
  /** After its signal aborted, an operation gets this long to end by itself. */
  readonly graceMs: number;
  readonly operationsAtOnce: number;
  /** Operations that never ended, although their time was over. */
  readonly abandoned: number;
  readonly requestsAtOnce: number;
  readonly logLinesPerMinute: number;
};

export const DEFAULT_LIMITS: HostLimits = {
  timeoutMs: 30_000,
  graceMs: 500,
  operationsAtOnce: 256,
  abandoned: 1000,
  requestsAtOnce: 256,
  logLinesPerMinute: 60,
};

export type Ended<Value> =
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "threw"; readonly error: unknown }
  | { readonly kind: "timed_out" | "called_off" }
  | { readonly kind: "full"; readonly why: string };

export type Bounds = {
  /** Runs work that gets a signal, and ends with it or with the limits. Never throws. */
  readonly run: <Value>(signal: AbortSignal, work: (signal: AbortSignal) => Value | Promise<Value>) => Promise<Ended<Value>>;
  readonly callOff: () => void;
};

export function createBounds({ timeoutMs, graceMs, operationsAtOnce, abandoned: mostAbandoned }: HostLimits): Bounds {
  let running = 0;
  let abandoned = 0;
  const closing = new AbortController();

  async function run<Value>(signal: AbortSignal, work: (signal: AbortSignal) => Value | Promise<Value>): Promise<Ended<Value>> {
    if (signal.aborted || closing.signal.aborted) return { kind: "called_off" };
    if (running >= operationsAtOnce) return { kind: "full", why: `${operationsAtOnce} operations of the plug-in are under way` };
    if (abandoned >= mostAbandoned) return { kind: "full", why: `${abandoned} operations of the plug-in never ended; restart the service` };
    running++;
    const own = new AbortController();
    const settled = settle(work, own.signal);
    const limit = untilCalledOff([signal, closing.signal], timeoutMs);
    try {
      const first = await Promise.race([settled, limit.ended]);
      if (first.kind !== "timed_out" && first.kind !== "called_off") return first;
      own.abort();
      const late = await Promise.race([settled, after(graceMs, first)]);
      if (late === first) {
        abandoned++;
        void settled.then(() => abandoned--);
      }
      return late;
    } finally {
      limit.forget();
      running--;
    }
  }
  return { run, callOff: () => closing.abort() };
}

async function settle<Value>(work: (signal: AbortSignal) => Value | Promise<Value>, signal: AbortSignal): Promise<Ended<Value>> {
  try {
    return { kind: "value", value: await work(signal) };
  } catch (error) {
    return { kind: "threw", error };
  }
}

function untilCalledOff(signals: readonly AbortSignal[], timeoutMs: number) {
  const forgets: (() => void)[] = [];
  const ended = new Promise<{ readonly kind: "timed_out" | "called_off" }>((resolve) => {
    const timer = setTimeout(() => resolve({ kind: "timed_out" }), timeoutMs);
    forgets.push(() => clearTimeout(timer));
    for (const signal of signals) {
      const onAbort = () => resolve({ kind: "called_off" });
      signal.addEventListener("abort", onAbort, { once: true });
      forgets.push(() => signal.removeEventListener("abort", onAbort));
    }
  });
  return { ended, forget: () => forgets.forEach((forget) => void forget()) };
}

function after<Value>(milliseconds: number, value: Value): Promise<Value> {
  return new Promise((resolve) => setTimeout(() => resolve(value), milliseconds).unref());
}
