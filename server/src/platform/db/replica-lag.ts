export type LagMeter = {
  /** Notes the position of the primary's log at a time. */
  readonly noteWritten: (atMilliseconds: number, position: bigint) => void;
  /** How old the replica's data is, given the position up to which it has replayed the log; null before the first note. */
  readonly lagMilliseconds: (nowMilliseconds: number, replayed: bigint) => number | null;
};

/**
 * Measures the age of a replica's data by positions of the log. The time of the last replayed transaction would not do:
 * it grows while nobody writes, although the replica has everything.
 */
export function createLagMeter(): LagMeter {
  // Ascending by time. The first one is the oldest that the replica may not have replayed yet.
  let notes: readonly { readonly at: number; readonly position: bigint }[] = [];
  return {
    noteWritten: (at, position) => {
      const last = notes.at(-1);
      // The earliest time of a position counts: the log has not grown since.
      if (last === undefined || position > last.position) notes = [...notes, { at, position }];
      // After a failover the new primary's log may be shorter.
      else if (position < last.position) notes = [{ at, position }];
    },
    lagMilliseconds: (now, replayed) => {
      const newest = notes.at(-1);
      if (newest === undefined) return null;
      const missing = notes.findIndex(({ position }) => position > replayed);
      if (missing === -1) {
        notes = [newest];
        return 0;
      }
      notes = notes.slice(missing);
      return now - (notes[0]?.at ?? now);
    },
  };
}
