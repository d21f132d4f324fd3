/** Whether anything happens in this process. While it is quiet, periodic work is done less often. */
export type Activity = {
  /** Something happens now, such as a request. Costs next to nothing. */
  readonly note: () => void;
  readonly isQuiet: () => boolean;
  /** Adds a kind of work during which the process is not quiet. */
  readonly stayActiveWhile: (isBusy: () => boolean) => void;
  /** Calls the listener when the process becomes quiet or active. Returns the function that ends it. */
  readonly onChange: (listener: (isQuiet: boolean) => void) => () => void;
  /** Decides again whether the process is quiet. Must be called periodically. */
  readonly update: () => void;
};

export const QUIET_AFTER_MILLISECONDS = 20_000;

/** A process is quiet when nothing has happened for a while, and active again at the first event. */
export function createActivity(now: () => number = () => performance.now()): Activity {
  const listeners = new Set<(isQuiet: boolean) => void>();
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
    update: () => {
      if (isNoted || kinds.some((isBusy) => isBusy())) {
        isNoted = false;
        lastAt = now();
      }
      become(now() - lastAt >= QUIET_AFTER_MILLISECONDS);
    },
  };
}

/** For programs and tests without anybody who looks for due work while the process is quiet. */
export const ALWAYS_ACTIVE: Pick<Activity, "isQuiet" | "onChange" | "note"> = {
  isQuiet: () => false,
  onChange: () => () => {},
  note: () => {},
};

export type Intervals = {
  readonly everyMilliseconds: number;
  /** The interval while the process is quiet; null: not at all. */
  readonly quietMilliseconds: number | null;
};

/** Calls `run` at an interval that depends on the activity. Returns the function that ends it. */
export function startInterval(run: () => void, intervals: Intervals, activity: Pick<Activity, "isQuiet" | "onChange">): () => void {
  const { everyMilliseconds, quietMilliseconds } = intervals;
  const start = () => {
    const milliseconds = activity.isQuiet() ? quietMilliseconds : everyMilliseconds;
    return milliseconds === null ? undefined : setInterval(run, milliseconds);
  };
  let timer = start();
  const unsubscribe = activity.onChange(() => {
    // An interval that stays the same must not begin again, or it might never end.
    if (quietMilliseconds === everyMilliseconds) return;
    clearInterval(timer);
    timer = start();
  });
  return () => {
    unsubscribe();
    clearInterval(timer);
  };
}
