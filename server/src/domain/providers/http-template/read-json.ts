import { type JsonValue, parseStrictJson } from "../../../platform/core/strict-json.ts";

// Providers' answers may be larger than clients' requests.
const MAX_VALUES = 10_000;

// A longer number, such as a reference, would lose its last digits as a float.
const MAX_EXACT_DIGITS = 15;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Null when the body is not JSON, or JSON that parsers interpret differently. */
export function parseAnswer(body: Buffer): JsonValue | null {
  const text = quoteLongNumbers(withoutMark(body).toString("latin1"));
  // The strict parser accepts objects only, so arrays and bare values are wrapped.
  const parsed = parseStrictJson(Buffer.from(`{"answer":${text}}`, "latin1"), MAX_VALUES);
  return parsed.ok && Object.keys(parsed.value).length === 1 ? (parsed.value["answer"] ?? null) : null;
}

/** A JSON pointer (`/data/0/status`) or a dotted path (`data.0.status`); null when there is no scalar. */
export function jsonText(value: JsonValue, path: string): string | null {
  let here: JsonValue | undefined = value;
  for (const step of stepsOf(path)) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, step)) return null;
    here = (here as { readonly [name: string]: JsonValue })[step];
  }
  return typeof here === "string" || typeof here === "number" || typeof here === "boolean" ? String(here) : null;
}

/** Removes the byte order mark that some servers put before their text. */
export function withoutMark(body: Buffer): Buffer {
  return body.subarray(0, 3).equals(BYTE_ORDER_MARK) ? body.subarray(3) : body;
}

function stepsOf(path: string): readonly string[] {
  if (!path.startsWith("/")) return path.split(".");
  const steps = path.slice(1).split("/");
  return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

// An unterminated string matches to the end, so that the search stays linear; the parser refuses it anyway.
const STRING_OR_NUMBER = /"(?:[^"\\]+|\\[\s\S])*"?|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/g;

function quoteLongNumbers(text: string): string {
  return text.replace(STRING_OR_NUMBER, (token) => (/^-?[0-9]+$/.test(token) && token.length > MAX_EXACT_DIGITS ? `"${token}"` : token));
}
