import type { Alphabet } from "./alphabet.ts";
import { allowedNext } from "./conditions.ts";
import { type Graph, NotAnalysable } from "./graph.ts";

/**
 * How a character can be read: which ones, and the node after it. `count`: in how many ways this is reached, 2 for more than
 * one. `isCertain`: it is reached without a condition that is unknown.
 */
export type Transition = { readonly to: number; readonly allowed: bigint; count: number; isCertain: boolean };
/** Everything that can be reached without reading. `accepts`: what may follow where the match may end. */
export type Closure = { readonly transitions: readonly Transition[]; readonly accepts: bigint };

const MOST_VISITS = 20_000;

export function closureOf({ nodes, accept }: Graph, alphabet: Alphabet, from: number, previous: number): Closure {
  const transitions = new Map<string, Transition>();
  const begun = new Set<number>();
  let accepts = 0n;
  let visits = 0;
  const visit = (at: number, allowed: bigint, isCertain: boolean): void => {
    if (allowed === 0n) return;
    if (++visits > MOST_VISITS) throw new NotAnalysable("it has too many empty alternatives");
    if (at === accept && isCertain) accepts |= allowed;
    const { edges, reads } = nodes[at] ?? { edges: [], reads: null };
    if (reads) addTransition(transitions, at, { to: reads.to, allowed: reads.set & allowed, count: 1, isCertain });
    for (const { to, condition, begins, ends } of edges) {
      // The engine stops a repetition at a round that reads nothing.
      if (ends !== undefined && begun.has(ends)) continue;
      if (begins !== undefined) begun.add(begins);
      const next = condition ? allowed & allowedNext(condition, previous, alphabet) : allowed;
      visit(to, next, isCertain && condition?.kind !== "unknown");
      if (begins !== undefined) begun.delete(begins);
    }
  };
  visit(from, alphabet.characters | alphabet.end, true);
  return { transitions: [...transitions.values()], accepts };
}

function addTransition(transitions: Map<string, Transition>, node: number, way: Transition): void {
  if (way.allowed === 0n) return;
  const key = `${node} ${way.allowed}`;
  const known = transitions.get(key);
  if (known) {
    known.count = 2;
    known.isCertain ||= way.isCertain;
  } else transitions.set(key, way);
}
