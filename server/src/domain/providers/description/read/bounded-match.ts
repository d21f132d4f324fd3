import { createContext, Script } from "node:vm";

// Matching blocks the whole process. A match that is aborted counts as no answer, so the order is polled again.
const MAX_MILLISECONDS = 50;
// The limit is one of wall-clock time, which a busy machine uses up too. A match that got no processor is tried again.
const MAX_ATTEMPTS = 10;
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
  const before = process.cpuUsage();
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const found = matchOnce();
    if (found !== "too long") return found;
    const { user, system } = process.cpuUsage(before);
    if (user + system > 2 * MAX_MILLISECONDS * 1000) break;
  }
  return "too long";
}

function matchOnce(): BoundedMatch {
  try {
    return match.runInContext(place, { timeout: MAX_MILLISECONDS }) as RegExpExecArray | null;
  } catch (error) {
    // The error may come from the other context, so it need not be an instance of our Error.
    if ((error as { readonly code?: unknown }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return "too long";
    throw error;
  }
}
