import type { ReadDefinition, Reader } from "../language/read.ts";
import { ESCAPES } from "../template/escape.ts";
import { parseTemplate, placeholdersIn } from "../template/parse.ts";
import { renderOptional, type Scope } from "../template/render.ts";
import { Inexpressible } from "../template/value.ts";
import { decimalText } from "./convert.ts";
import type { Place } from "./path.ts";
import { type ReadContext, readText } from "./read-value.ts";

/** An answer or callback that was declared a success. */
export type Declared = { readonly place: Place; readonly context: ReadContext; readonly clean: (text: string) => string };

type Confirmed = { readonly value: string; readonly match?: string | undefined; readonly optional?: boolean | undefined };

/** Why a declared success is not about this order, by the values that `confirm` compares; null when all are the order's. */
export function differenceIn({ confirm }: ReadDefinition, declared: Declared, order: Scope): string | null {
  if (confirm === undefined) return null;
  for (const [path, written] of Object.entries(confirm)) {
    const found = differenceAt(path, typeof written === "string" ? { value: written } : written, declared, order);
    if (found !== null) return found;
  }
  return null;
}

function differenceAt(path: string, { value, match, optional }: Confirmed, declared: Declared, order: Scope): string | null {
  const expected = expectedText(value, order);
  // The order has no such value, and the placeholder says that it need not.
  if (expected === null) return null;
  if (expected === undefined) return `the order has no value for ${value}, which ${path} must repeat`;
  const { place, context, clean } = declared;
  const textAt = (reader: Reader) => (readText(reader, place, context) ?? "").trim();
  if (optional === true && textAt(path) === "") return null;
  const returned = textAt(match === undefined ? path : { path, match });
  if (returned !== "" && isSame(returned, expected, isAmount(value, order), context.ignoreCase)) return null;
  if (!isShown(value)) return returned === "" ? `${path} is missing, which must repeat ${value}` : `${path} differs from ${value}`;
  const quoted = (text: string) => JSON.stringify(clean(text).slice(0, MOST_SHOWN));
  return returned === ""
    ? `${path} is missing, which must be ${quoted(expected)}`
    : `${path} is ${quoted(returned)} instead of ${quoted(expected)}`;
}

/** Null: an optional value that the order does not have. Undefined: a value that it lacks. */
function expectedText(value: string, order: Scope): string | null | undefined {
  try {
    return renderOptional(value, order, ESCAPES.none);
  } catch (error) {
    if (error instanceof Inexpressible) return undefined;
    throw error;
  }
}

function isAmount(value: string, order: Scope): boolean {
  const [only, ...others] = parseTemplate(value);
  return only !== undefined && typeof only !== "string" && others.length === 0 && typeof order.get(only.name) === "bigint";
}

function isSame(returned: string, expected: string, asAmount: boolean, ignoreCase: boolean): boolean {
  if (asAmount) return decimalText(returned) !== null && decimalText(returned) === decimalText(expected);
  const fold = (text: string) => (ignoreCase ? text.trim().toLowerCase() : text.trim());
  return fold(returned) === fold(expected);
}

const MOST_SHOWN = 60;
// Staff see these in the order anyway. Other values, such as an account number, are not repeated.
const SHOWN: ReadonlySet<string> = new Set(["amount", "target", "reference", "provider_ref", "operator", "circle", "created_at"]);

function isShown(value: string): boolean {
  return placeholdersIn(value).every(({ name }) => SHOWN.has(name));
}
