import type { AuthContext } from "../context.ts";
import { record, recordOwn } from "../record.ts";
import { forgetDevices } from "../sessions/devices.ts";
import { deleteSessions } from "../sessions/session-store.ts";
import type { Refused } from "../sessions/sign-in.ts";
import { countAttempts } from "../sessions/throttle.ts";
import { isEnforced } from "../single-sign-on/enforcement.ts";
import { dropResets, findReset, findUserByEmail, insertReset, lockUser, updatePassword, useReset } from "../store.ts";
import { digestOf, newToken } from "../tokens.ts";
import { readEmail } from "../user.ts";
import type { Changed, WeakPassword } from "./change-password.ts";
import { hashPassword, passwordFault } from "./passwords.ts";

const LIFE_MILLISECONDS = 60 * 60_000;

type RequestedReset = { readonly email: string; readonly name: string; readonly language: string | null; readonly token: string };

/** Creates a link for a known user that works once within an hour; null for unknown users and above the limit. */
export async function requestPasswordReset(ctx: AuthContext, written: string, address: string): Promise<RequestedReset | null> {
  const email = readEmail(written);
  if (email === null || (await countAttempts(ctx, [{ scope: "reset", key: email }]))) return null;
  const user = await findUserByEmail(ctx.sql, ctx.realm, email);
  if (!user || user.disabled_at || (!user.break_glass && (await isEnforced(ctx.sql, ctx.realm, user)))) return null;
  const { token, digest } = newToken("rst_");
  const now = ctx.clock.now();
  await ctx.sql.begin(async (tx) => {
    await insertReset(tx, { digest, userId: user.user_id, at: new Date(now), expiresAt: new Date(now + LIFE_MILLISECONDS) });
    await record(tx, ctx, "visitor", "password_reset_requested", { id: user.user_id, accountId: user.account_id }, { address });
  });
  return { email, name: user.name, language: user.language, token };
}

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
