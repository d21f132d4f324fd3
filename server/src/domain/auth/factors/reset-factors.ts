import { withReason } from "../../accounts/account-change.ts";
import type { Done, NotFound } from "../../accounts/context.ts";
import type { AuthContext } from "../context.ts";
import { record } from "../record.ts";
import { deleteSessions } from "../sessions/session-store.ts";
import { lockTeam } from "../store.ts";
import { recordAccessGrant } from "../team/access-grants.ts";
import type { Member } from "../team/change-member.ts";
import { deleteFactors } from "./factor-store.ts";

/** Removes the second factors of a user who has lost them, and signs the user out everywhere. */
export async function resetFactors(
  ctx: AuthContext,
  actor: string,
  { accountId, userId, reason, byPerson = actor }: Member,
): Promise<Done | NotFound> {
  return await ctx.sql.begin(async (tx): Promise<Done | NotFound> => {
    const team = await lockTeam(tx, { realm: ctx.realm, accountId });
    const member = team.find((user) => user.user_id === userId);
    if (!member) return { kind: "not_found" };
    await deleteFactors(tx, userId);
    const ended = await deleteSessions(tx, userId, null);
    await recordAccessGrant(tx, { realm: ctx.realm, userId, by: byPerson, why: "second_factor_reset", at: new Date(ctx.clock.now()) });
    const details = withReason({ email: member.email, sessions_ended: ended }, reason);
    await record(tx, ctx, actor, "second_factor_reset", { id: userId, accountId }, details);
    return { kind: "done" };
  });
}
