import type { Automaton, Step } from "./automaton.ts";

const MOST_FRONTS = 5_000;

/** All ways that are open after the same text: how many there are to each state. `rest`: the most steps from here on. */
type Front = { readonly ways: ReadonlyMap<number, number>; readonly next: Front[]; state: "new" | "open" | "done"; rest: number };

/** `repeats`: the steps depend on the length of the text, and those of every further round are not counted. */
export type TryCost = { readonly most: number; readonly repeats: boolean };

/**
 * The most steps that the engine takes from one position until it fails or a match is certain; null if there are too many
 * ways. After a step that makes a match certain the count begins anew.
 */
export function stepsOfOneTry({ first, steps, classCount }: Automaton): TryCost | null {
  const fronts = new Map<string, Front>();
  const frontOf = (taken: readonly (Step & { readonly times: number })[]): Front => {
    const ways = new Map<number, number>();
    for (const { to, count, times } of taken) ways.set(to, (ways.get(to) ?? 0) + count * times);
    const key = [...ways].sort(([one], [other]) => one - other).join(" ");
    const front = fronts.get(key) ?? { ways, next: [], state: "new", rest: 0 };
    fronts.set(key, front);
    return front;
  };
  const roots = [frontOf(first.map((step) => ({ ...step, times: 1 })))];
  const explore = (front: Front): void => {
    if (fronts.size > MOST_FRONTS) return;
    for (let read = 0; read < classCount; read++) {
      const taken = [...front.ways].flatMap(([state, times]) => (steps[state]?.[read] ?? []).map((step) => ({ ...step, times })));
      const unsafe = taken.filter(({ isSafe }) => !isSafe);
      if (unsafe.length > 0) front.next.push(frontOf(unsafe));
      const safe = taken.filter(({ isSafe }) => isSafe).map((step) => ({ ...step, times: 1 }));
      if (safe.length > 0) roots.push(frontOf(safe));
    }
  };
  let most = 0;
  let repeats = false;
  for (let root = roots.pop(); root; root = roots.pop()) {
    if (measure(root, explore)) repeats = true;
    if (fronts.size > MOST_FRONTS) return null;
    most = Math.max(most, root.rest);
  }
  return { most, repeats };
}

/** Finds the most steps after a front, without recursion. Returns whether the fronts repeat. */
function measure(root: Front, explore: (front: Front) => void): boolean {
  const path = [root];
  let repeats = false;
  for (let front = path.at(-1); front; front = path.at(-1)) {
    if (front.state === "new") {
      explore(front);
      front.state = "open";
      if (front.next.some(({ state }) => state === "open")) repeats = true;
      path.push(...front.next.filter(({ state }) => state === "new"));
    } else {
      path.pop();
      if (front.state === "done") continue;
      const ways = [...front.ways.values()].reduce((sum, count) => sum + count, 0);
      front.rest = ways + Math.max(0, ...front.next.map(({ rest }) => rest));
      front.state = "done";
    }
  }
  return repeats;
}
