import { withReason } from "../../accounts/account-change.ts";
import type { Conflict, NotFound } from "../../accounts/context.ts";
import type { AuthContext } from "../context.ts";
import { record } from "../record.ts";
import { isEnforced } from "../single-sign-on/enforcement.ts";
import { insertReset, lockTeam } from "../store.ts";
import type { Member } from "../team/change-member.ts";
import { newToken } from "../tokens.ts";

// Long enough to hand the link over by another channel than mail.
const LIFE_MILLISECONDS = 24 * 60 * 60_000;

export type PasswordLink = { readonly kind: "done"; readonly token: string; readonly expiresAt: Date };
type NotAllowed = { readonly kind: "not_allowed" };

type Wanted = Member & {
  /** Whether the caller may create a link for a member of this role. */
  readonly mayHelp: (role: string) => boolean;
};

/**
 * Creates a link with which a portal user who cannot get one by mail chooses a new password, once within a day. The password
 * and the sessions stay as they are until then, and the second factor is still required afterwards.
 */
export async function createPasswordLink(
  ctx: AuthContext,
  actor: string,
  { accountId, userId, reason, mayHelp }: Wanted,
): Promise<PasswordLink | NotFound | Conflict | NotAllowed> {
  const { token, digest } = newToken("rst_");
  const now = ctx.clock.now();
  const expiresAt = new Date(now + LIFE_MILLISECONDS);
  return await ctx.sql.begin(async (tx): Promise<PasswordLink | NotFound | Conflict | NotAllowed> => {
    const member = (await lockTeam(tx, { realm: ctx.realm, accountId })).find((user) => user.user_id === userId);
    if (!member) return { kind: "not_found" };
    if (!mayHelp(member.role)) return { kind: "not_allowed" };
    if (member.disabled_at) return { kind: "conflict", reason: "This member is disabled. Enable the member first." };
    if (!member.break_glass && (await isEnforced(tx, ctx.realm, member)))
      return { kind: "conflict", reason: "This member signs in through the identity provider and has no password." };
    await insertReset(tx, { digest, userId, at: new Date(now), expiresAt });
    await record(tx, ctx, actor, "password_link_created", { id: userId, accountId }, withReason({ email: member.email }, reason));
    return { kind: "done", token, expiresAt };
  });
}
