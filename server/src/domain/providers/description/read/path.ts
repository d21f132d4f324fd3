import { canonicalJson } from "../../../../platform/core/canonical-json.ts";
import type { JsonObject, JsonValue } from "../../../../platform/core/strict-json.ts";
import { render, type Scope } from "../template/render.ts";
import type { Document } from "./document.ts";

/** Where a value is looked for: at `here`, with the whole answer as `root`. */
export type Place = {
  readonly root: JsonValue;
  readonly here: JsonValue;
  /** The document that contained this one. */
  readonly outer?: JsonValue;
  /** The name under which an item was found. */
  readonly key?: string;
  readonly http: number;
};

type Wanted = { readonly name: string; readonly value: string };
export type Step = { readonly name: string; readonly where?: readonly Wanted[] };
export type Path = { readonly from: "here" | "root" | "outer" | "http" | "key" | "value"; readonly steps: readonly Step[] };

const parsed = new Map<string, readonly Path[]>();
const MOST_PARSED = 5000;
const OUTER = "$outer.";
const STEP = /^([^[\]]*)(?:\[([^=[\]]+=[^[\]]*)\])?$/;

const ANOTHER_CONDITION = /&(?=[^=&]+=)/;

/** The alternatives of a path; the first that is present counts. */
export function parsePath(text: string): readonly Path[] {
  const known = parsed.get(text);
  if (known) return known;
  const paths = text.startsWith("/") ? [{ from: "here" as const, steps: pointerSteps(text) }] : splitOutside(text, "|").map(pathOf);
  if (parsed.size >= MOST_PARSED) parsed.clear();
  parsed.set(text, paths);
  return paths;
}

function pathOf(text: string): Path {
  const trimmed = text.trim();
  if (trimmed === "$http") return { from: "http", steps: [] };
  if (trimmed === "$key") return { from: "key", steps: [] };
  if (trimmed === "$value") return { from: "value", steps: [] };
  const { from, rest } = beginningOf(trimmed);
  return { from, steps: splitOutside(rest, ".").map(stepOf) };
}

/** The document in which a path begins, and the path from there. */
function beginningOf(path: string): { readonly from: Path["from"]; readonly rest: string } {
  if (path.startsWith("$.")) return { from: "root", rest: path.slice(2) };
  if (path.startsWith(OUTER)) return { from: "outer", rest: path.slice(OUTER.length) };
  return { from: "here", rest: path };
}

function stepOf(text: string): Step {
  const match = STEP.exec(text);
  if (!match) return { name: text };
  const [, name = "", conditions] = match;
  return conditions === undefined ? { name } : { name, where: conditions.split(ANOTHER_CONDITION).map(wantedOf) };
}

function wantedOf(condition: string): Wanted {
  const at = condition.indexOf("=");
  return { name: condition.slice(0, at), value: condition.slice(at + 1) };
}

/** A JSON pointer, for names that contain a dot. */
function pointerSteps(text: string): readonly Step[] {
  const steps = text.slice(1).split("/");
  return steps.map((step) => ({ name: step.replaceAll("~1", "/").replaceAll("~0", "~") }));
}

/** Splits at a mark that is not inside [ ]. */
function splitOutside(text: string, mark: string): readonly string[] {
  const parts: string[] = [""];
  let depth = 0;
  for (const character of text) {
    if (character === "[") depth++;
    if (character === "]") depth--;
    if (character === mark && depth === 0) parts.push("");
    else parts.push((parts.pop() ?? "") + character);
  }
  return parts;
}

/** What is wrong with a path; null when nothing is. */
export function pathFault(text: string): string | null {
  const steps = parsePath(text).flatMap((path) => path.steps);
  const empty = steps.some(({ name, where }) => name === "" && where === undefined);
  if (empty) return "Has an empty step. Write for example data.items.0.id.";
  const bad = text.startsWith("/") ? undefined : steps.find(({ name }) => /[[\]]/.test(name));
  return bad === undefined ? null : `Has ${JSON.stringify(bad.name)}. Choose from a list with items[name=value].`;
}

/** The value at a path, undefined where there is none. JSON's null counts as none. */
export function valueAt(place: Place, path: string, scope: Scope): JsonValue | undefined {
  for (const one of parsePath(path)) {
    const found = follow(place, one, scope);
    if (found !== undefined && found !== null) return found;
  }
  return undefined;
}

