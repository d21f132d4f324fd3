import type { Done, NotFound } from "../../accounts/context.ts";
import type { AuthContext } from "../context.ts";
import { recordOwn } from "../record.ts";
import { findUser } from "../store.ts";
import type { SignedInPerson } from "./prove.ts";
import { deleteSession, deleteSessions } from "./session-store.ts";

/** Ends one of the user's sessions: another one, or the current one to sign out. */
export async function endSession(ctx: AuthContext, userId: string, sessionId: string, action: "signed_out" | "session_revoked") {
  return await ctx.sql.begin(async (tx): Promise<Done | NotFound> => {
    if (!(await deleteSession(tx, userId, sessionId))) return { kind: "not_found" };
    // Staff who view a portal are not users of that account.
    const user = await findUser(tx, ctx.realm, userId);
    if (user) await recordOwn(tx, ctx, user, action, { session_id: sessionId });
    return { kind: "done" };
  });
}

export async function endOtherSessions(ctx: AuthContext, { userId, sessionId }: SignedInPerson): Promise<number> {
  return await ctx.sql.begin(async (tx) => {
    const user = await findUser(tx, ctx.realm, userId);
    if (!user) return 0;
    const ended = await deleteSessions(tx, userId, sessionId);
    if (ended > 0) await recordOwn(tx, ctx, user, "other_sessions_revoked", { sessions: ended });
    return ended;
  });
}
