import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { Transaction } from "../../../platform/db/connection.ts";
import { refuseRetiredKey, withReason } from "../../accounts/account-change.ts";
import type { Conflict, Done, NotFound, WithReason } from "../../accounts/context.ts";
import type { AuthContext } from "../context.ts";
import { record } from "../record.ts";
import { lockTeam } from "../store.ts";
import { MANAGERS } from "../user.ts";
import { isEmergency } from "./emergency.ts";
import { endLocalSessions, endProviderSessions } from "./enforcement.ts";
import {
  clientSecretContext,
  type IdentityProvider,
  type ProviderSettings,
  readDomain,
  readIssuer,
  settingsFaults,
} from "./identity-provider.ts";
import { OidcFault } from "./oidc-fault.ts";
import { type Invalid, orRolledBack } from "./roll-back.ts";
import { partyOf, type SignOnContext } from "./start-sign-on.ts";
import { deleteProvider, findProvider, lockProvider, type ProviderOwner, readDomains, replaceDomains, writeProvider } from "./store.ts";

/** Who makes a change: the actor of the audit log, the person behind it, and their session. */
export type Changer = WithReason & {
  readonly actor: string;
  readonly person: string | null;
  readonly sessionId: string | null;
  /** Further details for the audit log, such as the approval. */
  readonly more?: JsonObject;
};

export type SaveProvider = {
  readonly accountId: string | null;
  readonly settings: ProviderSettings;
  /** Absent: the stored one stays. Null: a public client without a secret. */
  readonly clientSecret?: string | null | undefined;
  /** For staff. The domains of an account are assigned by staff. */
  readonly domains?: readonly string[] | undefined;
};

/** Saves the identity provider of staff or of an account. */
export async function saveProvider(
  ctx: SignOnContext,
  by: Changer,
  input: SaveProvider,
  allowsHttp: boolean,
): Promise<Done | Invalid | Conflict> {
  const checked = await checkProvider(ctx, by, input, allowsHttp);
  return checked.kind === "invalid" ? checked : await orRolledBack(ctx, (tx) => write(tx, ctx, by, checked));
}

/** Checks settings before they are saved or approved. The metadata is read, so that a wrong issuer is found here. */
export async function checkProvider(
  ctx: SignOnContext,
  by: Changer,
  input: SaveProvider,
  allowsHttp: boolean,
): Promise<Invalid | (Writing & { readonly kind: "ready"; readonly before: IdentityProvider | undefined })> {
  const owner: ProviderOwner = { realm: ctx.realm, accountId: input.accountId };
  const { settings } = input;
  const faults: Record<string, string> = { ...settingsFaults(ctx.realm, settings) };
  const issuer = readIssuer(settings.issuer, allowsHttp);
  if (issuer === null) faults["issuer"] = `Must be an ${allowsHttp ? "http or https" : "https"} address without a query.`;
  const domains = input.domains?.map(readDomain);
  if (domains?.includes(null)) faults["domains"] = "Must be email domains, such as example.com.";
  if (Object.keys(faults).length > 0) return { kind: "invalid", fields: faults };
  const before = await findProvider(ctx.sql, owner);
  if (input.clientSecret === undefined && hasSecretOfAnother(before, issuer)) return OTHER_ISSUER;
  const row = withSecret(ctx, { ...settings, issuer: issuer ?? "" }, input, { owner, by, before });
  try {
    if (settings.enabled) await ctx.oidc.check(await partyOf(ctx, row));
  } catch (error) {
    if (error instanceof OidcFault) return { kind: "invalid", fields: { issuer: error.message } };
    throw error;
  }
  const known = domains?.filter((domain) => domain !== null) ?? null;
  return { kind: "ready", owner, row, domains: known, before, keepsSecret: input.clientSecret === undefined };
}

