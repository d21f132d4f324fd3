import { setImmediate as nextTurn } from "node:timers/promises";

/** A long computation that can pause after each of its parts. */
export type Sliced<Result> = Generator<void, Result>;

/** Runs it to its end at once. */
export function finish<Result>(work: Sliced<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

const SLICE_MILLISECONDS = 5;

/** Runs it in slices, so that other requests have their turn in between. Nothing is longer than a slice and one part. */
export async function inSlices<Result>(work: Sliced<Result>): Promise<Result> {
  for (;;) {
    const until = performance.now() + SLICE_MILLISECONDS;
    for (;;) {
      const step = work.next();
      if (step.done === true) return step.value;
      if (performance.now() >= until) break;
    }
    await nextTurn();
  }
}
