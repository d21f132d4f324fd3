import type { Fault } from "../settings/faults.ts";
import { type Place, placesOf } from "./check-placeholders.ts";
import type { Definition } from "./definition.ts";
import { BUILT_IN_PLACEHOLDERS, type JsonTemplate, withPlaceholders } from "./template.ts";

const CALLS = ["request", "status"] as const;

// Placeholder syntax of other systems. Braces are searched for separately.
const OTHER_SPELLINGS = BUILT_IN_PLACEHOLDERS.flatMap((name) => [
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
  `\${${name}}`,
]);

/** Finds text that looks like a placeholder and is not, because it would be sent to the provider literally. */
export function braceFaults(definition: Definition): readonly Fault[] {
  const known = new Set([...BUILT_IN_PLACEHOLDERS, ...definition.secrets]);
  return CALLS.flatMap((name) => {
    const call = definition[name];
    const texts = placesOf(call, name).flatMap((place) => textFaults(place, known));
    const names = [...Object.keys(call.body?.form ?? {}), ...namesIn(call.body?.json ?? null), call.body?.content_type ?? ""];
    const fault = names.find((text) => /[{}]/.test(text));
    return fault === undefined ? texts : [...texts, { path: `${name}.body`, message: noPlaceholderIn(fault) }];
  });
}

function noPlaceholderIn(text: string): string {
  return `Has ${JSON.stringify(text.slice(0, 60))}. Placeholders are filled into values only, not into names or the content type.`;
}

function textFaults({ path, text }: Place, known: ReadonlySet<string>): readonly Fault[] {
  const where = path.map(String).join(".");
  const found = literalPlaceholder(text, known);
  if (found === null) return [];
  const all = [...known].map((one) => `{${one}}`).join(" ");
  const message = `Has ${JSON.stringify(found)}, which is not a placeholder and would be sent literally. Known placeholders: ${all}.`;
  return [{ path: where, message }];
}

function literalPlaceholder(text: string, known: ReadonlySet<string>): string | null {
  const spellings = [text.toLowerCase(), decode(text).toLowerCase()];
  const other = OTHER_SPELLINGS.find((spelling) => spellings.some((one) => one.includes(spelling)));
  if (other !== undefined) return other;
  // A digit is valid wherever a value is, in JSON with quotes and without.
  const filled = withPlaceholders(text, (name, whole) => (known.has(name) ? "0" : whole));
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

function parsed(text: string): JsonTemplate | undefined {
  try {
    return JSON.parse(text) as JsonTemplate;
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

function stringsIn(value: JsonTemplate): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => [name, ...stringsIn(item)]);
}

function namesIn(value: JsonTemplate): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => [name, ...namesIn(item)]);
}
