/** One token of a pattern: an escape, a class, the start or end of a group, a quantifier, or any other character. A class without an end is one too. */
const STEP = /\\(?:k<|.)|\[(?:[^\]\\]|\\.)*\]?|\((?:\?(?:<[=!]|<|:|=|!))?|[*+?]|\{[0-9]{1,9}(?:,[0-9]{0,9})?\}|./gsu;
const BACK_REFERENCE = /^\\(?:[1-9]|k<)/;
const LOOK = /^\(\?<?[=!]/;
// Quantifiers with a variable count, unlike {3} and ?.
const VARIES = /^(?:[*+]|\{[0-9]{1,9},[0-9]{0,9}\})$/;
const REPEATS = /^[*+{]/;
const MAX_PATTERN_CHARACTERS = 500;

/**
 * Returns why a pattern could take exponential time on a malicious answer; null when it cannot. Other patterns are
 * polynomial in the answer's length, and boundedMatch limits their time.
 */
export function costFault(pattern: string): string | null {
  if (pattern.length > MAX_PATTERN_CHARACTERS) return `Must have at most ${MAX_PATTERN_CHARACTERS} characters.`;
  // For every open group: whether its content can match in more than one way.
  const open: boolean[] = [];
  let afterSuchGroup = false;
  for (const [step] of pattern.matchAll(STEP)) {
    if (BACK_REFERENCE.test(step) || LOOK.test(step)) return "Must not use back references, lookahead or lookbehind.";
    if (afterSuchGroup && REPEATS.test(step)) return "Must not repeat a group that itself contains alternatives or repetitions.";
    afterSuchGroup = step === ")" && open.pop() === true;
    if (step.startsWith("(")) open.push(false);
    else if (afterSuchGroup || step === "|" || step === "?" || VARIES.test(step)) markInnermost(open);
  }
  return null;
}

function markInnermost(open: boolean[]): void {
  if (open.length > 0) open[open.length - 1] = true;
}
