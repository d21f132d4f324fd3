import { decodeUtf8, type JsonValue, parseStrictValue } from "../../../../platform/core/strict-json.ts";
import { parseXml, type XmlElement } from "../../../../platform/core/xml.ts";
import type { ReadDefinition } from "../language/read.ts";
import { boundedMatch } from "./bounded-match.ts";

/** An answer as a tree, whatever its format was. Paths lead into it; `outer` is the document that contained it. */
export type Document =
  | { readonly ok: true; readonly tree: JsonValue; readonly outer?: JsonValue }
  | { readonly ok: false; readonly why: string };
export type AnswerBody = { readonly body: Buffer; readonly endMarked: boolean };
export type Format = NonNullable<ReadDefinition["format"]>;

// A list of all billers may have some hundred thousand values.
const MAX_VALUES = 1_000_000;

/** Reads an answer's body. Never throws. */
export function readDocument(read: ReadDefinition, { body, endMarked }: AnswerBody): Document {
  const format = read.format ?? "json";
  if (format === "json" && (read.encoding ?? "utf-8") === "utf-8") return jsonDocument(decodeUtf8(withoutMark(body)));
  const text = decoded(body, read.encoding ?? "utf-8");
  if (text === null) return unreadable("is not valid UTF-8");
  const isPlain = format === "text" || format === "pairs" || format === "form";
  if (isPlain && !endMarked && read.unmarked_end !== true) return unreadable("does not say where it ends, so it may be half of one");
  return readText(format, text, read);
}

/** Reads a text that an answer or a callback contains. PostgreSQL cannot store a NUL character, and JSON with one is refused anyway. */
export function readText(format: Format, text: string, read: ReadDefinition): Document {
  if (text.includes("\0") || (format === "form" && text.includes("%00"))) return unreadable("contains a NUL character");
  switch (format) {
    case "json":
      return jsonDocument(text);
    case "xml": {
      const root = parseXml(text);
      return root === null ? unreadable("is not well-formed XML") : { ok: true, tree: { [localName(root.name)]: xmlTree(root) } };
    }
    case "form":
      return { ok: true, tree: pairsTree([...new URLSearchParams(text.trim())]) };
    case "pairs":
      return { ok: true, tree: pairsTree(linePairs(text)) };
    case "text":
      return plainText(text.trim(), read);
  }
}

function jsonDocument(text: string | null): Document {
  const parsed = text === null ? null : parseStrictValue(quoteLongNumbers(text), MAX_VALUES);
  return parsed?.ok ? { ok: true, tree: parsed.value } : unreadable("is not JSON, or has a duplicate key");
}

function plainText(text: string, { pattern, separator }: ReadDefinition): Document {
  const parts = separator === undefined ? [] : text.split(separator).map((part) => part.trim());
  const match = pattern === undefined ? null : boundedMatch(new RegExp(pattern, "u"), text);
  if (match === "too long") return unreadable("takes too long to match against the pattern");
  const groups = Object.entries(match?.groups ?? {}).filter((group): group is [string, string] => typeof group[1] === "string");
  return { ok: true, tree: { ...parts, ...Object.fromEntries(groups), $text: text, $count: String(parts.length) } as JsonValue };
}

function linePairs(text: string): readonly (readonly [string, string])[] {
  return text.split(/\r\n|\n|\r/).flatMap((line) => {
    const at = line.indexOf("=");
    return at < 1 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()] as const];
  });
}

/** A name that occurs twice is a list, so that no path reads one of two contradicting values. */
function pairsTree(pairs: readonly (readonly [string, string])[]): JsonValue {
  const tree = new Map<string, string[]>();
  for (const [name, value] of pairs) addTo(tree, name, value);
  return Object.fromEntries([...tree].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? "") : values]));
}

/** Elements by local name, attributes with @, several elements of one name as a list, and text alone as text. */
function xmlTree(element: XmlElement): JsonValue {
  const attributes = [...element.attributes]
    .filter(([name]) => !name.startsWith("xmlns"))
    .map(([name, value]) => [`@${name}`, value] as const);
  const children = new Map<string, JsonValue[]>();
  for (const child of element.children) addTo(children, localName(child.name), xmlTree(child));
  if (attributes.length === 0 && children.size === 0) return element.text.trim();
  const members = [...children].map(([name, found]) => [name, found.length === 1 ? (found[0] ?? null) : found] as const);
  return Object.fromEntries([...attributes, ...members, ...(children.size === 0 ? [["#text", element.text.trim()] as const] : [])]);
}

/** Appends in place: a copy for each value would take quadratic time, and a list may have a hundred thousand. */
function addTo<Value>(lists: Map<string, Value[]>, name: string, value: Value): void {
  const list = lists.get(name);
  if (list) list.push(value);
  else lists.set(name, [value]);
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function unreadable(what: string): Document {
  return { ok: false, why: `the answer ${what}` };
}

// What windows-1252 has where latin 1 has control characters. Node's own decoder treats the two as one.
const WINDOWS = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

function decoded(body: Buffer, encoding: "utf-8" | "windows-1252"): string | null {
  if (encoding === "windows-1252")
    return body.toString("latin1").replace(/[\u0080-\u009f]/g, (one) => WINDOWS[one.charCodeAt(0) - 0x80] ?? one);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(withoutMark(body));
  } catch {
    return null;
  }
}

/** Removes the byte order mark that some servers put before their text. */
function withoutMark(body: Buffer): Buffer {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.subarray(3) : body;
}

// A longer number, such as a reference, would lose its last digits as a float.
const MAX_EXACT_DIGITS = 15;
const LONG_NUMBER = new RegExp(`[0-9]{${MAX_EXACT_DIGITS}}`);
// An unterminated string matches to the end, so that the search stays linear; the parser refuses it anyway.
const STRING_OR_NUMBER = /"(?:[^"\\]+|\\[\s\S])*"?|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/g;

/** Whole numbers that a float would change become texts. */
function quoteLongNumbers(text: string): string {
  if (!LONG_NUMBER.test(text)) return text;
  return text.replace(STRING_OR_NUMBER, (token) => (/^-?[0-9]+$/.test(token) && token.length > MAX_EXACT_DIGITS ? `"${token}"` : token));
}
