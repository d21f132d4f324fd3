export type Clock = {
  /** Milliseconds since 1970, shifted by the configured offset. */
  readonly now: () => number;
};

export function systemClock(offsetSeconds = 0): Clock {
  const offsetMilliseconds = offsetSeconds * 1000;
  return { now: () => Date.now() + offsetMilliseconds };
}

export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000);
}
