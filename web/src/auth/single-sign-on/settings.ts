import { singleSignOnText } from "../../messages/en/single-sign-on.ts";
import { fill } from "../../messages/fill.ts";
import type { Schemas } from "../../portal-api.ts";
import type { Option } from "../../ui/forms/field.tsx";

export type SingleSignOn = Schemas["SingleSignOn"];
export type IdentityProvider = Schemas["IdentityProvider"];
type AnyRole = IdentityProvider["role_map"][number]["role"];

/** The fields of the form. Rules are lines such as "payments-operations = operations". */
export type Values = {
  name: string;
  issuer: string;
  client_id: string;
  client_secret: string;
  domains: string;
  role_claim: string;
  role_map: string;
  default_role: string;
  grants_manager: boolean;
  creates_members: boolean;
  second_factor: string;
  enforced: boolean;
  enabled: boolean;
};

/** What the settings page of a site needs: how it reads and saves, and its roles. */
export type SignOnSite = {
  readonly read: (signal: AbortSignal) => Promise<SingleSignOn>;
  /** Null if the change waits for another person's approval. */
  readonly save: (input: Input) => Promise<SingleSignOn | null>;
  readonly remove: () => Promise<SingleSignOn | null>;
  /** Lets everybody sign in with a password again. Only where the site can do so while the provider is down. */
  readonly stopEnforcing?: () => Promise<SingleSignOn>;
  /** Whether the domains are chosen here; otherwise the platform's staff assign them. */
  readonly choosesDomains: boolean;
  readonly roles: readonly Option[];
  /** The role that claims give only if this is allowed. */
  readonly manager: string;
  readonly members: string;
  /** Why the reader cannot change the settings; without it they can. */
  readonly readOnlyBecause?: string;
};

export type Input = {
  readonly name: string;
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret?: string;
  readonly domains: readonly string[];
  readonly role_claim: string | null;
  readonly role_map: readonly { readonly value: string; readonly role: AnyRole }[];
  readonly default_role: AnyRole | null;
  readonly grants_manager: boolean;
  readonly creates_members: boolean;
  readonly second_factor: "local" | "provider";
  readonly enforced: boolean;
  readonly enabled: boolean;
};

export function valuesOf({ provider, domains }: SingleSignOn): Values {
  return {
    name: provider?.name ?? "",
    issuer: provider?.issuer ?? "",
    client_id: provider?.client_id ?? "",
    client_secret: "",
    domains: domains.join("\n"),
    role_claim: provider?.role_claim ?? "",
    role_map: (provider?.role_map ?? []).map(({ value, role }) => `${value} = ${role}`).join("\n"),
    default_role: provider?.default_role ?? "",
    grants_manager: provider?.grants_manager ?? false,
    creates_members: provider?.creates_members ?? false,
    second_factor: provider?.second_factor ?? "local",
    enforced: provider?.enforced ?? false,
    enabled: provider?.enabled ?? true,
  };
}

export type ReadRules = { readonly ok: true; readonly rules: Input["role_map"] } | { readonly ok: false; readonly why: string };

/** Reads lines of a value, an equals sign and a role. A value may contain equals signs itself. */
export function readRules(text: string, roles: readonly Option[]): ReadRules {
  const rules: { value: string; role: AnyRole }[] = [];
  for (const line of text.split("\n").map((part) => part.trim())) {
    if (line === "") continue;
    const at = line.lastIndexOf("=");
    const [value, role] = [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    if (at < 1 || value === "") return { ok: false, why: fill(singleSignOnText.isNotAValueAn, { line }) };
    if (!roles.some((one) => one.value === role))
      return { ok: false, why: fill(singleSignOnText.isNotARoleRoles, { role, roles: listed(roles) }) };
    rules.push({ value, role: role as AnyRole });
  }
  return { ok: true, rules };
}

function listed(roles: readonly Option[]): string {
  return roles.map(({ value }) => value).join(", ");
}

export function inputOf(values: Values, rules: Input["role_map"]): Input {
  const secret = values.client_secret.trim();
  return {
    name: values.name.trim(),
    issuer: values.issuer.trim(),
    client_id: values.client_id.trim(),
    ...(secret === "" ? {} : { client_secret: secret }),
    domains: values.domains.split(/[\s,;]+/).filter(Boolean),
    role_claim: values.role_claim.trim() || null,
    role_map: rules,
    default_role: (values.default_role || null) as AnyRole | null,
    grants_manager: values.grants_manager,
    creates_members: values.creates_members,
    second_factor: values.second_factor === "provider" ? "provider" : "local",
    enforced: values.enforced,
    enabled: values.enabled,
  };
}
