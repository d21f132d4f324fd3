import type { Fault } from "../faults.ts";
import type { Definition } from "./definition.ts";

/** One step of a pattern: an escape, a class, the beginning or end of a group, a repetition, or any other character. */
const STEP = /\\(?:k<|.)|\[(?:[^\]\\]|\\.)*\]|\((?:\?(?:<[=!]|<|:|=|!))?|[*+?]|\{[0-9]{1,9}(?:,[0-9]{0,9})?\}|./gsu;
const BACK_REFERENCE = /^\\(?:[1-9]|k<)/;
const LOOK = /^\(\?<?[=!]/;
// Repeats its subject a varying number of times; {3} and ? do not.
const VARIES = /^(?:[*+]|\{[0-9]{1,9},[0-9]{0,9}\})$/;
const REPEATS = /^[*+{]/;
const MAX_PATTERN_LETTERS = 500;

/**
 * Why a pattern could take exponential time on an answer that a provider makes for the purpose; null when it cannot.
 * What remains is polynomial in the answer's length, and boundedMatch ends it.
 */
export function costFault(pattern: string): string | null {
  if (pattern.length > MAX_PATTERN_LETTERS) return `Must have at most ${MAX_PATTERN_LETTERS} characters.`;
  // For every group that is open: whether what it holds can be read in more than one way.
  const open: boolean[] = [];
  let afterSuchGroup = false;
  for (const [step] of pattern.matchAll(STEP)) {
    if (BACK_REFERENCE.test(step) || LOOK.test(step)) return "Must not hold back references, nor look ahead or behind.";
    if (afterSuchGroup && REPEATS.test(step)) return "Must not repeat a group that holds alternatives or repetitions itself.";
    afterSuchGroup = step === ")" && open.pop() === true;
    if (step.startsWith("(")) open.push(false);
    else if (afterSuchGroup || step === "|" || step === "?" || VARIES.test(step)) markInnermost(open);
  }
  return null;
}

function markInnermost(open: boolean[]): void {
  if (open.length > 0) open[open.length - 1] = true;
}

/** Patterns of a description that could take too long. One that was saved before is still used: boundedMatch ends it. */
export function patternFaults({ request, status }: Definition): readonly Fault[] {
  const patterns = { "request.read.pattern": request.read, "status.read.pattern": status.read };
  return Object.entries(patterns).flatMap(([path, read]) => {
    const why = read.format === "text" && read.pattern !== undefined ? costFault(read.pattern) : null;
    return why === null ? [] : [{ path, message: why }];
  });
}
