import { type AST, RegExpParser, visitRegExpAST } from "@eslint-community/regexpp";
import { alphabetOf } from "./alphabet.ts";
import { isExponential, isPolynomial } from "./ambiguity.ts";
import { type Automaton, automatonOf } from "./automaton.ts";
import { buildGraph, type GraphOptions } from "./build-graph.ts";
import { NotAnalysable } from "./graph.ts";
import { stepsOfOneTry } from "./steps-of-try.ts";

// A pattern is translated into an automaton whose ambiguity decides: it is polynomial or exponential where the engine can come
// to one state in more and more ways. `recheck` does the same in minutes for some patterns, searches others at random, and
// does not know a match that reads further than it is long. What is not known counts as a fault.

const FEW_COPIES = 8;
const MANY_COPIES = 256;
/** So many steps for each character of the text count as linear time. */
const MOST_STEPS = 4_096;

/** Why a search with this pattern may take more than linear time; null when it cannot. */
export function patternFault(source: string, flags: string): string | null {
  const mode = { unicode: flags.includes("u"), unicodeSets: flags.includes("v") };
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, mode);
  try {
    const fault = ambiguityOf(pattern, flags, FEW_COPIES);
    return fault === null || isOnlyLimited(pattern, flags) ? null : fault;
  } catch (error) {
    if (error instanceof NotAnalysable) return `cannot be analysed: ${error.message}`;
    throw error;
  }
}

function analyse(pattern: AST.Pattern, flags: string, options: GraphOptions): Automaton {
  const alphabet = alphabetOf(pattern, flags);
  return automatonOf(buildGraph(pattern, flags, alphabet, options), alphabet);
}

function ambiguityOf(pattern: AST.Pattern, flags: string, mostCopies: number): string | null {
  const automaton = analyse(pattern, flags, { mostCopies, tries: "all" });
  if (isExponential(automaton)) return "exponential";
  return isPolynomial(automaton) ? "polynomial" : null;
}

/** Whether limited repetitions alone are at fault, and so few that each character costs a fixed number of steps. */
function isOnlyLimited(pattern: AST.Pattern, flags: string): boolean {
  if (!hasManyCopies(pattern)) return false;
  const cost = stepsOfOneTry(analyse(pattern, flags, { mostCopies: MANY_COPIES, tries: "one" }));
  if (cost === null || cost.most > MOST_STEPS) return false;
  return !cost.repeats || ambiguityOf(pattern, flags, MANY_COPIES) === null;
}

function hasManyCopies(pattern: AST.Pattern): boolean {
  let found = false;
  visitRegExpAST(pattern, {
    onQuantifierEnter: ({ min, max }) => {
      found ||= min > FEW_COPIES || (Number.isFinite(max) && max > FEW_COPIES);
    },
  });
  return found;
}
