import type { Transaction } from "../../../platform/db/connection.ts";
import { recordOwn } from "../record.ts";
import { endInvitationsOf, findOpenInvitation, findUserByEmail, insertUser, lockTeam, type UserRow } from "../store.ts";
import { recordAccessGrant } from "../team/access-grants.ts";
import { changeRoleIn } from "../team/change-member.ts";
import { MANAGERS, readEmail, readName } from "../user.ts";
import { type AnyRole, decideRole, domainOf, type IdentityProvider } from "./identity-provider.ts";
import type { Identity } from "./oidc.ts";
import type { SignOnContext, SignOnRefusal } from "./start-sign-on.ts";
import { bindIdentity, findIdentity, readDomains, touchIdentity } from "./store.ts";

const refused = (why: string): SignOnRefusal => ({ kind: "refused", why });

/**
 * The user of an identity: by the subject if it signed in before, otherwise by the verified email address, otherwise a new
 * member if the provider creates them or somebody invited this address. The role follows the claims at every sign-in.
 */
export async function findMember(
  tx: Transaction,
  ctx: SignOnContext,
  provider: IdentityProvider,
  identity: Identity,
): Promise<UserRow | SignOnRefusal> {
  const owner = { realm: provider.realm, accountId: provider.account_id };
  // Under the team's lock, so that two sign-ins cannot make the same member, nor remove the last manager.
  const team = await lockTeam(tx, owner);
  const domains = await readDomains(tx, owner);
  const bound = await findIdentity(tx, provider, identity.subject);
  const known = bound ? team.find(({ user_id }) => user_id === bound.user_id) : await byEmail(tx, provider, identity, team, domains);
  if (known !== undefined && "kind" in known) return known;
  if (known === undefined) return bound ? refused("This member no longer exists.") : await create(tx, ctx, provider, identity);
  if (!domains.includes(domainOf(known.email))) return refused("The identity provider is not responsible for your email domain.");
  if (known.disabled_at) return refused("Your access is disabled. Ask somebody who manages the members.");
  if (known.break_glass) return refused("This is an emergency account. It signs in with its password only.");
  const at = new Date(ctx.clock.now());
  const decision = decideRole(provider, identity.claims, known.role);
  if (decision.kind === "refused") return refused(NO_ROLE);
  if (bound) await touchIdentity(tx, provider, identity.subject, at);
  else if (!(await bindIdentity(tx, provider, { subject: identity.subject, userId: known.user_id, at })))
    return refused("Your email address belongs to another identity at the provider. Ask somebody who manages the members to unlink it.");
  if (decision.kind === "unchanged") return known;
  const { provider_id, changed_by_person: byPerson } = provider;
  return await changeRoleIn(tx, ctx, { actor: `identity_provider:${provider_id}`, byPerson, team, member: known, role: decision.role });
}

const NO_ROLE = "Your identity provider gives you no role here. Ask its administrator to add you to one of the groups.";

async function byEmail(
  tx: Transaction,
  provider: IdentityProvider,
  identity: Identity,
  team: readonly UserRow[],
  domains: readonly string[],
): Promise<UserRow | SignOnRefusal | undefined> {
  const email = readEmail(identity.email ?? "");
  if (email === null) return refused("The identity provider sent no email address.");
  if (!identity.emailVerified) return refused("The identity provider has not verified your email address (email_verified).");
  if (!domains.includes(domainOf(email))) return refused("The identity provider is not responsible for your email domain.");
  const known = await findUserByEmail(tx, provider.realm, email);
  if (known === undefined) return undefined;
  return team.find(({ user_id }) => user_id === known.user_id) ?? refused("This email address belongs to a member of another account.");
}

/** `byEmail` has checked the address. */
async function create(
  tx: Transaction,
  ctx: SignOnContext,
  provider: IdentityProvider,
  identity: Identity,
): Promise<UserRow | SignOnRefusal> {
  const email = readEmail(identity.email ?? "") ?? "";
  const { realm, account_id } = provider;
  const at = new Date(ctx.clock.now());
  const team = { realm, accountId: account_id };
  const invitation = await findOpenInvitation(tx, team, email, at);
  if (!invitation && !provider.creates_members)
    return refused("You are not a member yet. Ask somebody who manages the members to invite you.");
  const role = newRole(provider, identity, invitation?.role ?? null);
  if (role === null) return refused(NO_ROLE);
  const user = {
    user_id: `U${ctx.ids.entry(at.getTime())}`,
    realm,
    account_id,
    email,
    name: readName(identity.name ?? "") ?? email,
    role,
    password_hash: null,
    created_at: at,
  };
  if (!(await insertUser(tx, user))) return refused("This email address belongs to another member.");
  await bindIdentity(tx, provider, { subject: identity.subject, userId: user.user_id, at });
  await endInvitationsOf(tx, team, email, at);
  if (invitation) await recordAccessGrant(tx, { realm, userId: user.user_id, by: invitation.inviter_person, why: "invited", at });
  const how = invitation ? { invitation_id: invitation.invitation_id } : {};
  await recordOwn(tx, ctx, user, "created_by_single_sign_on", { email, role, identity_provider: provider.provider_id, ...how });
  return { ...user, disabled_at: null, break_glass: false, language: null };
}

/** An invitation gives its role unless the provider's claims decide roles. */
function newRole(provider: IdentityProvider, { claims }: Identity, invited: AnyRole | null): AnyRole | null {
  if (invited !== null && provider.role_claim === null) return invited;
  const decision = decideRole(provider, claims, null);
  if (decision.kind !== "role") return null;
  // An owner or admin may invite another one; that stays the colleague's decision.
  return invited === MANAGERS[provider.realm] && !provider.grants_manager ? invited : decision.role;
}
