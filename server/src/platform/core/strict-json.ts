// JSON as contract section 1 requires it: one object, valid UTF-8, no duplicate key, no NUL and no
// lone surrogate in any string, at most 32 levels deep.
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export type JsonObject = { readonly [name: string]: JsonValue };

export type StrictJson = { readonly ok: true; readonly value: JsonObject } | { readonly ok: false; readonly why: string };

const MAX_DEPTH = 32;
// Far more than any request needs. A body of many short keys costs a hundred times as much to parse as one long string.
const MAX_VALUES = 2_000;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function parseStrictJson(bytes: Uint8Array, maxValues = MAX_VALUES): StrictJson {
  const text = decodeUtf8(bytes);
  if (text === null) return { ok: false, why: "the body is not valid UTF-8" };
  const parsed = parseStrictValue(text, maxValues);
  if (!parsed.ok) return parsed;
  const { value } = parsed;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { ok: false, why: "the body is not a JSON object" };
  return { ok: true, value: value as JsonObject };
}

/** Null when the bytes are not valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

export type StrictValue = { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly why: string };

/** A value of any kind, under the same rules. */
export function parseStrictValue(text: string, maxValues: number): StrictValue {
  const scan = scanStructure(text, maxValues);
  if (scan.depth > MAX_DEPTH) return { ok: false, why: `the body is nested deeper than ${MAX_DEPTH} levels` };
  if (scan.values > maxValues) return { ok: false, why: `the body holds more than ${maxValues} values` };
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, why: "the body is not valid JSON" };
  }
  const seen: Inspection = { keys: 0, badString: false, checksStrings: text.includes("\\u") || !text.isWellFormed() };
  inspect(value, seen);
  if (seen.keys !== scan.keys) return { ok: false, why: "the body has a key twice" };
  if (seen.badString) return { ok: false, why: "a string holds a NUL or half of a surrogate pair" };
  return { ok: true, value };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

// Counts keys by the colons outside strings, and values by brackets and commas. Stops early when there are too many.
// JSON.parse checks the grammar afterwards.
function scanStructure(text: string, maxValues: number): { depth: number; keys: number; values: number } {
  let depth = 0;
  let deepest = 0;
  let keys = 0;
  let values = 0;
  for (let at = 0; at < text.length && values <= maxValues; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at + 1);
    else if (unit === COMMA) values++;
    else if (unit === 0x7b || unit === 0x5b) {
      deepest = Math.max(deepest, ++depth);
      values++;
    } else if (unit === 0x7d || unit === 0x5d) depth--;
    else if (unit === 0x3a) keys++;
  }
  return { depth: deepest, keys, values };
}

function endOfString(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

/** `checksStrings`: only an escape, or half of a surrogate pair in the text itself, can make a bad string. */
type Inspection = { keys: number; badString: boolean; readonly checksStrings: boolean };

// JSON.parse keeps the last of two equal keys, so fewer keys than colons means that a key was repeated.
function inspect(value: JsonValue, seen: Inspection): void {
  if (typeof value === "string") inspectString(value, seen);
  else if (Array.isArray(value)) {
    for (const item of value) inspect(item, seen);
  } else if (typeof value === "object" && value !== null) {
    const held = value as JsonObject;
    for (const name of Object.keys(held)) {
      seen.keys++;
      inspectString(name, seen);
      inspect(held[name] ?? null, seen);
    }
  }
}

function inspectString(text: string, seen: Inspection): void {
  if (seen.checksStrings && (text.includes("\0") || !text.isWellFormed())) seen.badString = true;
}
