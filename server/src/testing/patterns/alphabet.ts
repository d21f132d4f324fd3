import { type AST, visitRegExpAST } from "@eslint-community/regexpp";

// Characters that the pattern treats alike are one class, so that an automaton has few of them. A set of classes is a bit mask.

/** The class after the last one stands for the end of the text, which no set contains. */
export type Alphabet = {
  readonly classCount: number;
  readonly characters: bigint;
  readonly end: bigint;
  readonly word: bigint;
  readonly lineBreak: bigint;
  readonly maskOf: (node: AST.Character | AST.CharacterSet | AST.CharacterClass) => bigint;
};

type CharacterNode = AST.Character | AST.CharacterSet | AST.CharacterClass;

/** Characters of every general category, and those that case-insensitive matching treats specially. */
const SAMPLE: readonly number[] = [
  ...range(0, 0x2ff),
  ...range(0x2000, 0x206f),
  ...[0x301, 0x3b1, 0x3a9, 0x416, 0x436, 0x5d0, 0x903, 0x905, 0x93e, 0x966, 0x1680, 0x1c5, 0x1e9e, 0x20ac, 0x20b9, 0x2126, 0x212a],
  ...[0x2160, 0x2460, 0x2c7f, 0x3000, 0x4e2d, 0xd83d, 0xde00, 0xe000, 0xfeff, 0xfffd, 0xffff, 0x10400, 0x1f600, 0xe0001, 0x10ffff],
];

/** Divides the characters by all sets of a pattern, by \w and by line breaks. */
export function alphabetOf(pattern: AST.Pattern, flags: string): Alphabet {
  const sets = new Map([...setsOf(pattern), "\\w", "[\\n\\r\\u2028\\u2029]"].map((raw) => [raw, testerOf(raw, flags)]));
  const classes = new Map<string, bigint>();
  const masks = new Map([...sets.keys()].map((raw) => [raw, 0n]));
  const isUnicode = flags.includes("u") || flags.includes("v");
  // Without the flag, a character beyond the first plane is two characters.
  for (const code of new Set([...SAMPLE, ...edgesOf(pattern)].filter((one) => isUnicode || one <= 0xffff))) {
    const text = String.fromCodePoint(code);
    const members = [...sets].flatMap(([raw, test]) => (test(text) ? [raw] : []));
    const key = members.join("\n");
    const bit = classes.get(key) ?? 1n << BigInt(classes.size);
    classes.set(key, bit);
    for (const raw of members) masks.set(raw, (masks.get(raw) ?? 0n) | bit);
  }
  return {
    classCount: classes.size,
    characters: (1n << BigInt(classes.size)) - 1n,
    end: 1n << BigInt(classes.size),
    word: masks.get("\\w") ?? 0n,
    lineBreak: masks.get("[\\n\\r\\u2028\\u2029]") ?? 0n,
    maskOf: ({ raw }) => masks.get(raw) ?? 0n,
  };
}

function setsOf(pattern: AST.Pattern): readonly string[] {
  const found: string[] = [];
  const note = ({ raw, parent }: CharacterNode): void => {
    if (parent?.type !== "CharacterClass" && parent?.type !== "CharacterClassRange") found.push(raw);
  };
  visitRegExpAST(pattern, { onCharacterEnter: note, onCharacterSetEnter: note, onCharacterClassEnter: note });
  return found;
}

/** Every character that the pattern names, its other case and its neighbours. */
function edgesOf(pattern: AST.Pattern): readonly number[] {
  const found: number[] = [];
  visitRegExpAST(pattern, { onCharacterEnter: ({ value }) => void found.push(value) });
  return found
    .flatMap((code) => [code, ...otherCases(String.fromCodePoint(code))])
    .flatMap((code) => [code - 1, code, code + 1])
    .filter((code) => code >= 0 && code <= 0x10ffff);
}

function otherCases(text: string): readonly number[] {
  return [text.toLowerCase(), text.toUpperCase()].flatMap((other) => other.codePointAt(0) ?? []);
}

function testerOf(raw: string, flags: string): (text: string) => boolean {
  const pattern = new RegExp(`^(?:${raw})$`, flags.replaceAll(/[gymd]/g, ""));
  return (text) => pattern.test(text);
}

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
