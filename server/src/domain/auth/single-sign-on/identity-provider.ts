import type { JsonObject, JsonValue } from "../../../platform/core/strict-json.ts";
import { sealedTable } from "../../accounts/master-key/sealed-table.ts";
import type { Realm } from "../context.ts";
import { MANAGERS, ROLES, type Role, STAFF_ROLES, type StaffRole } from "../user.ts";

export type AnyRole = Role | StaffRole;
export type RoleRule = { readonly value: string; readonly role: AnyRole };

/** An OpenID Connect provider, of staff or of one account. */
export type IdentityProvider = {
  readonly provider_id: string;
  readonly realm: Realm;
  /** Null for staff. */
  readonly account_id: string | null;
  readonly name: string;
  readonly issuer: string;
  readonly client_id: string;
  /** The sealed client secret; null for a public client. */
  readonly key_id: string | null;
  readonly sealed: Buffer | null;
  readonly role_claim: string | null;
  readonly role_map: readonly RoleRule[];
  readonly default_role: AnyRole | null;
  readonly grants_manager: boolean;
  readonly creates_members: boolean;
  readonly second_factor: "local" | "provider";
  readonly enforced: boolean;
  readonly enabled: boolean;
  readonly changed_at: Date;
  readonly changed_by: string;
  readonly changed_by_person: string | null;
};

/** What an administrator or owner chooses. */
export type ProviderSettings = Pick<
  IdentityProvider,
  | "name"
  | "issuer"
  | "client_id"
  | "role_claim"
  | "role_map"
  | "default_role"
  | "grants_manager"
  | "creates_members"
  | "second_factor"
  | "enforced"
  | "enabled"
>;

/** The encryption context that binds a client secret to its provider. */
export function clientSecretContext(providerId: string): string {
  return `identity_provider/${providerId}/client_secret`;
}

/** The table of client secrets, for key rotation. */
export const CLIENT_SECRETS = sealedTable({
  table: "identity_providers",
  id: "provider_id",
  keyId: "key_id",
  sealed: "sealed",
  contextOf: clientSecretContext,
});

/** The issuer as OpenID Connect compares it; null if it cannot be one. Plain http is for trials only. */
export function readIssuer(text: string, allowsHttp: boolean): string | null {
  if (!URL.canParse(text) || /\s/.test(text)) return null;
  const { protocol, username, password, search, hash } = new URL(text);
  if (protocol !== "https:" && !(allowsHttp && protocol === "http:")) return null;
  return username === "" && password === "" && search === "" && hash === "" && !text.includes("?") && !text.includes("#") ? text : null;
}

const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;

/** An email domain in lower case; null when it is not valid. */
export function readDomain(text: string): string | null {
  const domain = text.trim().toLowerCase().replace(/^@/, "");
  return DOMAIN.test(domain) ? domain : null;
}

export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1);
}

/** The faults of settings by field; empty when they can be saved. */
export function settingsFaults(realm: Realm, settings: ProviderSettings): Readonly<Record<string, string>> {
  const roles: readonly string[] = realm === "portal" ? ROLES : STAFF_ROLES;
  const manager = MANAGERS[realm];
  const faults: Record<string, string> = {};
  const given = settings.role_map.map(({ role }) => role);
  if (given.some((role) => !roles.includes(role))) faults["role_map"] = `A role must be one of ${roles.join(", ")}.`;
  else if (!settings.grants_manager && given.includes(manager))
    faults["role_map"] = `A claim gives the role ${manager} only if you allow it with grants_manager.`;
  if (settings.role_claim === null && settings.role_map.length > 0) faults["role_claim"] = "Name the claim that the values belong to.";
  if (settings.default_role !== null && !roles.includes(settings.default_role))
    faults["default_role"] = `Must be one of ${roles.join(", ")}.`;
  else if (settings.default_role === manager) faults["default_role"] = `Nobody becomes ${manager} by default.`;
  if (settings.enforced && !settings.enabled) faults["enforced"] = "Enable the identity provider first.";
  return faults;
}

export type RoleDecision =
  | { readonly kind: "role"; readonly role: AnyRole }
  | { readonly kind: "unchanged" }
  | { readonly kind: "refused" };

/** The role that a sign-in gives. `current` is null for a new member. */
export function decideRole(
  provider: Pick<IdentityProvider, "realm" | "role_claim" | "role_map" | "default_role" | "grants_manager">,
  claims: JsonObject,
  current: AnyRole | null,
): RoleDecision {
  if (provider.role_claim === null) {
    if (current !== null) return { kind: "unchanged" };
    return provider.default_role === null ? { kind: "refused" } : { kind: "role", role: provider.default_role };
  }
  const values = claimValues(claims, provider.role_claim);
  const role = provider.role_map.find(({ value }) => values.includes(value))?.role ?? provider.default_role;
  if (role === null) return { kind: "refused" };
  // A manager whom a colleague appointed keeps the role, because the claim cannot give it back.
  if (current === MANAGERS[provider.realm] && !provider.grants_manager) return { kind: "unchanged" };
  return { kind: "role", role };
}

/** The texts of a claim. A name with dots also finds a nested claim, such as realm_access.roles. */
export function claimValues(claims: JsonObject, name: string): readonly string[] {
  const found: JsonValue | undefined = Object.hasOwn(claims, name) ? claims[name] : nested(claims, name.split("."));
  return (Array.isArray(found) ? found : [found]).filter((value) => typeof value === "string");
}

function nested(claims: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = claims;
  for (const part of path) {
    if (typeof value !== "object" || value === null || Array.isArray(value) || !Object.hasOwn(value, part)) return undefined;
    value = (value as JsonObject)[part];
  }
  return value;
}
