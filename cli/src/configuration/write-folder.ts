import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CONFIGURATION_KINDS, type ConfigurationKind, type ConfigurationObject } from "@corprail/server/domain/configuration/configuration";
import { fileJsonSchema } from "@corprail/server/domain/configuration/item-schemas";
import type { JsonObject, JsonValue } from "@corprail/server/platform/core/strict-json";
import { Document, isSeq, type Node } from "yaml";
import { UsageFault } from "../shared/outcome.ts";
import { SCHEMA_FOLDER } from "./read-folder.ts";

export type Format = "yaml" | "json";

/** The files of an export by path: sorted, and equal for equal settings. */
export function exportFiles(
  objects: readonly ConfigurationObject[],
  kinds: readonly ConfigurationKind[],
  format: Format,
): Map<string, string> {
  const files = new Map<string, string>();
  for (const kind of kinds) {
    const own = objects.filter((one) => one.kind === kind);
    // A provider's description is long, so each has its own file.
    const parts =
      kind === "providers" && own.length > 0
        ? own.map((one) => [`providers/${one.name}`, [one]] as const)
        : [[fileName(kind), own] as const];
    for (const [name, items] of parts) files.set(`${name}.${format}`, fileText(kind, items, format, name.includes("/") ? "../" : ""));
    files.set(`${SCHEMA_FOLDER}/${fileName(kind)}.json`, schemaText(kind));
  }
  return files;
}

const schemaTexts = new Map<ConfigurationKind, string>();

function schemaText(kind: ConfigurationKind): string {
  const text = schemaTexts.get(kind) ?? `${JSON.stringify(fileJsonSchema(kind), null, 2)}\n`;
  schemaTexts.set(kind, text);
  return text;
}

export function fileName(kind: ConfigurationKind): string {
  return kind.replaceAll("_", "-");
}

function fileText(kind: ConfigurationKind, objects: readonly ConfigurationObject[], format: Format, up: string): string {
  const content = { kind, items: objects.map(itemOf) };
  if (format === "json") return `${JSON.stringify(content, null, 2)}\n`;
  const document = new Document(content, { aliasDuplicateObjects: false });
  document.commentBefore = ` yaml-language-server: $schema=${up}${SCHEMA_FOLDER}/${fileName(kind)}.json`;
  const items = document.get("items", true);
  for (const [index, { label }] of objects.entries()) {
    const item = isSeq(items) ? (items.items[index] as Node | undefined) : undefined;
    if (label !== undefined && item) item.commentBefore = ` ${label.replaceAll(/[\r\n]/g, " ")}`;
  }
  return document.toString({ lineWidth: 0 });
}

/** Secrets are never exported: each becomes a reference to a variable. */
function itemOf({ kind, name, value }: ConfigurationObject): JsonObject {
  if (kind !== "providers") return sortedDeep(value, true) as JsonObject;
  const { secrets, ...rest } = value;
  const references = (Array.isArray(secrets) ? secrets : []).map(
    (secret) => [String(secret), { env: variableOf(name, String(secret)) }] as const,
  );
  return { ...(sortedDeep(rest, true) as JsonObject), ...(references.length === 0 ? {} : { secrets: Object.fromEntries(references) }) };
}

function variableOf(provider: string, secret: string): string {
  return `${provider}_${secret}`
    .toUpperCase()
    .replaceAll(/[^A-Z0-9_]/g, "_")
    .replace(/^(?=\d)/, "_");
}

/** Nested fields by name, because the database keeps no order; those of an item stay in the order of the schema. */
function sortedDeep(value: JsonValue, isItem = false): JsonValue {
  if (Array.isArray(value)) return value.map((one) => sortedDeep(one));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, sortedDeep(inner)] as const);
  return Object.fromEntries(isItem ? entries : entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Writes the files. A folder that has other files is left alone without `replace`. */
export async function writeFiles(folder: string, files: ReadonlyMap<string, string>, replace: boolean): Promise<readonly string[]> {
  const existing = await readdir(folder).catch(() => []);
  if (existing.length > 0 && !replace)
    throw new UsageFault(`${folder} is not empty. Add --replace to write over the files of an earlier export.`);
  const written: string[] = [];
  for (const [path, text] of files) {
    const target = join(folder, path);
    if ((await readFile(target, "utf8").catch(() => null)) === text) continue;
    await mkdir(dirname(target), { recursive: true });
    await writeFile(`${target}.part`, text);
    await rename(`${target}.part`, target);
    written.push(path);
  }
  return written;
}

/** The kinds of `--only`, such as `routes,prices`. */
export function readKinds(text: string | undefined): readonly ConfigurationKind[] {
  if (text === undefined) return CONFIGURATION_KINDS;
  const names = text.split(",").map((name) => name.trim().replaceAll("-", "_"));
  const unknown = names.filter((name) => !CONFIGURATION_KINDS.some((kind) => kind === name));
  if (unknown.length > 0) throw new UsageFault(`There is no kind ${unknown.join(", ")}. Kinds are ${CONFIGURATION_KINDS.join(", ")}.`);
  return CONFIGURATION_KINDS.filter((kind) => names.includes(kind));
}
