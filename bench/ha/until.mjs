import { setTimeout as wait } from "node:timers/promises";

const LOOK_AGAIN_MILLISECONDS = 100;
const PATIENCE_MILLISECONDS = 180_000;

/**
 * Resolves with the first true answer. An error counts as not yet; the last one is part of the message at the end.
 *
 * @param {string} what @param {() => Promise<unknown>} look
 */
export async function until(what, look) {
  const end = performance.now() + PATIENCE_MILLISECONDS;
  let last = null;
  while (performance.now() < end) {
    try {
      const answer = await look();
      if (answer) return answer;
    } catch (error) {
      last = error;
    }
    await wait(LOOK_AGAIN_MILLISECONDS);
  }
  throw new Error(`Waited ${PATIENCE_MILLISECONDS / 1000} s in vain until ${what}.`, { cause: last });
}
