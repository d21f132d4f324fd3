import type { Transaction } from "../../../platform/db/connection.ts";
import type { Conflict } from "../../accounts/context.ts";
import { readAccounts } from "../../accounts/store.ts";
import type { AuthContext, Browser } from "../context.ts";
import type { WeakPassword } from "../passwords/change-password.ts";
import { hashPassword, passwordFault } from "../passwords/passwords.ts";
import { personActor, recordOwn } from "../record.ts";
import type { Completed } from "../sessions/complete-sign-in.ts";
import type { Stage } from "../sessions/session-store.ts";
import type { Refused } from "../sessions/sign-in.ts";
import { firstStage, startSession } from "../sessions/start-session.ts";
import { isEnforced } from "../single-sign-on/enforcement.ts";
import { endInvitation, type FoundInvitation, findInvitation, insertUser } from "../store.ts";
import { digestOf } from "../tokens.ts";
import { readEmail } from "../user.ts";
import { recordAccessGrant } from "./access-grants.ts";
import { ANY_EMAIL, FIRST_START, type InvalidEmail } from "./invite.ts";

export type Acceptance = {
  readonly token: string;
  /** Required only when the invitation has none. */
  readonly email?: string | undefined;
  readonly name: string;
  readonly password: string;
  readonly browser: Browser;
};

export type OpenInvitation = FoundInvitation & { readonly account_name: string };

export type Accepted = Completed & { readonly stage: Stage };

/** The invitation for the link's page; null when it was used, revoked or has expired. */
export async function lookUpInvitation(ctx: AuthContext, token: string): Promise<OpenInvitation | null> {
  const found = await findInvitation(ctx.sql, ctx.realm, digestOf(token), new Date(ctx.clock.now()));
  if (!found) return null;
  const { account_id: accountId } = found;
  if (accountId === null) return { ...found, account_name: "" };
  const [account] = await readAccounts(ctx.sqlOf?.(accountId) ?? ctx.sql, [accountId]);
  return account && !account.closed_at ? { ...found, account_name: account.name } : null;
}

/** Creates the user and signs them in. Of several who use the link at once, one succeeds. */
export async function acceptInvitation(
  ctx: AuthContext,
  input: Acceptance,
): Promise<Accepted | Refused | WeakPassword | InvalidEmail | Conflict> {
  const invitation = await lookUpInvitation(ctx, input.token);
  if (!invitation) return { kind: "refused" };
  const email = invitation.email === ANY_EMAIL ? readEmail(input.email ?? "") : invitation.email;
  if (email === null) return { kind: "invalid_email" };
  if (await isEnforced(ctx.sql, ctx.realm, { account_id: invitation.account_id, email }))
    return { kind: "conflict", reason: "Your organisation uses single sign-on. Sign in with it; your invitation is accepted then." };
  const why = passwordFault(input.password, email);
  if (why !== null) return { kind: "weak", why };
  const passwordHash = await hashPassword(input.password);
  return await ctx.sql.begin(async (tx): Promise<Accepted | Refused | Conflict> => {
    const now = ctx.clock.now();
    if (!(await endInvitation(tx, invitation.invitation_id, new Date(now)))) return { kind: "refused" };
    const { account_id, role } = invitation;
    const user = { user_id: `U${ctx.ids.entry(now)}`, realm: ctx.realm, account_id, email, role, name: input.name };
    const made = await insertUser(tx, { ...user, password_hash: passwordHash, created_at: new Date(now) });
    if (!made)
      return {
        kind: "conflict",
        reason: "A user with this email address already exists. Sign in with it, or ask for an invitation to another address.",
      };
    await recordAccessGrant(tx, {
      realm: ctx.realm,
      userId: user.user_id,
      by: invitation.inviter_person,
      why: "invited",
      at: new Date(now),
    });
    if (invitation.email === ANY_EMAIL) await claimFirstKey(tx, ctx, user.user_id);
    const stage = firstStage(ctx.realm);
    const { token, sessionId, devices } = await startSession(tx, ctx, { userId: user.user_id, stage, browser: input.browser });
    await recordOwn(tx, ctx, user, "invitation_accepted", {
      invitation_id: invitation.invitation_id,
      email,
      role,
      session_id: sessionId,
      address: input.browser.address,
    });
    return { kind: "done", token, stage, devices };
  });
}

/** The first start shows an admin link and an operator key to the same person, who must count as one person for approvals. */
async function claimFirstKey(tx: Transaction, ctx: AuthContext, userId: string): Promise<void> {
  if (ctx.realm === "console")
    await tx`update operator_keys set created_by = ${personActor(ctx.realm, userId)} where created_by = ${FIRST_START}`;
}
