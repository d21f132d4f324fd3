import type { Queryable } from "../../../platform/db/connection.ts";
import { withReason } from "../../accounts/account-change.ts";
import type { Conflict, NotFound, WithReason } from "../../accounts/context.ts";
import { readAccounts } from "../../accounts/store.ts";
import type { AuthContext } from "../context.ts";
import { personActor, record } from "../record.ts";
import { endInvitationsOf, findUserByEmail, insertInvitation, listInvitations, lockTeam } from "../store.ts";
import { newToken } from "../tokens.ts";
import { MANAGERS, type Role, readEmail, type StaffRole } from "../user.ts";

const LIFE_MILLISECONDS = 7 * 24 * 60 * 60_000;
const MAX_OPEN = 50;
/** The email of an invitation that anybody with its link can use. */
export const ANY_EMAIL = "";
/** The actor of everything that an installation's first start creates. */
export const FIRST_START = "first-run";

/** Without an email address the invited person chooses it, which only the first admin's invitation needs. */
export type Invite = WithReason & {
  readonly email: string | null;
  /** The person behind the actor, where known: a key belongs to the person who created it. */
  readonly person?: string;
} & (
    | { readonly accountId: string; readonly role: Role }
    /** For staff. */
    | { readonly accountId: null; readonly role: StaffRole }
  );
export type Invited = {
  readonly kind: "done";
  /** Shown once, as part of the link. */
  readonly token: string;
  readonly email: string;
  /** What the invitation is for: an account, or the console. */
  readonly accountName: string;
  readonly expiresAt: Date;
};
export type InvalidEmail = { readonly kind: "invalid_email" };

/** Invites a person to a team; the link is valid for seven days. A second invitation replaces the first. */
export async function invite(ctx: AuthContext, actor: string, input: Invite): Promise<Invited | InvalidEmail | NotFound | Conflict> {
  const { accountId, role } = input;
  const email = input.email === null ? ANY_EMAIL : readEmail(input.email);
  if (email === null) return { kind: "invalid_email" };
  const now = ctx.clock.now();
  const [at, expiresAt] = [new Date(now), new Date(now + LIFE_MILLISECONDS)];
  const { token, digest } = newToken("inv_");
  const invitationId = ctx.ids.entry(now);
  return await ctx.sql.begin(async (tx): Promise<Invited | NotFound | Conflict> => {
    const organization = await readOrganization(accountId === null ? tx : (ctx.sqlOf?.(accountId) ?? tx), accountId);
    if (organization.kind !== "done") return organization;
    const team = { realm: ctx.realm, accountId };
    const manager = MANAGERS[ctx.realm];
    // Under the team's lock, so that an owner who is being demoted cannot leave an invitation behind.
    const inviter = (await lockTeam(tx, team)).find((user) => personActor(ctx.realm, user.user_id) === actor);
    if (inviter && (inviter.role !== manager || inviter.disabled_at)) return { kind: "conflict", reason: `Only an ${manager} invites.` };
    // A user of another account is not revealed here; the link is refused when it is opened.
    const user = await findUserByEmail(tx, ctx.realm, email);
    if (user?.account_id === accountId) return { kind: "conflict", reason: "This email address already belongs to a member of the team." };
    await endInvitationsOf(tx, team, email, at);
    const open = await listInvitations(tx, team, at);
    if (open.length >= MAX_OPEN) return { kind: "conflict", reason: `There are already ${MAX_OPEN} open invitations. Revoke some first.` };
    const row = { invitation_id: invitationId, realm: ctx.realm, account_id: accountId, email, role, digest, invited_by: actor };
    await insertInvitation(tx, { ...row, inviter_person: input.person ?? null, created_at: at, expires_at: expiresAt });
    await record(tx, ctx, actor, "invited", { id: invitationId, accountId }, withReason({ email, role }, input.reason));
    return { kind: "done", token, email, accountName: organization.name, expiresAt };
  });
}

type Organization = { readonly kind: "done"; readonly name: string };

async function readOrganization(tx: Queryable, accountId: string | null): Promise<Organization | NotFound | Conflict> {
  if (accountId === null) return { kind: "done", name: "the console" };
  const [account] = await readAccounts(tx, [accountId]);
  if (!account) return { kind: "not_found" };
  return account.closed_at ? { kind: "conflict", reason: "The account is closed." } : { kind: "done", name: account.name };
}
