import type { OperationName } from "@corprail/connector";
import { missingOperations, REQUIRED_OPERATIONS } from "@corprail/connector/required-operations";
import { formSections, sectionOfPath } from "../form/sections.ts";
import { rangeOfPath, stepsOfPath } from "./fault-place.ts";
import { type JsonNode, memberOf } from "./json-tree.ts";
import type { Schema } from "./schema.ts";

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

const OTHER = "other";

/** The sections of a description, with the number of faults in each. */
export function outlineOf(root: Schema, tree: JsonNode | null, faultPaths: readonly string[]): Outline {
  const places = faultPaths.map((path) => stepsOfPath(tree, path));
  const operations = operationsIn(tree);
  const sections = formSections(root).map(({ label, fields }) => ({
    label,
    at: fields.flatMap((name) => memberOf(tree, name)?.from ?? [])[0] ?? null,
    faults: faultPaths.filter((path) => sectionOfPath(path) === label).length,
  }));
  const operationSection = (name: string): Section => ({
    label: name,
    at: rangeOfPath(tree, `operations.${name}`).from,
    faults: places.filter(([top, operation]) => top === "operations" && operation === name).length,
  });
  return { sections, services: servicesOf(operations, operationSection) };
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
