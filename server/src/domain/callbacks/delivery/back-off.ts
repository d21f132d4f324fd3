const MINUTE = 60;
const HOUR = 60 * MINUTE;

// Contract, section 7; the last one repeats.
const DELAY_SECONDS = [5, 15, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR] as const;
const SPREAD = 0.2;

/** The delay after a failure that follows `step` other failures. `chance` is between 0 and 1. */
export function backOffMilliseconds(step: number, chance: number): number {
  const seconds = DELAY_SECONDS[Math.min(step, DELAY_SECONDS.length - 1)] ?? 6 * HOUR;
  return Math.round(seconds * 1000 * (1 - SPREAD + 2 * SPREAD * chance));
}

/** The longest delay after each number of failures; the last one repeats. */
export const LONGEST_WAIT_SECONDS: readonly number[] = [0, ...DELAY_SECONDS].map((seconds) => Math.ceil(seconds * (1 + SPREAD)));