/** Saves checked settings in a transaction. Returns a conflict if the provider is no longer as it was `since`. */
export async function saveCheckedProvider(
  tx: Transaction,
  ctx: AuthContext,
  by: Changer,
  { since, ...input }: SaveProvider & { readonly since: number | null },
): Promise<Done | Invalid | Conflict> {
  const owner = { realm: ctx.realm, accountId: input.accountId };
  await lockTeam(tx, owner);
  const before = await lockProvider(tx, owner);
  if ((before?.changed_at.getTime() ?? null) !== since) return CHANGED;
  const row = withSecret(ctx, input.settings, input, { owner, by, before });
  return await write(tx, ctx, by, { owner, row, domains: input.domains ?? null, keepsSecret: input.clientSecret === undefined });
}

const CHANGED: Conflict = { kind: "conflict", reason: "The identity provider was changed in the meantime. Request the change again." };

const OTHER_SECRET = "The stored secret belongs to another issuer. Enter the secret of this one, or null for a client without a secret.";
const OTHER_ISSUER: Invalid = { kind: "invalid", fields: { client_secret: OTHER_SECRET } };

function hasSecretOfAnother(before: IdentityProvider | undefined, issuer: string | null): boolean {
  return before !== undefined && before.sealed !== null && before.issuer !== issuer;
}

/** Known before the provider is saved, because its redirect address must be registered there first. */
export function providerIdOf(accountId: string | null): string {
  return accountId ?? "staff";
}

type Context = { readonly owner: ProviderOwner; readonly by: Changer; readonly before: IdentityProvider | undefined };

function withSecret(ctx: AuthContext, settings: ProviderSettings, input: SaveProvider, { owner, by, before }: Context): IdentityProvider {
  const now = ctx.clock.now();
  const providerId = providerIdOf(owner.accountId);
  const { clientSecret } = input;
  const sealed = clientSecret ? ctx.vault.keyring().seal(clientSecret, clientSecretContext(providerId)) : null;
  const kept = clientSecret === undefined ? before : undefined;
  return {
    ...settings,
    provider_id: providerId,
    realm: owner.realm,
    account_id: owner.accountId,
    ...(sealed ? { key_id: sealed.keyId, sealed: sealed.sealed } : secretOf(kept)),
    changed_at: new Date(now),
    changed_by: by.actor,
    changed_by_person: by.person,
  };
}

const secretOf = (row: IdentityProvider | undefined) => ({ key_id: row?.key_id ?? null, sealed: row?.sealed ?? null });

type Writing = {
  readonly owner: ProviderOwner;
  readonly row: IdentityProvider;
  readonly domains: readonly string[] | null;
  readonly keepsSecret: boolean;
};

async function write(
  tx: Transaction,
  ctx: AuthContext,
  by: Changer,
  { owner, row: checked, domains, keepsSecret }: Writing,
): Promise<Done | Invalid | Conflict> {
  const team = await lockTeam(tx, owner);
  const before = await lockProvider(tx, owner);
  if (keepsSecret && hasSecretOfAnother(before, checked.issuer)) return OTHER_ISSUER;
  // The key rotation may have sealed the secret again since it was read.
  const row = keepsSecret ? { ...checked, ...secretOf(before) } : checked;
  if (row.enforced) {
    const manager = MANAGERS[ctx.realm];
    if (!team.some(isEmergency))
      return {
        kind: "conflict",
        reason: `Mark an ${manager} with a password as emergency account first, for the time when the identity provider fails.`,
      };
    if ((domains ?? (await readDomains(tx, owner))).length === 0)
      return { kind: "conflict", reason: "There is no email domain for which single sign-on could be enforced." };
  }
  const taken = domains === null ? [] : await replaceDomains(tx, owner, domains);
  if (taken.length > 0) return takenDomains(taken);
  await writeProvider(tx, row);
  const ended = await endFormerAccess(tx, owner, { before, row, by });
  const details = { ...shown(row), ...(domains === null ? {} : { domains }), ...(ended > 0 ? { sessions_ended: ended } : {}) };
  await record(
    tx,
    ctx,
    by.actor,
    "single_sign_on_saved",
    { id: row.provider_id, accountId: owner.accountId },
    withReason({ ...details, ...by.more }, by.reason),
  );
  if (row.key_id !== null) await refuseRetiredKey(tx, row.key_id);
  return { kind: "done" };
}

