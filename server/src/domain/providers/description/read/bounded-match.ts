import { createContext, Script } from "node:vm";

// Matching blocks the whole process. A match that is aborted counts as no answer, so the order is polled again.
// The clock also runs while the machine does other work, so a match that was broken off is tried once more, for longer.
const MAX_MILLISECONDS = [50, 250];
const MAX_CHARACTERS = 16 * 1024;

const given: { pattern: RegExp | null; text: string } = { pattern: null, text: "" };
const place = createContext(given);
const match = new Script("pattern.exec(text)");

export type BoundedMatch = RegExpExecArray | null | "too long";

/**
 * Matches staff's pattern against a provider's text with a time limit, because some combinations take exponential time and
 * would block the process.
 */
export function boundedMatch(pattern: RegExp, text: string): BoundedMatch {
  if (text.length > MAX_CHARACTERS) return "too long";
  given.pattern = pattern;
  given.text = text;
  for (const timeout of MAX_MILLISECONDS) {
    try {
      return match.runInContext(place, { timeout }) as RegExpExecArray | null;
    } catch (error) {
      // The error may come from the other context, so it need not be an instance of our Error.
      if ((error as { readonly code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    }
  }
  return "too long";
}
