import { z } from "zod";
import type { AuthContext, Realm } from "../../../domain/auth/context.ts";
import type { IdentityProvider, ProviderSettings } from "../../../domain/auth/single-sign-on/identity-provider.ts";
import { providerIdOf } from "../../../domain/auth/single-sign-on/save-provider.ts";
import { redirectUriOf } from "../../../domain/auth/single-sign-on/start-sign-on.ts";
import { findProvider, readDomains } from "../../../domain/auth/single-sign-on/store.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { timeText } from "./output-fields.ts";
import { anyRole } from "./team-view.ts";

const MAX_RULES = 100;
const text = (most: number) => z.string().trim().min(1).max(most);

/** The settings of an identity provider, as staff and owners send them. */
export const providerFields = {
  name: text(60).describe("The name on the sign-in button."),
  issuer: text(500).describe("The address at which the provider's discovery document is found."),
  client_id: text(255),
  client_secret: text(1000)
    .nullable()
    .optional()
    .describe("Not sent: the stored one stays, unless the issuer changes. Null: a public client without a secret."),
  role_claim: text(255)
    .nullable()
    .default(null)
    .describe("The claim that decides the role at every sign-in. Null: colleagues assign roles."),
  role_map: z
    .array(z.strictObject({ value: text(500), role: anyRole }))
    .max(MAX_RULES)
    .default([])
    .describe("Values of the claim and their roles. The first that matches counts."),
  default_role: anyRole.nullable().default(null).describe("The role if no value matches. Null: the sign-in is refused."),
  grants_manager: z.boolean().default(false).describe("Whether a claim may give the role owner or admin."),
  creates_members: z.boolean().default(false).describe("Whether a first sign-in creates the member without an invitation."),
  second_factor: z
    .enum(["local", "provider"])
    .default("local")
    .describe("Whether this installation or the provider asks for the second factor."),
  enforced: z.boolean().default(false).describe("Whether members with an address of the domains must use single sign-on."),
  enabled: z.boolean().default(true),
};

const providerOutput = z
  .strictObject({
    name: z.string(),
    issuer: z.string(),
    client_id: z.string(),
    has_client_secret: z.boolean(),
    role_claim: z.string().nullable(),
    role_map: z.array(z.strictObject({ value: z.string(), role: anyRole })).readonly(),
    default_role: anyRole.nullable(),
    grants_manager: z.boolean(),
    creates_members: z.boolean(),
    second_factor: z.enum(["local", "provider"]),
    enforced: z.boolean(),
    enabled: z.boolean(),
    changed_at: timeText,
  })
  .meta({ id: "IdentityProvider" });

/** The single sign-on of staff or of an account. */
export const signOnOutput = z
  .strictObject({
    provider: providerOutput.nullable().describe("Null if there is none."),
    domains: z.array(z.string()).readonly().describe("The email domains that the provider may speak for."),
    redirect_uri: z.string().describe("To be registered at the provider."),
    back_channel_logout_uri: z.string().describe("To be registered at the provider, if it has back-channel logout."),
  })
  .meta({ id: "SingleSignOn" });

/** Without the fields that are not settings, such as the secret. */
export function settingsOf(fields: ProviderSettings & { readonly client_secret?: unknown }): ProviderSettings {
  const { name, issuer, client_id, role_claim, role_map, default_role, grants_manager, creates_members, second_factor, enforced, enabled } =
    fields;
  return { name, issuer, client_id, role_claim, role_map, default_role, grants_manager, creates_members, second_factor, enforced, enabled };
}

/** `origin` is the site as browsers see it, `publicOrigin` the address at which the provider can reach the service. */
export async function signOnView(
  auth: AuthContext,
  accountId: string | null,
  origin: string,
  publicOrigin: string = origin,
): Promise<z.output<typeof signOnOutput>> {
  const owner = { realm: auth.realm, accountId };
  const provider = await findProvider(auth.sql, owner);
  const own = { realm: auth.realm, provider_id: providerIdOf(accountId) };
  return {
    provider: provider ? providerView(provider) : null,
    domains: await readDomains(auth.sql, owner),
    redirect_uri: redirectUriOf(own, origin),
    back_channel_logout_uri: `${publicOrigin}${logoutPath(own.realm, own.provider_id)}`,
  };
}

export function logoutPath(realm: Realm | ":realm", providerId: string): string {
  return `/sso/${realm}/${providerId}/back-channel-logout`;
}

function providerView(row: IdentityProvider): z.output<typeof providerOutput> {
  const { name, issuer, client_id, role_claim, default_role, grants_manager, creates_members, second_factor, enforced, enabled } = row;
  return {
    ...{ name, issuer, client_id, role_claim, default_role, grants_manager, creates_members, second_factor, enforced, enabled },
    role_map: row.role_map.map(({ value, role }) => ({ value, role })),
    has_client_secret: row.sealed !== null,
    changed_at: indiaDateTime(row.changed_at.getTime()),
  };
}
