import type { OperationName } from "@corprail/connector";
import { missingOperations, REQUIRED_OPERATIONS } from "@corprail/connector/required-operations";
import { rangeOfPath, stepsOfPath } from "./fault-place.ts";
import { type JsonNode, memberOf } from "./json-tree.ts";

export type Section = {
  readonly label: string;
  /** Where it begins in the text; null when the description does not have it. */
  readonly at: number | null;
  readonly faults: number;
};

export type ServiceOutline = {
  readonly service: string;
  readonly operations: readonly Section[];
  /** What it lacks to be routable, in words. */
  readonly missing: readonly string[];
};

export type Outline = { readonly sections: readonly Section[]; readonly services: readonly ServiceOutline[] };

const PARTS = [
  ["Secrets", "secrets"],
  ["Codes", "codes"],
  ["Login", "login"],
  ["Callbacks", "callbacks"],
] as const;
const OTHER = "other";

/** The sections of a description, with the number of faults in each. */
export function outlineOf(tree: JsonNode | null, faultPaths: readonly string[]): Outline {
  const places = faultPaths.map((path) => stepsOfPath(tree, path));
  const operations = operationsIn(tree);
  const named = new Set<string>(PARTS.map(([, name]) => name));
  const isGeneral = ([top = "", operation]: readonly string[]) => !named.has(top) && (top !== "operations" || operation === undefined);
  const general = { label: "General", at: tree?.from ?? null, faults: places.filter(isGeneral).length };
  const parts = PARTS.map(([label, name]) => ({
    label,
    at: memberOf(tree, name)?.from ?? null,
    faults: places.filter(([top]) => top === name).length,
  }));
  const sectionOf = (name: string): Section => ({
    label: name,
    at: rangeOfPath(tree, `operations.${name}`).from,
    faults: places.filter(([top, operation]) => top === "operations" && operation === name).length,
  });
  return { sections: [general, ...parts], services: servicesOf(operations, sectionOf) };
}

function servicesOf(operations: readonly string[], sectionOf: (name: string) => Section): readonly ServiceOutline[] {
  const has = new Set(operations as readonly OperationName[]);
  return [...Object.keys(REQUIRED_OPERATIONS), OTHER].flatMap((service) => {
    const own = operations.filter((name) => serviceOf(name) === service);
    const missing = service === OTHER ? [] : missingOperations(service, has);
    return own.length === 0 ? [] : [{ service, operations: own.map(sectionOf), missing }];
  });
}

export function operationsIn(tree: JsonNode | null): readonly string[] {
  return memberOf(tree, "operations")?.node?.members.map(({ name }) => name) ?? [];
}

/** The service that an operation belongs to; `other` for those of every service. */
export function serviceOf(operation: string): string {
  const [service = ""] = operation.split(".");
  return Object.hasOwn(REQUIRED_OPERATIONS, service) ? service : OTHER;
}
