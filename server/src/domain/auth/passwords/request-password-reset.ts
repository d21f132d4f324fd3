import type { AuthContext } from "../context.ts";
import { record } from "../record.ts";
import { countAttempts } from "../sessions/throttle.ts";
import { findUserByEmail, insertReset } from "../store.ts";
import { newToken } from "../tokens.ts";
import { readEmail } from "../user.ts";

const LIFE_MILLISECONDS = 60 * 60_000;

export type RequestedReset = { readonly email: string; readonly name: string; readonly token: string };

/** Creates a link for a known user that works once within an hour; null for unknown users and above the limit. */
export async function requestPasswordReset(ctx: AuthContext, written: string, address: string): Promise<RequestedReset | null> {
  const email = readEmail(written);
  if (email === null || (await countAttempts(ctx, [{ scope: "reset", key: email }]))) return null;
  const user = await findUserByEmail(ctx.sql, ctx.realm, email);
  if (!user || user.disabled_at) return null;
  const { token, digest } = newToken("rst_");
  const now = ctx.clock.now();
  await ctx.sql.begin(async (tx) => {
    await insertReset(tx, { digest, userId: user.user_id, at: new Date(now), expiresAt: new Date(now + LIFE_MILLISECONDS) });
    await record(tx, ctx, "visitor", "password_reset_requested", { id: user.user_id, accountId: user.account_id }, { address });
  });
  return { email, name: user.name, token };
}
