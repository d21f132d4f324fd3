import { createHash } from "node:crypto";
import { canonicalJson } from "../../platform/core/canonical-json.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";

/** The kinds of configuration files, in the order in which their changes are applied. */
export const CONFIGURATION_KINDS = [
  "services",
  "operators",
  "transfer_settings",
  "providers",
  "routes",
  "prices",
  "clients",
  "roles",
  "alert_rules",
  "approval_rules",
] as const;
export type ConfigurationKind = (typeof CONFIGURATION_KINDS)[number];

/** One configured object, with the same fields as in a configuration file. Secrets appear by name only. */
export type ConfigurationObject = {
  readonly kind: ConfigurationKind;
  /** Unique within its kind, such as `recharge/AT/quickpay` for a route. */
  readonly name: string;
  readonly value: JsonObject;
  /** What the operator API needs to change it, if that is not its name: the id of a price rule or of a member of staff. */
  readonly id?: string;
  /** For people: the name of a client. */
  readonly label?: string;
};

/** Kinds whose objects can be added and removed by files; the objects of other kinds are created elsewhere. */
export const REMOVABLE_KINDS: readonly ConfigurationKind[] = ["providers", "routes", "prices"];

/** The name of the only object of a kind. */
export const ONLY = "settings";

export function routeObjectName(route: { readonly service: string; readonly operator: string; readonly provider: string }): string {
  return `${route.service}/${route.operator}/${route.provider}`;
}

type PriceScope = {
  readonly account_id?: string | null | undefined;
  readonly service?: string | null | undefined;
  readonly operator?: string | null | undefined;
};

/** `scheduled` is the day from which a rule that is not yet in force applies. */
export function priceObjectName({ account_id, service, operator }: PriceScope, scheduled: string | null): string {
  return `${account_id ?? "*"}/${service ?? "*"}/${operator ?? "*"}${scheduled === null ? "" : `@${scheduled}`}`;
}

/** A digest of an object's value. */
export function objectDigest({ value }: Pick<ConfigurationObject, "value">): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}

/** A digest of all objects; it does not depend on their order. */
export function fingerprintOf(objects: readonly ConfigurationObject[]): string {
  const lines = objects.map((one) => `${one.kind} ${one.name} ${objectDigest(one)}\n`).toSorted();
  return createHash("sha256").update(lines.join("")).digest("hex");
}
