export type StallWatch = {
  /** Records progress. `where` is named in the message if nothing follows. */
  readonly step: (where: string) => void;
  readonly stop: () => void;
  /** The message of the stall; null if there was none. */
  readonly stalled: () => string | null;
};

/** Calls `onStall` once after `limitSeconds` without progress, so that a hanging database or disk does not block forever. */
export function watchForStall(limitSeconds: number, onStall: () => void): StallWatch {
  let place = "the start";
  let words: string | null = null;
  const timer = setTimeout(() => {
    words = `Nothing was read or written for ${limitSeconds} seconds, at ${place}. The database or the disk does not answer; nothing was kept. Try again.`;
    onStall();
  }, limitSeconds * 1000);
  return {
    step: (where) => {
      place = where;
      timer.refresh();
    },
    stop: () => clearTimeout(timer),
    stalled: () => words,
  };
}
