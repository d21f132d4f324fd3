import type { AuthContext, Browser } from "../context.ts";
import { recordOwn } from "../record.ts";
import { forgetDevices } from "../sessions/devices.ts";
import type { SignedInPerson } from "../sessions/prove.ts";
import { deleteSessions } from "../sessions/session-store.ts";
import type { Refused } from "../sessions/sign-in.ts";
import { sessionAttempts, type Throttled, throttling } from "../sessions/throttle.ts";
import { dropResets, findUser, lockUser, updatePassword } from "../store.ts";
import { hashPassword, passwordFault, passwordMatches } from "./passwords.ts";

export type WeakPassword = { readonly kind: "weak"; readonly why: string };
export type Changed = { readonly kind: "done" };
export type ChangePassword = SignedInPerson & { readonly current: string; readonly next: string; readonly browser: Browser };

/** Changes the password and ends all other sessions, so that anybody who knew the old password is signed out. */
export async function changePassword(ctx: AuthContext, input: ChangePassword): Promise<Changed | Refused | WeakPassword | Throttled> {
  return await throttling<Changed | Refused | WeakPassword>(ctx, sessionAttempts(input), async () => {
    const user = await findUser(ctx.sql, ctx.realm, input.userId);
    if (!user || !(await passwordMatches(user.password_hash, input.current))) return { kind: "refused" };
    const why = passwordFault(input.next, user.email);
    if (why !== null) return { kind: "weak", why };
    const passwordHash = await hashPassword(input.next);
    return await ctx.sql.begin(async (tx): Promise<Changed | Refused> => {
      const now = await lockUser(tx, ctx.realm, input.userId);
      // Of two concurrent changes, the second was authorised with a password that is no longer valid.
      if (!now || now.disabled_at || now.password_hash !== user.password_hash) return { kind: "refused" };
      await updatePassword(tx, input.userId, passwordHash, new Date(ctx.clock.now()));
      await dropResets(tx, input.userId);
      await forgetDevices(tx, input.userId, input.browser.devices);
      const ended = await deleteSessions(tx, input.userId, input.sessionId);
      await recordOwn(tx, ctx, user, "password_changed", { sessions_ended: ended });
      return { kind: "done" };
    });
  });
}
