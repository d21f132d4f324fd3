import type { Alphabet } from "./alphabet.ts";
import { type Closure, closureOf } from "./closure.ts";
import { type Graph, NotAnalysable } from "./graph.ts";
import { type SafeClosures, safeClosures } from "./safe-closures.ts";

/**
 * `count`: in how many ways the step can be taken, 2 for more than one. `isSafe`: whatever the rest of the text is, a match
 * is certain by now, so that the engine never goes back to before this step.
 */
export type Step = { readonly to: number; readonly count: number; readonly isSafe: boolean };
/** The steps of each state, by the class of the character that is read. */
export type Automaton = {
  readonly first: readonly Step[];
  readonly steps: readonly (readonly (readonly Step[])[])[];
  readonly classCount: number;
};

const MOST_STATES = 3_000;

/** A state is a node that is about to read, and the closure in which the engine came to it. */
type State = { readonly closure: number; readonly way: number };

export function automatonOf(graph: Graph, alphabet: Alphabet): Automaton {
  const closures = closureTable(graph, alphabet);
  const safe = safeClosures(closures, alphabet);
  const states: State[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (closure: number, way: number): number => {
    const key = `${closure} ${way}`;
    const number = numbers.get(key) ?? states.push({ closure, way }) - 1;
    if (number > MOST_STATES) throw new NotAnalysable("it has too many states");
    numbers.set(key, number);
    return number;
  };
  const start = closures.at(graph.start, -1);
  const first = closures.get(start).transitions.map(({ count }, index) => ({ to: numberOf(start, index), count, isSafe: false }));
  const steps: (readonly Step[])[][] = [];
  for (let at = 0; at < states.length; at++) {
    const { closure, way } = states[at] as State;
    steps.push(Array.from({ length: alphabet.classCount }, (_, read) => stepsOf(closures, safe, numberOf, closure, way, read)));
  }
  return { first, steps, classCount: alphabet.classCount };
}

function stepsOf(
  closures: ClosureTable,
  safe: SafeClosures,
  numberOf: (closure: number, way: number) => number,
  closure: number,
  way: number,
  read: number,
): readonly Step[] {
  const from = closures.get(closure).transitions[way];
  if (!from || (from.allowed & (1n << BigInt(read))) === 0n) return [];
  const next = closures.at(from.to, read);
  const isSafe = safe.isSafeBefore(closure, read) || safe.isSafe(next);
  return closures.get(next).transitions.map(({ count }, index) => ({ to: numberOf(next, index), count, isSafe }));
}

export type ClosureTable = {
  /** The number of the closure of a node after a character. Equal closures have one number. */
  readonly at: (node: number, previous: number) => number;
  readonly get: (closure: number) => Closure;
};

function closureTable(graph: Graph, alphabet: Alphabet): ClosureTable {
  const closures: Closure[] = [];
  const numbers = new Map<string, number>();
  const places = new Map<string, number>();
  const add = (closure: Closure): number => {
    const transitions = closure.transitions.map(({ to, allowed, count, isCertain }) => `${to},${allowed},${count},${isCertain}`);
    const key = `${closure.accepts} ${transitions.join(" ")}`;
    const number = numbers.get(key) ?? closures.push(closure) - 1;
    numbers.set(key, number);
    return number;
  };
  return {
    at: (node, previous) => {
      const place = `${node} ${previous}`;
      const number = places.get(place) ?? add(closureOf(graph, alphabet, node, previous));
      places.set(place, number);
      return number;
    },
    get: (closure) => closures[closure] ?? { transitions: [], accepts: 0n },
  };
}
