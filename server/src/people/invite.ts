import { withReason } from "../accounts/account-change.ts";
import type { Conflict, NotFound, WithReason } from "../accounts/context.ts";
import { readAccounts } from "../accounts/store.ts";
import type { PeopleContext } from "./context.ts";
import { record, userActor } from "./record.ts";
import { endInvitationsOf, findUserByEmail, insertInvitation, listInvitations, lockTeam } from "./store.ts";
import { newToken } from "./tokens.ts";
import { type Role, readEmail } from "./user.ts";

const LIFE_MILLISECONDS = 7 * 24 * 60 * 60_000;
const MOST_OPEN = 50;

export type Invite = WithReason & { readonly accountId: string; readonly email: string; readonly role: Role };
export type Invited = {
  readonly kind: "done";
  /** Shown once, as part of the link. */
  readonly token: string;
  readonly email: string;
  readonly accountName: string;
  readonly expiresAt: Date;
};
export type InvalidEmail = { readonly kind: "invalid_email" };

/** Whoever opens the link within seven days becomes a user of the account. A second invitation replaces the first. */
export async function invite(ctx: PeopleContext, actor: string, input: Invite): Promise<Invited | InvalidEmail | NotFound | Conflict> {
  const { accountId, role } = input;
  const email = readEmail(input.email);
  if (email === null) return { kind: "invalid_email" };
  const now = ctx.clock.now();
  const [at, expiresAt] = [new Date(now), new Date(now + LIFE_MILLISECONDS)];
  const { token, digest } = newToken("inv_");
  const invitationId = ctx.ids.entry(now);
  return await ctx.sql.begin(async (tx): Promise<Invited | NotFound | Conflict> => {
    const [account] = await readAccounts(tx, [accountId]);
    if (!account) return { kind: "not_found" };
    if (account.closed_at) return { kind: "conflict", reason: "The account is closed." };
    // Under the team's lock: who is just being made less than an owner leaves no invitation behind.
    const inviter = (await lockTeam(tx, accountId)).find((user) => userActor(user.user_id) === actor);
    if (inviter && (inviter.role !== "owner" || inviter.disabled_at)) return { kind: "conflict", reason: "Only an owner invites." };
    // Of another account's user nothing is said here; the link is refused to whoever opens it.
    const user = await findUserByEmail(tx, ctx.realm, email);
    if (user?.account_id === accountId)
      return { kind: "conflict", reason: "This e-mail address belongs to a member of the account already." };
    await endInvitationsOf(tx, accountId, email, at);
    const open = await listInvitations(tx, accountId, at);
    if (open.length >= MOST_OPEN) return { kind: "conflict", reason: `${MOST_OPEN} invitations are open. Take some back first.` };
    const row = { invitation_id: invitationId, realm: ctx.realm, account_id: accountId, email, role, digest, invited_by: actor };
    await insertInvitation(tx, { ...row, created_at: at, expires_at: expiresAt });
    await record(tx, ctx, actor, "invited", { id: invitationId, accountId }, withReason({ email, role }, input.reason));
    return { kind: "done", token, email, accountName: account.name, expiresAt };
  });
}
