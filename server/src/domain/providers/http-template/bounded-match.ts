import { createContext, Script } from "node:vm";

// Everything else in the process waits meanwhile. What is broken off counts as no answer, and is asked for again.
const MOST_MILLISECONDS = 50;
const MOST_LETTERS = 16 * 1024;

const given: { pattern: RegExp | null; text: string } = { pattern: null, text: "" };
const place = createContext(given);
const match = new Script("pattern.exec(text)");

export type BoundedMatch = RegExpExecArray | null | "too long";

/**
 * Looks for a pattern that somebody has written in a text that somebody else has. The two can be such that it takes
 * for ever, and everything else in the process would wait; so it is broken off.
 */
export function boundedMatch(pattern: RegExp, text: string): BoundedMatch {
  if (text.length > MOST_LETTERS) return "too long";
  given.pattern = pattern;
  given.text = text;
  try {
    return match.runInContext(place, { timeout: MOST_MILLISECONDS }) as RegExpExecArray | null;
  } catch (error) {
    // It need not be an Error of ours: it may come out of that other place.
    if ((error as { readonly code?: unknown }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return "too long";
    throw error;
  }
}