type Change = { readonly before: IdentityProvider | undefined; readonly row: IdentityProvider; readonly by: Changer };

/** Ends what the change no longer allows. Returns the number of ended sessions. */
async function endFormerAccess(tx: Transaction, owner: ProviderOwner, { before, row, by }: Change): Promise<number> {
  const { provider_id, issuer, enforced, enabled } = row;
  const hasMoved = before !== undefined && before.issuer !== issuer;
  // Subjects of another issuer are other people.
  if (hasMoved) await tx`delete from user_identities where provider_id = ${provider_id}`;
  const isSwitchedOff = before?.enabled === true && !enabled;
  const ofProvider = hasMoved || isSwitchedOff ? await endProviderSessions(tx, provider_id, by.sessionId) : 0;
  return ofProvider + (enforced && !before?.enforced ? await endLocalSessions(tx, owner, by.sessionId) : 0);
}

/** What the audit log says about a provider. The secret is never part of it. */
export function shown(row: IdentityProvider): JsonObject {
  const { name, issuer, client_id, role_claim, role_map, default_role, grants_manager, creates_members, second_factor, enforced, enabled } =
    row;
  return {
    ...{ name, issuer, client_id, role_claim, default_role, grants_manager, creates_members, second_factor, enforced, enabled },
    role_map: role_map.map(({ value, role }) => ({ value, role })),
  };
}

/** Removes a provider. Sessions that it began end, because nobody could end them from the provider any more. */
export async function removeProvider(ctx: AuthContext, by: Changer, accountId: string | null): Promise<Done | NotFound> {
  return await ctx.sql.begin((tx) => removeProviderIn(tx, ctx, by, accountId));
}

export async function removeProviderIn(tx: Transaction, ctx: AuthContext, by: Changer, accountId: string | null): Promise<Done | NotFound> {
  const before = await lockProvider(tx, { realm: ctx.realm, accountId });
  if (!before) return { kind: "not_found" };
  await deleteProvider(tx, before.provider_id);
  const ended = await endProviderSessions(tx, before.provider_id, by.sessionId);
  const details = withReason({ name: before.name, issuer: before.issuer, sessions_ended: ended, ...by.more }, by.reason);
  await record(tx, ctx, by.actor, "single_sign_on_removed", { id: before.provider_id, accountId }, details);
  return { kind: "done" };
}

/** Staff assign the email domains of an account, so that no client can claim another's. */
export async function assignDomains(
  ctx: SignOnContext,
  by: Changer,
  accountId: string,
  written: readonly string[],
): Promise<Done | Invalid> {
  const owner = { realm: ctx.realm, accountId };
  const domains = written.map(readDomain);
  const known = domains.filter((domain) => domain !== null);
  if (known.length < domains.length) return { kind: "invalid", fields: { domains: "Must be email domains, such as example.com." } };
  return await orRolledBack(ctx, async (tx): Promise<Done | Invalid> => {
    const taken = await replaceDomains(tx, owner, known);
    if (taken.length > 0) return takenDomains(taken);
    await record(tx, ctx, by.actor, "sign_on_domains_assigned", { id: accountId, accountId }, withReason({ domains: known }, by.reason));
    return { kind: "done" };
  });
}

function takenDomains(domains: readonly string[]): Invalid {
  return { kind: "invalid", fields: { domains: `${domains.join(", ")} belongs to somebody else.` } };
}

/** Staff switch enforcement off for a client whose identity provider does not work. */
export async function stopEnforcing(ctx: AuthContext, by: Changer, accountId: string | null): Promise<Done | NotFound> {
  return await ctx.sql.begin(async (tx): Promise<Done | NotFound> => {
    const before = await lockProvider(tx, { realm: ctx.realm, accountId });
    if (!before) return { kind: "not_found" };
    await tx`update identity_providers set enforced = false where provider_id = ${before.provider_id}`;
    const details = withReason({ name: before.name }, by.reason);
    await record(tx, ctx, by.actor, "single_sign_on_enforcement_ended", { id: before.provider_id, accountId }, details);
    return { kind: "done" };
  });
}
