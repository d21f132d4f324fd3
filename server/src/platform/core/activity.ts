/** Whether anything happens in this process. While it is quiet, periodic work is done less often. */
export type Activity = {
  /** Something happens now, such as a request. Costs next to nothing. */
  readonly note: () => void;
  readonly isQuiet: () => boolean;
  /** Adds a kind of work during which the process is not quiet. */
  readonly stayActiveWhile: (isBusy: () => boolean) => void;
  /** Calls the listener when the process becomes quiet or active. Returns the function that ends it. */
  readonly onChange: (listener: (isQuiet: boolean) => void) => () => void;
  /** Calls the listener at every update while the process is quiet. Returns the function that ends it. */
  readonly onTick: (listener: () => void) => () => void;
  /** Decides again whether the process is quiet. Must be called every TICK_MILLISECONDS. */
  readonly update: () => void;
};

export const QUIET_AFTER_MILLISECONDS = 20_000;
// While the process is quiet, one timer wakes it for everything: a wake-up costs more than most of what is done then.
export const TICK_MILLISECONDS = 500;

/** A process is quiet when nothing has happened for a while, and active again at the first event. */
export function createActivity(now: () => number = () => performance.now()): Activity {
  const listeners = new Set<(isQuiet: boolean) => void>();
  const tickers = new Set<() => void>();
  const kinds: (() => boolean)[] = [];
  let isNoted = false;
  let isQuiet = false;
  let lastAt = now();
  const become = (next: boolean) => {
    if (next === isQuiet) return;
    isQuiet = next;
    for (const listener of listeners) listener(isQuiet);
  };
  return {
    note: () => {
      isNoted = true;
      if (isQuiet) become(false);
    },
    isQuiet: () => isQuiet,
    stayActiveWhile: (isBusy) => void kinds.push(isBusy),
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onTick: (listener) => {
      tickers.add(listener);
      return () => void tickers.delete(listener);
    },
    update: () => {
      if (isNoted || kinds.some((isBusy) => isBusy())) {
        isNoted = false;
        lastAt = now();
      }
      become(now() - lastAt >= QUIET_AFTER_MILLISECONDS);
      if (isQuiet) for (const tick of tickers) tick();
    },
  };
}

/** The activity for those who do something less often while the process is quiet. */
export type FollowedActivity = Omit<Activity, "stayActiveWhile" | "update">;

/** For programs and tests in which nothing checks for due work while the process is quiet. */
export const ALWAYS_ACTIVE: FollowedActivity = {
  isQuiet: () => false,
  onChange: () => () => {},
  onTick: () => () => {},
  note: () => {},
};

export type Intervals = {
  readonly everyMilliseconds: number;
  /** The interval while the process is quiet; null: not at all. */
  readonly quietMilliseconds: number | null;
  /** The fraction of the interval before the first run, at the start and when the process becomes active. The default is 1. */
  readonly phase?: number;
};

/** Calls `run` at an interval that depends on the activity. Returns the function that ends it. */
export function startInterval(run: () => void, intervals: Intervals, activity: FollowedActivity): () => void {
  const { everyMilliseconds, quietMilliseconds, phase = 1 } = intervals;
  const firstMilliseconds = everyMilliseconds * phase;
  let timer: NodeJS.Timeout | undefined;
  let ranAt = performance.now() - everyMilliseconds + firstMilliseconds;
  let dueAt = 0;
  const plan = (at: number) => {
    dueAt = at;
    clearTimeout(timer);
    if (!activity.isQuiet()) timer = setTimeout(start, at - performance.now());
  };
  const nextAt = () => ranAt + (activity.isQuiet() ? (quietMilliseconds ?? Number.POSITIVE_INFINITY) : everyMilliseconds);
  const start = () => {
    ranAt = performance.now();
    plan(nextAt());
    run();
  };
  plan(nextAt());
  const ends = [
    // Never later than before, or a process that is quiet and active by turns would never run it.
    activity.onChange((isQuiet) => plan(isQuiet ? nextAt() : Math.min(dueAt, performance.now() + firstMilliseconds))),
    activity.onTick(() => {
      if (performance.now() > dueAt - TICK_MILLISECONDS / 2) start();
    }),
  ];
  return () => {
    for (const end of ends) end();
    clearTimeout(timer);
  };
}
