import { withReason } from "../../accounts/account-change.ts";
import type { Conflict, Done, NotFound } from "../../accounts/context.ts";
import type { AuthContext } from "../context.ts";
import { record } from "../record.ts";
import { lockTeam, updateBreakGlass } from "../store.ts";
import type { Member } from "../team/change-member.ts";
import { isLastEmergency, lastEmergency } from "./emergency.ts";
import { unbindUser } from "./store.ts";

/** Marks an emergency account, which signs in with its password while single sign-on is enforced, or removes the mark. */
export async function setBreakGlass(
  ctx: AuthContext,
  actor: string,
  { accountId, userId, reason }: Member,
  isBreakGlass: boolean,
): Promise<Done | NotFound | Conflict> {
  return await ctx.sql.begin(async (tx): Promise<Done | NotFound | Conflict> => {
    const team = await lockTeam(tx, { realm: ctx.realm, accountId });
    const member = team.find(({ user_id }) => user_id === userId);
    if (!member) return { kind: "not_found" };
    if (member.break_glass === isBreakGlass) return { kind: "done" };
    if (isBreakGlass && member.password_hash === null)
      return { kind: "conflict", reason: "This member has no password. Only a member with a password can be an emergency account." };
    if (!isBreakGlass && (await isLastEmergency(tx, team, member))) return lastEmergency(ctx.realm);
    await updateBreakGlass(tx, userId, isBreakGlass, new Date(ctx.clock.now()));
    if (isBreakGlass) await unbindUser(tx, userId);
    const action = isBreakGlass ? "break_glass_set" : "break_glass_removed";
    await record(tx, ctx, actor, action, { id: userId, accountId }, withReason({ email: member.email }, reason));
    return { kind: "done" };
  });
}

/** Unlinks a member from their identity, so that the next sign-in of a verified address binds a new one. */
export async function unlinkIdentity(ctx: AuthContext, actor: string, { accountId, userId, reason }: Member): Promise<Done | NotFound> {
  return await ctx.sql.begin(async (tx): Promise<Done | NotFound> => {
    const member = (await lockTeam(tx, { realm: ctx.realm, accountId })).find(({ user_id }) => user_id === userId);
    if (!member || (await unbindUser(tx, userId)) === 0) return { kind: "not_found" };
    await tx`delete from sessions where user_id = ${userId} and identity_provider_id is not null`;
    await record(tx, ctx, actor, "identity_unlinked", { id: userId, accountId }, withReason({ email: member.email }, reason));
    return { kind: "done" };
  });
}
