import type { JsonValue } from "../../../../platform/core/strict-json.ts";
import type { Parameters, Pieces } from "../language/request.ts";
import type { JsonTemplate } from "../language/words.ts";
import { ESCAPES, type Escape } from "./escape.ts";
import { filtered, JSON_FILTERS, type Style } from "./filters.ts";
import { type Placeholder, parseTemplate } from "./parse.ts";
import { Inexpressible, type Many, type Value } from "./value.ts";

/** Where placeholders find their values. */
export type Scope = {
  readonly style: Style;
  /** Undefined when there is no value. */
  readonly get: (name: string) => Value | undefined;
  /** The provider's code of a map, by values of the given scope: an item of a list has its own. */
  readonly code?: (name: string, scope: Scope) => Value | undefined;
};

/** The text of a template. Null when a placeholder {name?} has no value, so that what contains it is left out. */
export function renderOptional(text: string, scope: Scope, escaped: Escape): string | null {
  let rendered = "";
  for (const piece of parseTemplate(text)) {
    const part = typeof piece === "string" ? piece : partOf(piece, scope, escaped);
    if (part === null) return null;
    rendered += part;
  }
  return rendered;
}

/** The same, where nothing can be left out: a missing {name?} is empty. */
export function render(text: string, scope: Scope, escaped: Escape = ESCAPES.none): string {
  return parseTemplate(text)
    .map((piece) => (typeof piece === "string" ? piece : (partOf(piece, scope, escaped) ?? "")))
    .join("");
}

function partOf(placeholder: Placeholder, scope: Scope, escaped: Escape): string | null {
  const value = scope.get(placeholder.name);
  if (placeholder.optional && (value === undefined || value === "")) return null;
  if (value === undefined) throw new Inexpressible(`there is no value for {${placeholder.name}}`);
  return escaped(filtered(value, placeholder.filters, scope.style));
}

/** The scope of one item of a list: {item.name}, {item.value}, {item.number} and {item.first}. */
function itemScopes(each: string, scope: Scope): readonly Scope[] {
  const many = scope.get(each);
  if (many === undefined || typeof many !== "object" || many.kind !== "many") return [];
  return entriesOf(many).map(([key, item], position) => {
    const own: Scope = {
      ...scope,
      get: (name) => {
        if (name.startsWith("item.")) return itemValue(name.slice(5), key, item, position);
        return name.startsWith("code.") && scope.code ? scope.code(name.slice(5), own) : scope.get(name);
      },
    };
    return own;
  });
}

function entriesOf({ items }: Many): readonly (readonly [string, JsonValue])[] {
  return Object.entries(items);
}

function itemValue(name: string, key: string, item: JsonValue, position: number): string | undefined {
  if (typeof item === "object" && item !== null && !Array.isArray(item) && Object.hasOwn(item, name)) {
    const member = (item as { readonly [name: string]: JsonValue })[name];
    return member === null || typeof member === "object" ? undefined : String(member);
  }
  if (name === "number") return String(position + 1);
  if (name === "first") return String(position === 0);
  if (name === "name") return key;
  return name === "value" && typeof item !== "object" ? String(item) : undefined;
}

/** Parameters of a query or form, escaped and in the order of the description. */
export function renderParameters(parameters: Parameters, scope: Scope, escaped: Escape): readonly (readonly [string, string])[] {
  return Object.entries(parameters).flatMap(([name, value]): readonly (readonly [string, string])[] => {
    if (typeof value === "string") {
      const text = renderOptional(value, scope, ESCAPES.none);
      return text === null ? [] : [[escaped(name), escaped(text)]];
    }
    return itemScopes(value.each, scope).map((item) => [
      escaped(render(value.name, item, ESCAPES.none)),
      escaped(render(value.value, item, ESCAPES.none)),
    ]);
  });
}

/** A text body, with its repeated pieces. */
export function renderPieces(pieces: Pieces, scope: Scope, escaped: Escape): string {
  if (typeof pieces === "string") return render(pieces, scope, escaped);
  return pieces
    .map((piece) => {
      if (typeof piece === "string") return render(piece, scope, escaped);
      return itemScopes(piece.each, scope)
        .map((item) => render(piece.item, item, escaped))
        .join(piece.join);
    })
    .join("");
}

/** JSON text. Numbers keep their digits, because nothing passes through a float. */
export function renderJson(template: JsonTemplate, scope: Scope): string {
  return jsonOf(template, scope) ?? "null";
}

function jsonOf(template: JsonTemplate, scope: Scope): string | null {
  if (typeof template === "string") return jsonString(template, scope);
  if (Array.isArray(template)) return `[${present(template.map((item: JsonTemplate) => jsonOf(item, scope))).join(",")}]`;
  if (typeof template !== "object" || template === null) return JSON.stringify(template);
  const members = template as { readonly [name: string]: JsonTemplate };
  const { $each: each, $item: item } = members;
  if (typeof each === "string" && item !== undefined)
    return `[${present(itemScopes(each, scope).map((one) => jsonOf(item, one))).join(",")}]`;
  const own = ownMembers(members, scope);
  return `{${(typeof each === "string" ? [...own, ...repeatedMembers(members, scope)] : own).join(",")}}`;
}

function ownMembers(members: { readonly [name: string]: JsonTemplate }, scope: Scope): readonly string[] {
  const written: string[] = [];
  for (const [name, value] of Object.entries(members)) {
    const text = name.startsWith("$") ? null : jsonOf(value, scope);
    if (text !== null) written.push(`${JSON.stringify(name)}:${text}`);
  }
  return written;
}

function repeatedMembers(members: { readonly [name: string]: JsonTemplate }, scope: Scope): readonly string[] {
  const { $each: each, $name: name, $value: value } = members;
  if (typeof each !== "string" || typeof name !== "string" || value === undefined) return [];
  return itemScopes(each, scope).map((item) => `${JSON.stringify(render(name, item))}:${jsonOf(value, item) ?? "null"}`);
}

function jsonString(template: string, scope: Scope): string | null {
  const text = renderOptional(template, scope, ESCAPES.none);
  if (text === null) return null;
  const [only, ...others] = parseTemplate(template);
  const isWhole = only !== undefined && typeof only !== "string" && others.length === 0;
  return isWhole && only.filters.some(({ name }) => isJsonFilter(name)) ? text : JSON.stringify(text);
}

export function isJsonFilter(name: string): boolean {
  return JSON_FILTERS.some((filter) => filter === name);
}

function present(texts: readonly (string | null)[]): readonly string[] {
  return texts.filter((text) => text !== null);
}
