import type { Automaton, Step } from "./automaton.ts";
import { components } from "./components.ts";

// How often a backtracking engine can be in a state again with the same text: Weber and Seidl, "On the degree of ambiguity
// of finite automata" (1991). Steps after which a match is certain are never tried again.

/** Whether a text has exponentially many paths through the automaton. */
export function isExponential({ steps, classCount }: Automaton): boolean {
  const groups = cyclesOf(steps);
  return groups.some((group) => {
    const members = new Set(group);
    const within = (state: number, one: number) => (steps[state]?.[one] ?? []).filter(({ to, isSafe }) => members.has(to) && !isSafe);
    const classes = Array.from({ length: classCount }, (_, one) => one);
    if (group.some((state) => classes.some((one) => within(state, one).some(({ count }) => count > 1)))) return true;
    // Pairs of states that the same text reaches from the same state, and from which it leads back to the same state.
    const pairs = group.flatMap((left) => group.map((right) => [left, right] as const));
    const index = new Map(pairs.map(([left, right], place) => [left * steps.length + right, place]));
    const next = pairs.map(([left, right]) =>
      classes.flatMap((one) =>
        within(left, one).flatMap((a) => within(right, one).map((b) => index.get(a.to * steps.length + b.to) ?? -1)),
      ),
    );
    return components(next).some((component) => {
      const isEqual = component.map((place) => pairs[place]?.[0] === pairs[place]?.[1]);
      return isEqual.includes(true) && isEqual.includes(false);
    });
  });
}

/**
 * Whether a text has more paths through the automaton the longer it is: a text leads from one state to itself, from there to
 * another one, and from the other one to itself.
 */
export function isPolynomial({ steps, classCount }: Automaton): boolean {
  const groups = cyclesOf(steps);
  const groupOf = new Map(groups.flatMap((group, number) => group.map((state) => [state, number] as const)));
  const reach = reachableFrom(steps);
  const triples = (p: number, q: number) => walksTogether(steps, classCount, groupOf, reach, p, q);
  const states = [...groupOf.keys()];
  return states.some((p) => states.some((q) => p !== q && reach[p]?.has(q) && triples(p, q)));
}

type Group = ReadonlyMap<number, number>;

function walksTogether(
  steps: Automaton["steps"],
  classCount: number,
  groupOf: Group,
  reach: readonly ReadonlySet<number>[],
  p: number,
  q: number,
): boolean {
  const size = steps.length;
  const goal = (p * size + q) * size + q;
  const first = (p * size + p) * size + q;
  const seen = new Set([first]);
  const open = [first];
  for (let triple = open.pop(); triple !== undefined; triple = open.pop()) {
    const third = triple % size;
    const second = Math.floor(triple / size) % size;
    const one = Math.floor(triple / size / size);
    for (let read = 0; read < classCount; read++) {
      const thirds = inGroup(steps[third]?.[read] ?? [], groupOf, q).filter(({ isSafe }) => !isSafe);
      if (thirds.length === 0) continue;
      const seconds = (steps[second]?.[read] ?? []).filter(({ to }) => to === q || reach[to]?.has(q));
      for (const a of inGroup(steps[one]?.[read] ?? [], groupOf, p)) {
        for (const b of seconds) {
          for (const c of thirds) {
            const next = (a.to * size + b.to) * size + c.to;
            if (next === goal) return true;
            if (!seen.has(next)) open.push(next);
            seen.add(next);
          }
        }
      }
    }
  }
  return false;
}

function inGroup(steps: readonly Step[], groupOf: Group, state: number): readonly Step[] {
  return steps.filter(({ to }) => groupOf.get(to) === groupOf.get(state));
}

/** The sets of states from each of which a text leads back to it. */
function cyclesOf(steps: Automaton["steps"]): readonly (readonly number[])[] {
  const next = steps.map((byClass) => [...new Set(byClass.flat().map(({ to }) => to))]);
  return components(next).filter(([first = -1, ...others]) => others.length > 0 || next[first]?.includes(first));
}

function reachableFrom(steps: Automaton["steps"]): readonly ReadonlySet<number>[] {
  const next = steps.map((byClass) => [...new Set(byClass.flat().map(({ to }) => to))]);
  return next.map((_, from) => {
    const seen = new Set<number>();
    const open = [from];
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      for (const to of next[state] ?? []) {
        if (!seen.has(to)) open.push(to);
        seen.add(to);
      }
    }
    return seen;
  });
}
