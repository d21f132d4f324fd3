import { setTimeout as delay } from "node:timers/promises";

const INTERVAL_MILLISECONDS = 25;
// Little less than a test may take (vitest.config.ts): a busy machine fails no test, and what hangs is still named.
export const DEADLINE_MILLISECONDS = 570_000;

/** Polls until there is a result, and names what was awaited when the deadline passes. */
export async function until<Answer>(
  what: string,
  ask: () => Promise<Answer | null | undefined | false> | Answer | null | undefined | false,
  milliseconds = DEADLINE_MILLISECONDS,
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
export async function within<Value>(what: string, promise: Promise<Value>, milliseconds = DEADLINE_MILLISECONDS): Promise<Value> {
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
