import type { Alphabet } from "./alphabet.ts";
import type { ClosureTable } from "./automaton.ts";

// A closure is safe if the pattern matches from there whatever the rest of the text is.

export type SafeClosures = {
  readonly isSafe: (closure: number) => boolean;
  /** Whether a match is certain from the closure on if the next character is of this class. */
  readonly isSafeBefore: (closure: number, read: number) => boolean;
};

const MOST_SETS = 2_000;

/** The closures that the engine may be in after the same text. `next` is null where the match may end. */
type ClosureSet = { readonly members: readonly number[]; next: readonly (ClosureSet | null)[] | "unexplored"; isSafe: boolean };

export function safeClosures(closures: ClosureTable, alphabet: Alphabet): SafeClosures {
  const sets = new Map<string, ClosureSet>();
  const setOf = (members: readonly number[]): ClosureSet => {
    const key = members.join(" ");
    const set = sets.get(key) ?? { members, next: "unexplored", isSafe: members.length > 0 };
    sets.set(key, set);
    return set;
  };
  const decided = (members: readonly number[]): ClosureSet => {
    const set = setOf(members);
    if (set.next === "unexplored") decide(set, (one, read) => nextOf(closures, alphabet, setOf, one, read), alphabet.classCount, sets);
    return set;
  };
  return {
    isSafe: (closure) => decided([closure]).isSafe,
    isSafeBefore: (closure, read) => {
      const { next } = decided([closure]);
      const after = next === "unexplored" ? undefined : next[read];
      return after === null || after?.isSafe === true;
    },
  };
}

function nextOf(
  closures: ClosureTable,
  { classCount }: Alphabet,
  setOf: (members: readonly number[]) => ClosureSet,
  { members }: ClosureSet,
  read: number,
): ClosureSet | null {
  const bit = 1n << BigInt(read);
  if (members.some((member) => (closures.get(member).accepts & bit) !== 0n)) return null;
  if (read === classCount) return setOf([]);
  const transitions = members
    .flatMap((member) => closures.get(member).transitions)
    .filter(({ allowed, isCertain }) => isCertain && (allowed & bit) !== 0n);
  return setOf([...new Set(transitions.map(({ to }) => closures.at(to, read)))].sort((one, other) => one - other));
}

/** Explores all sets after this one; then a set is unsafe if some text leads to where nothing matches. */
function decide(
  first: ClosureSet,
  nextAfter: (set: ClosureSet, read: number) => ClosureSet | null,
  classCount: number,
  sets: ReadonlyMap<string, ClosureSet>,
): void {
  const open = [first];
  const explored: ClosureSet[] = [];
  for (let set = open.pop(); set; set = open.pop()) {
    if (set.next !== "unexplored" || set.members.length === 0) continue;
    if (sets.size > MOST_SETS) {
      set.isSafe = false;
      continue;
    }
    const current = set;
    set.next = Array.from({ length: classCount + 1 }, (_, read) => nextAfter(current, read));
    explored.push(set);
    for (const next of set.next) if (next) open.push(next);
  }
  for (let changed = true; changed; ) {
    changed = false;
    for (const set of explored) {
      if (set.isSafe && set.next !== "unexplored" && set.next.some((next) => next !== null && !next.isSafe)) {
        set.isSafe = false;
        changed = true;
      }
    }
  }
}
