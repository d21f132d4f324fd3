import { percentEncode } from "../wire/percent-encode.ts";

export const BUILT_IN_PLACEHOLDERS: readonly string[] = [
  "reference",
  "operator",
  "target",
  "amount",
  "amount_paise",
  "amount_rupees",
  "circle",
  "timestamp",
];

/** Placeholders that JSON may contain without quotes, as `"{amount_paise:number}"`. */
const NUMERIC: readonly string[] = ["amount", "amount_paise", "amount_rupees", "timestamp"];

// Any other brace is literal, so a raw JSON or XML body needs no escaping.
const PLACEHOLDER = /\{([a-z][a-z0-9_]*)(:number)?\}/g;

export type Placeholder = { readonly name: string; readonly asNumber: boolean; readonly whole: boolean };

export function placeholdersIn(text: string): readonly Placeholder[] {
  return [...text.matchAll(PLACEHOLDER)].map((match) => ({
    name: match[1] ?? "",
    asNumber: match[2] !== undefined,
    whole: match[0] === text,
  }));
}

/** Replaces every placeholder in the text, known or not. */
export function withPlaceholders(text: string, replace: (name: string, whole: string) => string): string {
  return text.replace(PLACEHOLDER, (whole, name: string) => replace(name, whole));
}

/** Null when the placeholder is allowed there, otherwise the reason. */
export function numberFault(placeholder: Placeholder, inJson: boolean): string | null {
  if (!placeholder.asNumber) return null;
  if (!NUMERIC.includes(placeholder.name)) return `{${placeholder.name}} is not a number.`;
  return inJson && placeholder.whole ? null : ":number must be the whole string of a value in a json body.";
}

export type Values = (name: string) => string;
export type Escape = (text: string) => string;

export function render(text: string, values: Values, escaped: Escape): string {
  return text.replace(PLACEHOLDER, (_, name: string) => escaped(values(name)));
}

export const ESCAPES = {
  none: (text: string) => text,
  url: percentEncode,
  json: (text: string) => JSON.stringify(text).slice(1, -1),
  xml: (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
} as const satisfies Record<string, Escape>;

/** The body of an HTML form, where a space is encoded as a plus. */
export function formBody(fields: Readonly<Record<string, string>>, values: Values): string {
  const pairs = Object.entries(fields).map(([name, text]): [string, string] => [name, render(text, values, ESCAPES.none)]);
  return new URLSearchParams(pairs).toString();
}

export type JsonTemplate = string | number | boolean | null | readonly JsonTemplate[] | { readonly [name: string]: JsonTemplate };

export function jsonBody(template: JsonTemplate, values: Values): string {
  if (typeof template === "string") {
    const [only] = placeholdersIn(template);
    // The text consists of digits and a point; JSON.stringify would convert it to a float.
    return only?.asNumber ? values(only.name) : JSON.stringify(render(template, values, ESCAPES.none));
  }
  if (Array.isArray(template)) return `[${template.map((item: JsonTemplate) => jsonBody(item, values)).join(",")}]`;
  if (typeof template === "object" && template !== null) {
    const members = Object.entries(template).map(([name, item]) => `${JSON.stringify(name)}:${jsonBody(item, values)}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(template);
}