/** The place that a document is read from. What could not be opened has nothing at any path. */
export function placeIn(document: Document, http: number): Place {
  if (!document.ok) return { root: null, here: null, http };
  const { tree, outer } = document;
  return outer === undefined ? { root: tree, here: tree, http } : { root: tree, here: tree, outer, http };
}

function follow(place: Place, path: Path, scope: Scope): JsonValue | undefined {
  if (path.from === "http") return String(place.http);
  if (path.from === "key") return place.key;
  return followSteps(startOf(place, path.from), path.steps, scope);
}

function followSteps(start: JsonValue | undefined, steps: readonly Step[], scope: Scope): JsonValue | undefined {
  let here = start;
  for (const [position, { name, where }] of steps.entries()) {
    here = stepInto(here, name);
    if (where !== undefined) {
      const [first, ...others] = chosen(here, where, scope);
      if (others.length > 0 && namesOurs(where)) return agreed([first, ...others], steps.slice(position + 1), scope);
      here = first;
    }
    if (here === undefined) return undefined;
  }
  return here;
}

/** Whether an item is chosen by our reference or the provider's id, of which there should be one. */
function namesOurs(where: readonly Wanted[]): boolean {
  return where.some(({ value }) => /\{(?:reference|provider_ref)\b/.test(value));
}

/** What several entries of one transaction say: the value that all have, otherwise a list, which no condition takes for one of them. */
function agreed(items: readonly (JsonValue | undefined)[], rest: readonly Step[], scope: Scope): JsonValue | undefined {
  const values = items.map((item) => followSteps(item, rest, scope) ?? null);
  const [first] = values;
  return values.every((value) => canonicalJson(value) === canonicalJson(first ?? null)) ? (first ?? undefined) : values;
}

function startOf(place: Place, from: Path["from"]): JsonValue | undefined {
  if (from === "outer") return place.outer;
  return from === "root" ? place.root : place.here;
}

function stepInto(here: JsonValue | undefined, name: string): JsonValue | undefined {
  if (name === "") return here;
  if (typeof here !== "object" || here === null) return undefined;
  if (Object.hasOwn(here, name)) return (here as JsonObject)[name];
  // Some servers write a list of one item as the item itself.
  return name === "0" && !Array.isArray(here) ? here : undefined;
}

function chosen(here: JsonValue | undefined, where: readonly Wanted[], scope: Scope): readonly JsonValue[] {
  const wanted = where.map(({ name, value }) => ({ name, text: render(value, scope) }));
  return listOf(here).filter((item) => wanted.every(({ name, text }) => scalarText(stepInto(item, name)) === text));
}

/** A list as it is, one value as a list of one, and nothing as an empty list. */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
}

export type Found = { readonly item: JsonValue; readonly key: string };

/** The items of a list. A step `*` goes through all items or members of what it finds. */
export function itemsAt(place: Place, path: string, scope: Scope): readonly Found[] {
  if (!path.split(".").includes("*")) {
    return listOf(valueAt(place, path, scope)).map((item, position) => ({ item, key: String(position) }));
  }
  const { from, rest } = beginningOf(path);
  const start = startOf(place, from);
  let found: readonly Found[] = start === undefined ? [] : [{ item: start, key: "" }];
  for (const name of splitOutside(rest, ".")) {
    found = found.flatMap(({ item, key }) => {
      if (name === "*") return membersOf(item, key);
      const next = stepInto(item, name);
      return next === undefined || next === null ? [] : [{ item: next, key }];
    });
  }
  return found.flatMap(({ item, key }) => listOf(item).map((one) => ({ item: one, key })));
}

function membersOf(item: JsonValue, key: string): readonly Found[] {
  if (Array.isArray(item)) return item.map((one: JsonValue) => ({ item: one, key }));
  if (typeof item !== "object" || item === null) return [];
  return Object.entries(item).map(([name, one]) => ({ item: one, key: name }));
}

/** A scalar as text; null for lists, objects and nothing. */
export function scalarText(value: JsonValue | undefined): string | null {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  // The text of an XML element that also has attributes.
  if (typeof value === "object" && value !== null && Object.hasOwn(value, "#text")) return scalarText((value as JsonObject)["#text"]);
  return null;
}
