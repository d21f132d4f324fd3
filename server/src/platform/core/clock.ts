export type Clock = {
  /** Milliseconds since 1970, shifted by the configured offset. */
  readonly now: () => number;
  /**
   * Milliseconds on a time line that never steps, for durations inside this process. Only differences mean anything.
   * Clocks without it, such as those of tests, measure durations by `now`.
   */
  readonly steady?: () => number;
  /** How far it is shifted on purpose; 0 when left out. */
  readonly offsetSeconds?: number;
  /** When it was last set, on the steady time line; null when never since the start. */
  readonly steppedAt?: () => number | null;
};

/** The machine's own clock, for commands that end soon. The service uses `createServiceClock`. */
export function systemClock(offsetSeconds = 0): Clock {
  const offsetMilliseconds = offsetSeconds * 1000;
  return { now: () => Date.now() + offsetMilliseconds, offsetSeconds };
}

export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000);
}

/** The time without the offset of trials: what one process writes for others to compare with. */
export function sharedNow(clock: Clock): number {
  return clock.now() - (clock.offsetSeconds ?? 0) * 1000;
}

/** For durations: differences between two of its readings do not change when the clock is set. */
export function steadyNow(clock: Clock): number {
  return clock.steady === undefined ? clock.now() : clock.steady();
}

/** Clocks of one installation agree far better than this: a time further ahead is from before the clock was set back. */
export const FUTURE_MILLISECONDS = 60_000;

/** Whether a delay after `since` is still under way. One that began in the future began before the clock was set back, and is over. */
export function isEarly(now: number, since: number, delayMilliseconds: number): boolean {
  return now < since + delayMilliseconds && since <= now + FUTURE_MILLISECONDS;
}

/** Milliseconds since the clock was last set; infinite when it never was. */
export function sinceStep(clock: Clock): number {
  const steppedAt = clock.steppedAt?.() ?? null;
  return steppedAt === null ? Number.POSITIVE_INFINITY : steadyNow(clock) - steppedAt;
}

export type ServiceClock = Clock & {
  readonly steady: () => number;
  /** Moves the clock towards the database's. Returns the step in milliseconds, 0 when it was at most slewed. */
  readonly follow: (reading: DatabaseReading) => number;
};

/** The database's time, read somewhere between two readings of `steady`. */
export type DatabaseReading = { readonly before: number; readonly databaseMilliseconds: number; readonly after: number };

/** A difference of more than this is a clock that was set; less is corrected little by little. */
export const STEP_MILLISECONDS = 2_000;
const SLEW_MILLISECONDS = 50;

export type ServiceClockOptions = {
  readonly offsetSeconds: number;
  /** When the service starts, by the database. */
  readonly reading: DatabaseReading;
  readonly steady?: () => number;
};

/**
 * The database's clock, carried on by this machine's monotonic one: every process of an installation has the same time, and
 * a machine's clock that is set changes nothing. When the database's own clock is set, `follow` steps with it.
 */
export function createServiceClock({ offsetSeconds, reading, steady = () => performance.now() }: ServiceClockOptions): ServiceClock {
  let base = reading.databaseMilliseconds - reading.after;
  let steppedAt: number | null = null;
  const offset = offsetSeconds * 1000;
  return {
    steppedAt: () => steppedAt,
    offsetSeconds,
    now: () => Math.floor(base + steady()) + offset,
    steady,
    follow: (next) => {
      const difference = differenceOf(base, next);
      const isStep = Math.abs(difference) > STEP_MILLISECONDS;
      base += isStep ? difference : Math.max(-SLEW_MILLISECONDS, Math.min(SLEW_MILLISECONDS, difference));
      if (isStep) steppedAt = steady();
      return isStep ? Math.round(difference) : 0;
    },
  };
}

/** How far the database is ahead; 0 while it may have been read at the same moment. A slow answer proves nothing. */
function differenceOf(base: number, { before, databaseMilliseconds, after }: DatabaseReading): number {
  if (databaseMilliseconds < base + before) return databaseMilliseconds - (base + before);
  return Math.max(0, databaseMilliseconds - (base + after));
}
