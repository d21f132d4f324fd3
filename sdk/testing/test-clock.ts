import type { Clock } from "../src/time.js";

export type TestClock = Clock & {
  /** How long each wait was that ran out, in milliseconds. */
  readonly waits: readonly number[];
  readonly set: (milliseconds: number) => void;
};

type Timer = { readonly at: number; readonly milliseconds: number; readonly run: () => void };

/** Time that jumps to the next timer as soon as nothing else is left to do: no test waits. */
export function testClock(start = 1_750_000_000_000): TestClock {
  let now = start;
  const timers = new Set<Timer>();
  const waits: number[] = [];
  const jump = () => {
    const [next] = [...timers].sort((a, b) => a.at - b.at);
    if (next === undefined) return;
    timers.delete(next);
    now = Math.max(now, next.at);
    waits.push(next.milliseconds);
    next.run();
  };
  return {
    now: () => now,
    after: (milliseconds, run) => {
      const timer = { at: now + milliseconds, milliseconds, run };
      timers.add(timer);
      setImmediate(jump);
      return () => void timers.delete(timer);
    },
    waits,
    set: (milliseconds) => {
      now = milliseconds;
    },
  };
}
