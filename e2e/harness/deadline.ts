import { setTimeout as delay } from "node:timers/promises";
import { WAIT_MILLISECONDS } from "../../server/src/testing/deadline.ts";

const INTERVAL_MILLISECONDS = 25;

/** Polls until there is a result, and names what was awaited when the deadline passes. */
export async function until<Answer>(
  what: string,
  ask: () => Promise<Answer | null | undefined | false> | Answer | null | undefined | false,
  milliseconds = WAIT_MILLISECONDS,
): Promise<Answer> {
  const end = performance.now() + milliseconds;
  for (;;) {
    // Fails only after a poll that started past the deadline, because a poll can be slow on a busy machine.
    const isOver = performance.now() > end;
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (isOver) throw new Error(`Not within ${milliseconds} ms: ${what}.`);
    await delay(INTERVAL_MILLISECONDS);
  }
}

/** A promise with a deadline. */
export async function within<Value>(what: string, promise: Promise<Value>, milliseconds = WAIT_MILLISECONDS): Promise<Value> {
  const end = new AbortController();
  const late = delay(milliseconds, undefined, { signal: end.signal }).then(() => {
    throw new Error(`Not within ${milliseconds} ms: ${what}.`);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    end.abort();
    late.catch(() => {});
  }
}
