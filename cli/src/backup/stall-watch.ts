export type StallWatch = {
  /** Something was read or written; `where` is named if nothing follows. */
  readonly step: (where: string) => void;
  readonly stop: () => void;
  /** What to say of the stall; null while there was none. */
  readonly stalled: () => string | null;
};

/** Calls `onStall` once when nothing has moved for `limitSeconds`: a database or a disk that hangs must not hold a backup for ever. */
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
