import type { Call } from "./call.ts";

/** Requests that wait to be written, oldest first. */
export type WaitingCalls = {
  readonly add: (call: Call) => void;
  readonly take: (most: number) => readonly Call[];
  /** Puts back what could not be written. */
  readonly putBack: (calls: readonly Call[]) => void;
  readonly count: () => number;
};

const DROPPED_AT_ONCE = 1_000;
// Bodies are the largest part of an entry. While more wait, entries are kept without them.
const MAX_BODIES_WAITING = 200;

/** At most `most` wait. Above it, the oldest are dropped. */
export function createWaitingCalls(most: number, onDrop: (count: number) => void): WaitingCalls {
  let calls: Call[] = [];
  let bodies = 0;
  const remove = (count: number): readonly Call[] => {
    const removed = calls.slice(0, count);
    calls = calls.slice(count);
    bodies -= countBodies(removed);
    return removed;
  };
  return {
    add: (call) => {
      if (calls.length >= most) onDrop(remove(Math.min(DROPPED_AT_ONCE, most)).length);
      const isKept = call.bodies !== null && bodies < MAX_BODIES_WAITING;
      if (isKept) bodies++;
      calls.push(call.bodies === null || isKept ? call : { ...call, bodies: null });
    },
    take: remove,
    putBack: (batch) => {
      calls = [...batch, ...calls];
      bodies += countBodies(batch);
    },
    count: () => calls.length,
  };
}

function countBodies(calls: readonly Call[]): number {
  return calls.reduce((count, { bodies }) => (bodies === null ? count : count + 1), 0);
}
