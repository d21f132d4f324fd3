/** The time source of the service. */
export type Clock = {
  /** Milliseconds since 1970, shifted by the configured offset. */
  readonly now: () => number;
  /**
   * Monotonic milliseconds, for durations within this process. Only differences are meaningful.
   * Clocks without it, such as test clocks, measure durations by `now`.
   */
  readonly steady?: () => number;
  /** The configured offset; 0 when left out. */
  readonly offsetSeconds?: number;
  /** When the clock last stepped, in `steady` milliseconds; null if it has not stepped since the start. */
  readonly steppedAt?: () => number | null;
};

/** The machine's clock, for short commands. The service uses `createServiceClock`. */
export function systemClock(offsetSeconds = 0): Clock {
  const offsetMilliseconds = offsetSeconds * 1000;
  return { now: () => Date.now() + offsetMilliseconds, offsetSeconds };
}

export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000);
}

/** The time without the configured offset. Processes compare times with each other in this form. */
export function sharedNow(clock: Clock): number {
  return clock.now() - (clock.offsetSeconds ?? 0) * 1000;
}

/** Monotonic time for measuring durations. A step of the clock does not affect it. */
export function steadyNow(clock: Clock): number {
  return clock.steady === undefined ? clock.now() : clock.steady();
}

/** The clocks of one installation differ by far less. A time further ahead was written before the clock was set back. */
export const FUTURE_MILLISECONDS = 60_000;

/** Whether a delay after `since` has not elapsed. A start in the future predates a clock step and counts as elapsed. */
export function isEarly(now: number, since: number, delayMilliseconds: number): boolean {
  return now < since + delayMilliseconds && since <= now + FUTURE_MILLISECONDS;
}

/** Milliseconds since the clock last stepped; infinite if it never did. */
export function sinceStep(clock: Clock): number {
  const steppedAt = clock.steppedAt?.() ?? null;
  return steppedAt === null ? Number.POSITIVE_INFINITY : steadyNow(clock) - steppedAt;
}

export type ServiceClock = Clock & {
  readonly steady: () => number;
  /** The step that `follow` would make of this reading, in milliseconds; 0 if it would only slew. */
  readonly stepOf: (reading: DatabaseReading) => number;
  /** Moves the clock towards the database's. Returns the step in milliseconds, or 0 if it was only slewed. */
  readonly follow: (reading: DatabaseReading) => number;
};

/** The database's time, read somewhere between two readings of `steady`. */
export type DatabaseReading = { readonly before: number; readonly databaseMilliseconds: number; readonly after: number };

/** A larger difference is a clock step and is applied at once. A smaller one is corrected gradually. */
export const STEP_MILLISECONDS = 2_000;
const SLEW_MILLISECONDS = 50;

export type ServiceClockOptions = {
  readonly offsetSeconds: number;
  /** The database's time at the start of the service. */
  readonly reading: DatabaseReading;
  readonly steady?: () => number;
};

/**
 * The database's clock, advanced by this machine's monotonic clock. All processes of an installation share the same time,
 * and setting a machine's clock has no effect. When the database's clock is set, `follow` steps with it.
 */
export function createServiceClock({ offsetSeconds, reading, steady = () => performance.now() }: ServiceClockOptions): ServiceClock {
  let base = reading.databaseMilliseconds - reading.after;
  let steppedAt: number | null = null;
  const offset = offsetSeconds * 1000;
  const stepOf = (next: DatabaseReading) => {
    const difference = differenceOf(base, next);
    return Math.abs(difference) > STEP_MILLISECONDS ? Math.round(difference) : 0;
  };
  return {
    stepOf,
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

/** How far the database is ahead; 0 if the difference is within the duration of the reading. */
function differenceOf(base: number, { before, databaseMilliseconds, after }: DatabaseReading): number {
  if (databaseMilliseconds < base + before) return databaseMilliseconds - (base + before);
  return Math.max(0, databaseMilliseconds - (base + after));
}
