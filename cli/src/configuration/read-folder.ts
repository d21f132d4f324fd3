import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join, relative } from "node:path";
import {
  CONFIGURATION_KINDS,
  type ConfigurationKind,
  type ConfigurationObject,
  ONLY,
  priceObjectName,
  routeObjectName,
} from "@corprail/server/domain/configuration/configuration";
import { ITEM_SCHEMAS } from "@corprail/server/domain/configuration/item-schemas";
import { indiaDate } from "@corprail/server/platform/core/india-time";
import type { JsonObject } from "@corprail/server/platform/core/strict-json";
import { isMap, isSeq, LineCounter, type Node, parseAllDocuments } from "yaml";
import { UsageFault } from "../shared/outcome.ts";
import { shellWord } from "../shared/shell-words.ts";

/** An object as the files want it. */
export type Desired = Omit<ConfigurationObject, "id" | "label"> & {
  /** File, line and column of its item. */
  readonly place: string;
};

export type Folder = { readonly kinds: readonly ConfigurationKind[]; readonly objects: readonly Desired[] };

const MAX_SHOWN_FAULTS = 50;
const EXTENSIONS = [".yaml", ".yml", ".json"];
/** Where an export puts the JSON Schemas for editors. */
export const SCHEMA_FOLDER = "schema";

/** Reads all files of a folder. Every fault is named with its file and place. */
export async function readFolder(folder: string, now: number): Promise<Folder> {
  const info = await stat(folder).catch(() => null);
  if (!info?.isDirectory()) throw new UsageFault(`${folder} is not a folder. corprail export ${shellWord(folder)} writes one.`);
  const paths = (await readdir(folder, { recursive: true })).filter((path) => isConfiguration(path)).toSorted();
  const read = { faults: [] as string[], kinds: new Set<ConfigurationKind>(), objects: [] as Desired[] };
  for (const path of paths) readText(read, path, await readFile(join(folder, path), "utf8"));
  const objects = withoutSuperseded(read.objects, now);
  read.faults.push(...duplicates(objects));
  if (paths.length === 0) throw new UsageFault(`${folder} has no files that end with .yaml, .yml or .json.`);
  if (read.faults.length > 0) throw new UsageFault(faultText(read.faults));
  return { kinds: CONFIGURATION_KINDS.filter((kind) => read.kinds.has(kind)), objects };
}

function isConfiguration(path: string): boolean {
  const parts = relative(".", path).split(/[/\\]/);
  return EXTENSIONS.includes(extname(path)) && parts[0] !== SCHEMA_FOLDER && !parts.some((part) => part.startsWith("."));
}

type Reading = { readonly faults: string[]; readonly kinds: Set<ConfigurationKind>; readonly objects: Desired[] };

function readText(read: Reading, path: string, text: string): void {
  const lines = new LineCounter();
  // JSON is YAML, so one parser reads both.
  const documents = parseAllDocuments(text, { lineCounter: lines, uniqueKeys: true });
  for (const document of Array.isArray(documents) ? documents : []) {
    const placeOf = (offset: number) => `${path}:${lines.linePos(offset).line}:${lines.linePos(offset).col}`;
    const errors = [...document.errors, ...document.warnings];
    read.faults.push(...errors.map((error) => `${placeOf(error.pos[0])} ${error.message.split("\n")[0]}`));
    if (errors.length > 0 || document.contents === null) continue;
    const at = (keys: readonly PropertyKey[]) => placeOf(offsetOf(document.contents as Node, keys));
    readDocument(read, document.toJS({ maxAliasCount: 100 }) as unknown, at);
  }
}

/** The offset of the deepest part of the path that exists. */
function offsetOf(node: Node, keys: readonly PropertyKey[]): number {
  let [found, place] = [node as Node | null | undefined, node.range?.[0] ?? 0];
  for (const key of keys) {
    const next: unknown = isMap(found) || isSeq(found) ? found.get(key, true) : null;
    if (typeof next !== "object" || next === null) return place;
    found = next as Node;
    place = found.range?.[0] ?? place;
  }
  return place;
}

function readDocument(read: Reading, value: unknown, at: (keys: readonly PropertyKey[]) => string): void {
  const { kind: name, items, ...others } = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const kind = CONFIGURATION_KINDS.find((known) => known === name);
  if (kind === undefined) return void read.faults.push(`${at(["kind"])} kind: Must be one of ${CONFIGURATION_KINDS.join(", ")}.`);
  for (const other of Object.keys(others)) read.faults.push(`${at([other])} ${other}: A file has only kind and items.`);
  if (!Array.isArray(items)) return void read.faults.push(`${at(["items"])} items: Must be a list.`);
  read.kinds.add(kind);
  for (const [index, item] of items.entries()) {
    const checked = ITEM_SCHEMAS[kind].safeParse(item);
    if (checked.success) {
      read.objects.push({ kind, name: objectName(kind, checked.data), value: checked.data as JsonObject, place: at(["items", index]) });
    } else
      for (const { path, message } of checked.error.issues)
        read.faults.push(`${at(["items", index, ...path])} items[${index}]${path.map((key) => `.${String(key)}`).join("")}: ${message}`);
  }
}

/** The same names as in the service's reading. */
function objectName(kind: ConfigurationKind, value: JsonObject | object): string {
  const fields = value as Readonly<Record<string, string>>;
  if (kind === "routes") return routeObjectName(fields as never);
  if (kind === "prices") return priceObjectName(fields, fields["valid_from"] ?? null);
  const key = { services: "service", operators: "operator", providers: "provider", clients: "account_id", roles: "email" }[kind as never] as
    | string
    | undefined;
  return key === undefined ? ONLY : (fields[key] ?? "");
}

/** A price whose day has come replaces the earlier ones of the same scope, as it does in the service. */
function withoutSuperseded(objects: readonly Desired[], now: number): readonly Desired[] {
  const today = indiaDate(now);
  const startOf = ({ value }: Desired) => (typeof value["valid_from"] === "string" ? value["valid_from"] : "");
  const begun = (one: Desired) => one.kind === "prices" && startOf(one) <= today;
  const scopeOf = ({ value }: Desired) => priceObjectName(value as never, null);
  const isCurrent = (one: Desired) =>
    !objects.some((other) => begun(other) && scopeOf(other) === scopeOf(one) && startOf(other) > startOf(one));
  return objects.flatMap((one) => {
    if (!begun(one)) return [one];
    const { valid_from: _day, ...value } = one.value;
    return isCurrent(one) ? [{ ...one, name: scopeOf(one), value }] : [];
  });
}

function duplicates(objects: readonly Desired[]): readonly string[] {
  const first = new Map<string, string>();
  return objects.flatMap(({ kind, name, place }) => {
    const before = first.get(`${kind} ${name}`);
    if (before !== undefined) return [`${place} ${kind} ${name} is already at ${before}.`];
    first.set(`${kind} ${name}`, place);
    return [];
  });
}

function faultText(faults: readonly string[]): string {
  const more = faults.length > MAX_SHOWN_FAULTS ? [`and ${faults.length - MAX_SHOWN_FAULTS} more`] : [];
  return ["The files have faults:", ...faults.slice(0, MAX_SHOWN_FAULTS), ...more].join("\n  ");
}
