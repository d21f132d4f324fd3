import { setTimeout as delay } from "node:timers/promises";

const INTERVAL_MILLISECONDS = 25;

/** Asks again until the answer is given, and says what was waited for when it is not. */
export async function until<Answer>(
  what: string,
  ask: () => Promise<Answer | null | undefined | false> | Answer | null | undefined | false,
  milliseconds = 60_000,
): Promise<Answer> {
  const end = performance.now() + milliseconds;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (performance.now() > end) throw new Error(`Not within ${milliseconds} ms: ${what}.`);
    await delay(INTERVAL_MILLISECONDS);
  }
}

/** A promise that may not take longer than that. */
export async function within<Value>(what: string, milliseconds: number, promise: Promise<Value>): Promise<Value> {
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
