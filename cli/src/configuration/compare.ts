import { type ConfigurationKind, type ConfigurationObject, REMOVABLE_KINDS } from "@corprail/server/domain/configuration/configuration";
import { canonicalJson } from "@corprail/server/platform/core/canonical-json";
import type { JsonObject, JsonValue } from "@corprail/server/platform/core/strict-json";
import type { Desired, Folder } from "./read-folder.ts";

/** A field that differs; undefined where it does not exist. */
export type FieldChange = { readonly path: string; readonly from?: JsonValue; readonly to?: JsonValue };

export type Change = {
  readonly kind: ConfigurationKind;
  readonly name: string;
  readonly action: "add" | "change" | "remove";
  readonly fields: readonly FieldChange[];
  /** The whole object as the files want it; of a removed one, as it is. */
  readonly value: JsonObject;
  /** The id that the operator API needs. */
  readonly id?: string;
};

export type Comparison = {
  readonly changes: readonly Change[];
  /** What the files want and this installation cannot have, each with its place. */
  readonly faults: readonly string[];
};

export type CompareOptions = {
  /** Secrets cannot be compared, so those that are set already are set again only on demand. */
  readonly setSecrets: boolean;
};

/** The built-in provider of sandbox accounts belongs to every installation. */
const BUILT_IN = "simulator";

/** Every difference between the settings and the files, in the order in which they are applied. */
export function compare(live: readonly ConfigurationObject[], { kinds, objects }: Folder, options: CompareOptions): Comparison {
  const keyOf = ({ kind, name }: { readonly kind: string; readonly name: string }) => `${kind} ${name}`;
  const current = new Map(live.map((one) => [keyOf(one), one]));
  const wanted = new Set(objects.map(keyOf));
  const faults = objects.filter((one) => !current.has(keyOf(one)) && !REMOVABLE_KINDS.includes(one.kind)).map(unknownObject);
  const changes = kinds.flatMap((kind) => [
    ...objects.filter((one) => one.kind === kind).flatMap((one) => differenceOf(current.get(keyOf(one)), one, options)),
    ...live.filter((one) => one.kind === kind && !wanted.has(keyOf(one))).flatMap(removalOf),
  ]);
  return { changes: inOrder(changes), faults };
}

const CREATED_BY: Readonly<Partial<Record<ConfigurationKind, string>>> = {
  clients: "Create the client at the console or with corprail account create.",
  roles: "Invite the person at the console.",
};

function unknownObject({ kind, name, place }: Desired): string {
  return `${place} ${kind} ${name}: This installation does not have it. ${CREATED_BY[kind] ?? ""}`.trim();
}

function differenceOf(live: ConfigurationObject | undefined, desired: Desired, options: CompareOptions): readonly Change[] {
  const { kind, name, value } = desired;
  if (!live && !REMOVABLE_KINDS.includes(kind)) return [];
  const fields = kind === "providers" ? providerFields(live?.value, value, options) : givenFields(live?.value ?? {}, value);
  if (live && fields.length === 0) return [];
  return [{ kind, name, action: live ? "change" : "add", fields, value, ...(live?.id === undefined ? {} : { id: live.id }) }];
}

/** Only the fields that the files contain; the others are not managed by them. */
function givenFields(live: JsonObject, desired: JsonObject): readonly FieldChange[] {
  return Object.entries(desired).flatMap(([name, to]) => deepChanges(name, live[name], to));
}

function providerFields(live: JsonObject | undefined, desired: JsonObject, { setSecrets }: CompareOptions): readonly FieldChange[] {
  const { secrets: set = [], ...was } = live ?? {};
  const { secrets: references = {}, ...is } = desired;
  const known = Array.isArray(set) ? set : [];
  const secrets = Object.entries(references as JsonObject).flatMap(([name, reference]): readonly FieldChange[] => {
    const path = `secrets.${name}`;
    if (reference === null) return known.includes(name) ? [{ path, from: "set", to: null }] : [];
    if (known.includes(name) && !setSecrets) return [];
    return [{ path, from: known.includes(name) ? "set" : "not set", to: reference }];
  });
  const { definition, ...others } = is;
  return [...givenFields(was, others), ...deepChanges("definition", was["definition"], definition as JsonValue), ...secrets];
}

/** Objects field by field, everything else as a whole. */
function deepChanges(path: string, from: JsonValue | undefined, to: JsonValue | undefined): readonly FieldChange[] {
  if (from !== undefined && to !== undefined && canonicalJson(from) === canonicalJson(to)) return [];
  if (from === to) return [];
  if (!isObject(from) || !isObject(to)) return [{ path, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }];
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].toSorted();
  return names.flatMap((name) => deepChanges(`${path}.${name}`, from[name], to[name]));
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function removalOf({ kind, name, value, id }: ConfigurationObject): readonly Change[] {
  if (!REMOVABLE_KINDS.includes(kind)) return [];
  // A provider cannot be deleted, because orders refer to it: it is switched off.
  if (kind === "providers" && (name === BUILT_IN || value["enabled"] === false)) return [];
  const fields = kind === "providers" ? [{ path: "enabled", from: true, to: false }] : [];
  return [{ kind, name, action: "remove", fields, value, ...(id === undefined ? {} : { id }) }];
}

/**
 * Routes are removed after the others are added, so that no operator is without a route in between; those of a provider whose
 * description changes are removed first, because the service refuses a description that cannot serve its routes.
 */
function inOrder(changes: readonly Change[]): readonly Change[] {
  const described = changes.filter((one) => one.kind === "providers" && one.fields.some(({ path }) => path.startsWith("definition")));
  const isOfDescribed = ({ kind, value }: Change) => kind === "routes" && described.some(({ name }) => name === value["provider"]);
  const first = changes.filter((one) => one.action === "remove" && isOfDescribed(one));
  const [lastRoutes, lastProviders] = (["routes", "providers"] as const).map((kind) =>
    changes.filter((one) => one.kind === kind && one.action === "remove" && !first.includes(one)),
  );
  const moved = [...first, ...(lastRoutes ?? []), ...(lastProviders ?? [])];
  return [...first, ...changes.filter((one) => !moved.includes(one)), ...(lastRoutes ?? []), ...(lastProviders ?? [])];
}
