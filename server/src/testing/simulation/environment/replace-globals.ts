import type { Event } from "./event-queue.ts";
import type { VirtualTime } from "./virtual-time.ts";

type Handle = Event & { readonly unref: () => Handle; readonly ref: () => Handle; readonly hasRef: () => boolean };
type Run = (...values: unknown[]) => void;

/**
 * Replaces the clocks, timers and random numbers of this whole program by virtual ones, for the service's code and the database
 * driver alike. Only for a program of its own: nothing else can measure time meanwhile. The returned function ends that.
 */
export function replaceGlobals(time: VirtualTime, random: () => number): () => void {
  const real = { ...pick(globalThis), now: Date.now, random: Math.random };
  const cancel = (handle: Event | undefined | null) => {
    if (handle) handle.isCancelled = true;
  };
  Object.assign(globalThis, {
    setTimeout: (run: Run, milliseconds = 0, ...values: unknown[]) => handleOf(time.timer(run, milliseconds, values, 0)),
    setInterval: (run: Run, milliseconds = 1, ...values: unknown[]) =>
      handleOf(time.timer(run, milliseconds, values, Math.max(1, milliseconds))),
    setImmediate: (run: Run, ...values: unknown[]) => handleOf(time.timer(run, 0, values, 0)),
    clearTimeout: cancel,
    clearInterval: cancel,
    clearImmediate: cancel,
  });
  Date.now = () => time.wall();
  Math.random = random;
  Object.defineProperty(performance, "now", { value: () => time.now, configurable: true, writable: true });
  return () => {
    const { now, random: realRandom, ...timers } = real;
    Object.assign(globalThis, timers);
    Date.now = now;
    Math.random = realRandom;
    Reflect.deleteProperty(performance, "now");
  };
}

function pick({ setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate }: typeof globalThis) {
  return { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate };
}

function handleOf(event: Event): Handle {
  const handle: Handle = Object.assign(event, { unref: () => handle, ref: () => handle, hasRef: () => true });
  return handle;
}
