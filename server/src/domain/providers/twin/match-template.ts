import type { Description } from "../description/definition.ts";
import type { Parameters, Pieces } from "../description/language/request.ts";
import type { JsonTemplate } from "../description/language/words.ts";
import { decimalText } from "../description/read/convert.ts";
import { type Piece, type Placeholder, parseTemplate } from "../description/template/parse.ts";

/** What a request says, by the placeholders of its template. */
export type Found = Map<string, string>;

/** Reads a request back through the templates that it was written with. The score tells how much of it was fixed text. */
export type Matcher = { readonly definition: Description; readonly found: Found; score: number };

const LITERAL_SCORE = 10;

/** Whether a path can have come from a template. A value in it has no slash, because it is escaped. */
export function matchPath(matcher: Matcher, template: string, path: string, decode: (value: string) => string): boolean {
  return matchText(matcher, template, path, decode, (value) => !value.includes("/"));
}

/** Whether a text can have come from a template; its values are then found. */
export function matchText(
  matcher: Matcher,
  template: string,
  text: string,
  decode: (value: string) => string = (value) => value,
  isValue: (value: string) => boolean = () => true,
): boolean {
  const pieces = parseTemplate(template);
  const names = pieces.filter((piece) => typeof piece !== "string");
  const values = valuesIn(pieces, text);
  if (values === null || !values.every(isValue)) return false;
  matcher.score += names.length === 0 ? LITERAL_SCORE : 1;
  names.forEach((placeholder, position) => {
    note(matcher, placeholder, decode(values[position] ?? ""));
  });
  return true;
}

/**
 * What stands at the placeholders, each as short as possible; null if the fixed texts are not there. A pattern would take time
 * with a power of the text's length.
 */
function valuesIn(pieces: readonly Piece[], text: string): readonly string[] | null {
  const fixed = [""];
  for (const piece of pieces) {
    if (typeof piece === "string") fixed.push(`${fixed.pop() ?? ""}${piece}`);
    else fixed.push("");
  }
  const [first = "", ...others] = fixed;
  if (others.length === 0) return text === first ? [] : null;
  if (!text.startsWith(first)) return null;
  const values: string[] = [];
  let at = first.length;
  for (const [index, one] of others.entries()) {
    const end = index === others.length - 1 ? text.length - one.length : text.indexOf(one, at);
    if (end < at || !text.startsWith(one, end)) return null;
    values.push(text.slice(at, end));
    at = end + one.length;
  }
  return values;
}

function note({ definition, found }: Matcher, { name, filters }: Placeholder, text: string): void {
  if (found.has(name)) return;
  const names = filters.map((filter) => filter.name);
  if (name !== "amount") {
    found.set(name, names.includes("base64") ? Buffer.from(text, "base64").toString("utf8") : text);
    return;
  }
  const isPaise = names.includes("paise") || (definition.amount === "paise" && !names.some((one) => one !== "number"));
  const rupees = decimalText(text, isPaise ? -2 : 0);
  if (rupees !== null) found.set(name, rupees);
}

function isOptional(template: string): boolean {
  return parseTemplate(template).some((piece) => typeof piece !== "string" && piece.optional);
}

/**
 * Query parameters, form fields and headers: each that is declared must be there, unless its value may be missing. Returns what
 * does not fit, such as "key is missing"; null when all fit.
 */
export function unfitParameter(matcher: Matcher, declared: Parameters, given: (name: string) => string | null): string | null {
  for (const [name, template] of Object.entries(declared)) {
    // How many parameters a list becomes depends on the order.
    if (typeof template !== "string") continue;
    const text = given(name);
    if (text === null && !isOptional(template)) return `${name} is missing`;
    if (text !== null && !matchText(matcher, template, text)) return `${name} does not have the form ${template}`;
  }
  return null;
}

/** Whether a template writes a whole JSON value, which may be an object. */
function isWholeJson(template: string): boolean {
  const [only, ...others] = parseTemplate(template);
  return only !== undefined && typeof only !== "string" && others.length === 0 && only.filters.some(({ name }) => name === "json");
}

type JsonObject = { readonly [name: string]: unknown };

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function matchJson(matcher: Matcher, template: JsonTemplate, value: unknown): boolean {
  if (typeof template === "string") {
    if (typeof value === "object") return value !== null && isWholeJson(template) && matchText(matcher, template, JSON.stringify(value));
    return value === undefined ? isOptional(template) : matchText(matcher, template, String(value));
  }
  if (Array.isArray(template)) {
    return Array.isArray(value) && template.every((item: JsonTemplate, index) => matchJson(matcher, item, value[index]));
  }
  if (!isObject(template)) return template === value;
  if (Object.hasOwn(template, "$item")) return typeof value === "object";
  // How many members a list adds depends on the order.
  const members = Object.entries(template as { readonly [name: string]: JsonTemplate }).filter(([name]) => !name.startsWith("$"));
  return isObject(value) && members.every(([name, member]) => matchJson(matcher, member, value[name]));
}

/** XML and text: fixed pieces in their order, and anything where a list was written. */
export function matchPieces(matcher: Matcher, pieces: Pieces, text: string): boolean {
  const whole = typeof pieces === "string" ? pieces : pieces.map((piece) => (typeof piece === "string" ? piece : "{items}")).join("");
  return matchText(matcher, whole, text, withoutXmlEscapes);
}

function withoutXmlEscapes(text: string): string {
  return text.replace(/&#([0-9]{1,6});/g, (_, code: string) => String.fromCodePoint(Number(code)));
}
