import type { AuthContext } from "../context.ts";
import { recordOwn } from "../record.ts";
import { forgetDevices } from "../sessions/devices.ts";
import { deleteSessions } from "../sessions/session-store.ts";
import type { Refused } from "../sessions/sign-in.ts";
import { dropResets, findReset, lockUser, updatePassword, useReset } from "../store.ts";
import { digestOf } from "../tokens.ts";
import type { Changed, WeakPassword } from "./change-password.ts";
import { hashPassword, passwordFault } from "./passwords.ts";

/** Sets a new password with a mailed link. All sessions end; the second factor is still required at the next sign-in. */
export async function resetPassword(ctx: AuthContext, token: string, password: string): Promise<Changed | Refused | WeakPassword> {
  const digest = digestOf(token);
  const user = await findReset(ctx.sql, ctx.realm, digest, new Date(ctx.clock.now()));
  if (!user) return { kind: "refused" };
  const why = passwordFault(password, user.email);
  if (why !== null) return { kind: "weak", why };
  const passwordHash = await hashPassword(password);
  return await ctx.sql.begin(async (tx): Promise<Changed | Refused> => {
    const now = await lockUser(tx, ctx.realm, user.user_id);
    if (!now || now.disabled_at || !(await useReset(tx, digest))) return { kind: "refused" };
    await updatePassword(tx, user.user_id, passwordHash, new Date(ctx.clock.now()));
    await dropResets(tx, user.user_id);
    await forgetDevices(tx, user.user_id);
    const ended = await deleteSessions(tx, user.user_id, null);
    await recordOwn(tx, ctx, user, "password_reset", { sessions_ended: ended });
    return { kind: "done" };
  });
}
