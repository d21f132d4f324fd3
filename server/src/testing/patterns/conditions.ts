import type { AST } from "@eslint-community/regexpp";
import type { Alphabet } from "./alphabet.ts";
import { type Condition, NotAnalysable } from "./graph.ts";

/** The condition of an assertion. It is exact for anchors, word boundaries, and looks at one character. */
export function conditionOf(assertion: AST.Assertion, alphabet: Alphabet, isMultiline: boolean): Condition {
  switch (assertion.kind) {
    case "start":
      return { kind: isMultiline ? "line_start" : "start" };
    case "end":
      return { kind: isMultiline ? "line_end" : "end" };
    case "word":
      return { kind: "word_edge", negate: assertion.negate };
    default:
      return lookCondition(assertion, alphabet);
  }
}

function lookCondition(assertion: AST.LookaroundAssertion, alphabet: Alphabet): Condition {
  const edge = assertion.kind === "lookahead" ? "end" : "start";
  const elements = assertion.alternatives.map(({ elements: [first, ...rest] }) => (rest.length === 0 ? first : undefined));
  const sets = elements.map((element) => {
    if (element?.type === "Assertion" && element.kind === edge) return 0n;
    return element?.type === "Character" || element?.type === "CharacterSet" || element?.type === "CharacterClass"
      ? alphabet.maskOf(element)
      : null;
  });
  if (sets.includes(null)) {
    if (assertion.kind === "lookbehind" && !assertion.alternatives.every(isShort)) {
      throw new NotAnalysable("a lookbehind has a repetition");
    }
    return { kind: "unknown" };
  }
  return {
    kind: assertion.kind === "lookahead" ? "after" : "before",
    set: sets.reduce<bigint>((all, one) => all | (one ?? 0n), 0n),
    orEdge: elements.some((element) => element?.type === "Assertion"),
    negate: assertion.negate,
  };
}

function isShort({ elements }: AST.Alternative): boolean {
  return elements.every(({ type }) => type === "Character" || type === "CharacterSet" || type === "CharacterClass" || type === "Assertion");
}

/** What may follow where the condition is met; `previous` is the class of the character before, -1 at the start. */
export function allowedNext(condition: Condition, previous: number, { characters, end, word, lineBreak }: Alphabet): bigint {
  const all = characters | end;
  const before = previous < 0 ? 0n : 1n << BigInt(previous);
  switch (condition.kind) {
    case "unknown":
      return all;
    case "start":
      return previous < 0 ? all : 0n;
    case "line_start":
      return previous < 0 || (before & lineBreak) !== 0n ? all : 0n;
    case "end":
      return end;
    case "line_end":
      return lineBreak | end;
    case "word_edge":
      return ((before & word) !== 0n) === condition.negate ? word : all & ~word;
    case "before":
      return ((before & condition.set) !== 0n || (previous < 0 && condition.orEdge)) !== condition.negate ? all : 0n;
    case "after": {
      const set = condition.set | (condition.orEdge ? end : 0n);
      return condition.negate ? all & ~set : set;
    }
  }
}
