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
  // Ascending by time. The first one is the newest that the replica is known to have, or the oldest of all.
  let notes: readonly Note[] = [];
  return {
    noteWritten: (at, position) => {
      const last = notes.at(-1);
      if (last === undefined || position > last.position) notes = [...notes, { at, unchangedUntil: at, position }];
      else if (position === last.position) notes = [...notes.slice(0, -1), { ...last, unchangedUntil: at }];
      // After a failover the new primary's log may be shorter.
      else notes = [{ at, unchangedUntil: at, position }];
    },
    lagMilliseconds: (now, replayed) => {
      const newest = notes.at(-1);
      if (newest === undefined) return null;
      const missing = notes.findIndex(({ position }) => position > replayed);
      if (missing === -1) {
        notes = [newest];
        return now - newest.unchangedUntil;
      }
      notes = notes.slice(Math.max(0, missing - 1));
      const [first] = notes;
      if (first === undefined) return null;
      // What is missing may have been written right after the last time at which nothing was missing.
      return now - (first.position > replayed ? first.at : first.unchangedUntil);
    },
  };
}

/** A position of the primary's log, and between which times it was seen. */
type Note = { readonly at: number; readonly unchangedUntil: number; readonly position: bigint };
