const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** No order in doubt waits longer for its next poll. */
export const LONGEST_POLL_MILLISECONDS = 5 * MINUTE;
const FIRST = [5 * SECOND, 15 * SECOND, 30 * SECOND, MINUTE];

/** When an order in doubt is asked about next, after so many polls; null when a person has to look. */
export function nextPollDelay(polls: number, sinceMilliseconds: number): number | null {
  const early = FIRST[polls];
  if (early !== undefined) return early;
  if (sinceMilliseconds < HOUR) return MINUTE;
  return sinceMilliseconds < DAY ? LONGEST_POLL_MILLISECONDS : null;
}
