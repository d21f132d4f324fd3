import type { JsonValue } from "../../../../platform/core/strict-json.ts";
import type { Parameters, Pieces } from "../language/request.ts";
import type { JsonTemplate } from "../language/words.ts";
import { ESCAPES, type Escape } from "./escape.ts";
import { filtered, JSON_FILTERS, type Style } from "./filters.ts";
import { type Piece, type Placeholder, parseTemplate } from "./parse.ts";
import { Inexpressible, type Many, type Value } from "./value.ts";

/** Where placeholders find their values. */
export type Scope = {
  readonly style: Style;
  /** Undefined when there is no value. */
  readonly get: (name: string) => Value | undefined;
  /** The provider's code of a map, by values of the given scope: an item of a list has its own. */
  readonly code?: (name: string, scope: Scope) => Value | undefined;
  /** What is written instead of a placeholder's text, unescaped; null to write the text. */
  readonly replacement?: (placeholder: Placeholder, text: string) => string | null;
};

/** The text of a template. Null when a placeholder {name?} has no value, so that what contains it is left out. */
export function renderOptional(text: string, scope: Scope, escaped: Escape): string | null {
  return renderParsed(parseTemplate(text), scope, escaped);
}

function renderParsed(pieces: readonly Piece[], scope: Scope, escaped: Escape): string | null {
  let rendered = "";
  for (const piece of pieces) {
    const part = typeof piece === "string" ? piece : partOf(piece, scope, escaped);
    if (part === null) return null;
    rendered += part;
  }
  return rendered;
}

/** The same, where nothing can be left out: a missing {name?} is empty. */
export function render(text: string, scope: Scope, escaped: Escape = ESCAPES.none): string {
  let rendered = "";
  for (const piece of parseTemplate(text)) rendered += typeof piece === "string" ? piece : (partOf(piece, scope, escaped) ?? "");
  return rendered;
}

function partOf(placeholder: Placeholder, scope: Scope, escaped: Escape): string | null {
  const value = scope.get(placeholder.name);
  if (placeholder.optional && (value === undefined || value === "")) return null;
  if (value === undefined) throw new Inexpressible(`there is no value for {${placeholder.name}}`);
  const text = filtered(value, placeholder.filters, scope.style);
  return scope.replacement?.(placeholder, text) ?? escaped(text);
}

/** The scope of one item of a list: {item.name}, {item.value}, {item.number} and {item.first}. */
function itemScopes(each: string, scope: Scope): readonly Scope[] {
  const many = scope.get(each);
  if (many === undefined || typeof many !== "object" || many.kind !== "many") return [];
  return entriesOf(many).map(([key, item], position) => {
    const own: Scope = {
      style: scope.style,
      get: (name) => {
        if (name.startsWith("item.")) return itemValue(name.slice(5), key, item, position);
        return name.startsWith("code.") && scope.code ? scope.code(name.slice(5), own) : scope.get(name);
      },
      ...(scope.code ? { code: (name: string, from: Scope) => scope.code?.(name, from) } : {}),
      replacement: (placeholder, text) => scope.replacement?.(placeholder, text) ?? null,
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
  const pairs: (readonly [string, string])[] = [];
  for (const name in parameters) {
    const value = parameters[name];
    if (typeof value === "string") {
      const text = renderOptional(value, scope, ESCAPES.none);
      if (text !== null) pairs.push([escaped(name), escaped(text)]);
    } else if (value !== undefined) {
      for (const item of itemScopes(value.each, scope))
        pairs.push([escaped(render(value.name, item, ESCAPES.none)), escaped(render(value.value, item, ESCAPES.none))]);
    }
  }
  return pairs;
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
  return writerOf(template)(scope) ?? "null";
}

/** Writes a part of a JSON body; null when it is left out. */
type JsonWriter = (scope: Scope) => string | null;

const writers = new WeakMap<object, JsonWriter>();

/** A template is compiled once, because every order of a description is written by the same. */
function writerOf(template: JsonTemplate): JsonWriter {
  if (typeof template !== "object" || template === null) return compile(template);
  const known = writers.get(template);
  if (known) return known;
  const writer = compile(template);
  writers.set(template, writer);
  return writer;
}

function compile(template: JsonTemplate): JsonWriter {
  if (typeof template === "string") return stringWriter(template);
  if (Array.isArray(template)) return listWriter(template);
  if (typeof template === "object" && template !== null) return objectWriter(template as JsonMembers);
  const text = JSON.stringify(template);
  return () => text;
}

function stringWriter(template: string): JsonWriter {
  const pieces = parseTemplate(template);
  const [only] = pieces;
  const isWhole = pieces.length === 1 && only !== undefined && typeof only !== "string";
  const isJson = isWhole && only.filters.some(({ name }) => isJsonFilter(name));
  return (scope) => {
    const text = renderParsed(pieces, scope, ESCAPES.none);
    return text === null || isJson ? text : JSON.stringify(text);
  };
}

function listWriter(items: readonly JsonTemplate[]): JsonWriter {
  const written = items.map(compile);
  return (scope) => `[${present(written.map((write) => write(scope))).join(",")}]`;
}

type JsonMembers = { readonly [name: string]: JsonTemplate };

function objectWriter(members: JsonMembers): JsonWriter {
  const { $each: each, $item: item, $name: name, $value: value } = members;
  if (typeof each === "string" && item !== undefined) {
    const write = compile(item);
    return (scope) => `[${present(itemScopes(each, scope).map(write)).join(",")}]`;
  }
  const writeOwn = ownMembersWriter(members);
  if (typeof each !== "string" || typeof name !== "string" || value === undefined) return (scope) => `{${writeOwn(scope)}}`;
  const write = compile(value);
  return (scope) => {
    const own = writeOwn(scope);
    const repeated = itemScopes(each, scope).map((one) => `${JSON.stringify(render(name, one))}:${write(one) ?? "null"}`);
    return `{${(own === "" ? repeated : [own, ...repeated]).join(",")}}`;
  };
}

function ownMembersWriter(members: JsonMembers): (scope: Scope) => string {
  const own = Object.entries(members).filter(([name]) => !name.startsWith("$"));
  const written = own.map(([name, value]) => ({ start: `${JSON.stringify(name)}:`, write: compile(value) }));
  return (scope) => {
    let text = "";
    for (const { start, write } of written) {
      const value = write(scope);
      if (value !== null) text += `${text === "" ? "" : ","}${start}${value}`;
    }
    return text;
  };
}

export function isJsonFilter(name: string): boolean {
  return JSON_FILTERS.some((filter) => filter === name);
}

function present(texts: readonly (string | null)[]): readonly string[] {
  return texts.filter((text) => text !== null);
}
