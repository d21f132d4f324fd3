import { withReason } from "../accounts/account-change.ts";
import type { Done, NotFound } from "../accounts/context.ts";
import type { Member } from "./change-member.ts";
import type { PeopleContext } from "./context.ts";
import { deleteFactors } from "./factor-store.ts";
import { record } from "./record.ts";
import { deleteSessions } from "./session-store.ts";
import { lockTeam } from "./store.ts";

/** For somebody who has lost what they sign in with beside their password. They are signed out everywhere. */
export async function resetFactors(ctx: PeopleContext, actor: string, { accountId, userId, reason }: Member): Promise<Done | NotFound> {
  return await ctx.sql.begin(async (tx): Promise<Done | NotFound> => {
    const team = await lockTeam(tx, { realm: ctx.realm, accountId });
    const member = team.find((user) => user.user_id === userId);
    if (!member) return { kind: "not_found" };
    await deleteFactors(tx, userId);
    const ended = await deleteSessions(tx, userId, null);
    const details = withReason({ email: member.email, sessions_ended: ended }, reason);
    await record(tx, ctx, actor, "second_factor_reset", { id: userId, accountId }, details);
    return { kind: "done" };
  });
}
