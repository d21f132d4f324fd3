import { placeholdersIn } from "../template/parse.ts";

// Placeholder syntax of other systems. Braces are searched for separately.
const COMMON_NAMES = [
  "reference",
  "operator",
  "target",
  "amount",
  "circle",
  "provider_ref",
  "created_at",
  "now",
  "token",
  "number",
  "mobile",
];
const OTHER_SPELLINGS = COMMON_NAMES.flatMap((name) => [
  `$${name}`,
  `[${name}]`,
  `%${name}%`,
  `@${name}@`,
  `#${name}#`,
  `<<${name}>>`,
  `%(${name})`,
  `__${name}__`,
  `*${name}*`,
  `~${name}~`,
]);

/** Text that looks like a placeholder and is not, because it would be sent to the provider literally; null when there is none. */
export function literalPlaceholder(text: string): string | null {
  const spellings = [text.toLowerCase(), decode(text).toLowerCase()];
  const other = OTHER_SPELLINGS.find((spelling) => spellings.some((one) => one.includes(spelling)));
  if (other !== undefined) return other;
  // A digit is valid wherever a value is, in JSON with quotes and without.
  const filled = placeholdersIn(text).reduce((rest, { source }) => rest.replace(source, "0"), text);
  // Placeholders are found in the text as it is: an encoded brace does not begin one.
  return strayBrace(filled) ?? strayBrace(decode(filled));
}

/** Finds braces that are not part of JSON. */
function strayBrace(text: string): string | null {
  for (let at = nextBrace(text, 0); at >= 0; ) {
    const end = text[at] === "{" ? endOfObject(text, at) : -1;
    const value = end < 0 ? undefined : parsed(text.slice(at, end));
    if (value === undefined) return text.slice(at, Math.min(text.length, at + 40, closing(text, at)));
    const inside = stringsIn(value)
      .map(strayBrace)
      .find((one) => one !== null);
    if (inside !== undefined) return inside;
    at = nextBrace(text, end);
  }
  return null;
}

function closing(text: string, at: number): number {
  const end = text.indexOf("}", at);
  return end < 0 ? text.length : end + 1;
}

function nextBrace(text: string, from: number): number {
  const found = text.slice(from).search(/[{}]/);
  return found < 0 ? -1 : from + found;
}

/** The position after the brace that closes the one at `start`, skipping strings; -1 when there is none. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (quoted && character === "\\") at++;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && character === "{") depth++;
    else if (!quoted && character === "}" && --depth === 0) return at + 1;
  }
  return -1;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return Object.entries(value).flatMap(([name, item]) => [name, ...stringsIn(item)]);
}
