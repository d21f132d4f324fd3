import { formatDate, patternFault, type Zone } from "./dates.ts";
import { ESCAPES } from "./escape.ts";
import type { Filter, Placeholder } from "./parse.ts";
import { AMOUNTS, type AmountFormat, Inexpressible, type Many, type Time, type Value, type ValueKind } from "./value.ts";

/** How amounts and times are written where no filter says it. */
export type Style = { readonly amount: AmountFormat; readonly zone: Zone };

/** Filters that turn a whole string of a JSON body into another JSON value. */
export const JSON_FILTERS = ["number", "boolean", "json"] as const;

type TextFilter = { readonly argument: "none" | "count" | "text"; readonly apply: (text: string, argument: string) => string };

const TEXT_FILTERS: Readonly<Record<string, TextFilter>> = {
  upper: { argument: "none", apply: (text) => text.toUpperCase() },
  lower: { argument: "none", apply: (text) => text.toLowerCase() },
  digits: { argument: "none", apply: (text) => text.replace(/[^0-9]/g, "") },
  alphanumeric: { argument: "none", apply: (text) => text.replace(/[^A-Za-z0-9 ]/g, "") },
  first: { argument: "count", apply: (text, count) => [...text].slice(0, Number(count)).join("") },
  last: { argument: "count", apply: (text, count) => [...text].slice(-Number(count)).join("") },
  before: { argument: "text", apply: (text, mark) => parted(text, mark)[0] },
  after: { argument: "text", apply: (text, mark) => parted(text, mark)[1] },
  pad: { argument: "count", apply: (text, count) => text.padStart(Number(count), "0") },
  base64: { argument: "none", apply: (text) => Buffer.from(text).toString("base64") },
  xml: { argument: "none", apply: ESCAPES.xml },
  url: { argument: "none", apply: ESCAPES.url },
  number: { argument: "none", apply: (text) => jsonText(text, /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/, "a number") },
  boolean: { argument: "none", apply: (text) => jsonText(text, /^(?:true|false)$/, "true or false") },
  json: { argument: "none", apply: jsonDocument },
};

const AMOUNT_FILTERS: readonly string[] = Object.keys(AMOUNTS);
const TIME_FILTERS: Readonly<Record<string, (time: Time, argument: string, zone: Zone) => string>> = {
  date: (time, pattern, zone) => formatDate(time.at, pattern, zone),
  iso: (time, _, zone) => formatDate(time.at, "yyyy-MM-dd'T'HH:mm:ssXXX", zone),
  seconds: (time) => String(Math.floor(time.at / 1000)),
  milliseconds: (time) => String(time.at),
};

export const FILTER_NAMES: readonly string[] = [...AMOUNT_FILTERS, ...Object.keys(TIME_FILTERS), "join", ...Object.keys(TEXT_FILTERS)];

/** Whether a text keeps all that it says, in a form in which a secret is recognised and masked. */
export function keepsWhole(filters: readonly Filter[]): boolean {
  const [only, ...others] = filters;
  return only === undefined || (others.length === 0 && ["base64", "url", "xml"].includes(only.name));
}

/** Why a placeholder's filters cannot be applied to a value of this kind; null when they can. */
export function filterFault(placeholder: Placeholder, kind: ValueKind): string | null {
  let here: ValueKind = kind;
  for (const filter of placeholder.filters) {
    const fault = faultOfOne(filter, here);
    if (fault !== null) return fault;
    here = "text";
  }
  return here === "many" ? `${placeholder.source} is a list. Write it with each, or add |join:, to it.` : null;
}

function faultOfOne({ name, argument }: Filter, kind: ValueKind): string | null {
  if (!FILTER_NAMES.includes(name)) return `There is no filter ${name}. Known filters: ${FILTER_NAMES.join(", ")}.`;
  if (AMOUNT_FILTERS.includes(name)) return kind === "amount" ? null : `The filter ${name} is for amounts.`;
  if (Object.hasOwn(TIME_FILTERS, name)) return timeFault(name, argument, kind);
  if (name === "join") return kind === "many" ? null : "The filter join is for lists.";
  if (kind === "many") return `The filter ${name} is not for lists.`;
  return argumentFault(name, argument);
}

function argumentFault(name: string, argument: string): string | null {
  const needed = TEXT_FILTERS[name]?.argument;
  if (needed === "count") return /^[1-9][0-9]{0,3}$/.test(argument) ? null : `The filter ${name} needs a number, such as ${name}:4.`;
  if (needed === "text") return argument === "" ? `The filter ${name} needs a mark, such as ${name}:-.` : null;
  return argument === "" ? null : `The filter ${name} takes no argument.`;
}

function timeFault(name: string, argument: string, kind: ValueKind): string | null {
  if (kind !== "time") return `The filter ${name} is for times.`;
  if (name !== "date") return argument === "" ? null : `The filter ${name} takes no argument.`;
  const part = patternFault(argument);
  return part === null ? null : `The date pattern has ${JSON.stringify(part)}. Use yyyy MM dd HH mm ss, and quotes for letters: 'T'.`;
}

/** The text of a placeholder's value after its filters. */
export function filtered(value: Value, filters: readonly Filter[], style: Style): string {
  const [first] = filters;
  if (first === undefined) return plainText(value, style);
  const direct = typedText(value, first, style);
  const rest = direct === null ? filters : filters.slice(1);
  return rest.reduce((text, { name, argument }) => TEXT_FILTERS[name]?.apply(text, argument) ?? text, direct ?? plainText(value, style));
}

/** The result of a filter for amounts, times or lists; null when it is a filter for texts. */
function typedText(value: Value, { name, argument }: Filter, style: Style): string | null {
  if (typeof value === "bigint") return AMOUNT_FILTERS.includes(name) ? AMOUNTS[name as AmountFormat](value) : null;
  if (typeof value === "string") return null;
  if (value.kind === "time") return TIME_FILTERS[name]?.(value, argument, style.zone) ?? null;
  return name === "join" ? itemTexts(value).join(argument) : null;
}

function plainText(value: Value, style: Style): string {
  if (typeof value === "bigint") return AMOUNTS[style.amount](value);
  if (typeof value === "string") return value;
  return value.kind === "time" ? value.text : itemTexts(value).join(",");
}

function itemTexts({ items }: Many): readonly string[] {
  return Object.values(items).map((item) => (typeof item === "object" ? JSON.stringify(item) : String(item)));
}

/** What precedes and what follows a mark. */
function parted(text: string, mark: string): readonly [string, string] {
  const at = text.indexOf(mark);
  if (at < 0) throw new Inexpressible(`a value has no ${mark}, which this provider needs`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}

function jsonText(text: string, form: RegExp, what: string): string {
  if (!form.test(text)) throw new Inexpressible(`a value must be ${what} for this provider`);
  return text;
}

function jsonDocument(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    throw new Inexpressible("a value is not the JSON that this provider needs");
  }
  return text;
}
