import type { Done } from "../../accounts/context.ts";
import { record } from "../record.ts";
import { OidcFault } from "./oidc-fault.ts";
import { partyOf, type SignOnContext, type SignOnRefusal } from "./start-sign-on.ts";
import { findProviderById } from "./store.ts";

// A token without an expiry, or with one too far ahead, is remembered for this long.
const LONGEST_MILLISECONDS = 24 * 60 * 60_000;
const MAX_TOKEN = 16 * 1024;

/** Ends the sessions that a logout token of the identity provider names (OpenID Connect Back-Channel Logout 1.0). */
export async function logOutByProvider(ctx: SignOnContext, providerId: string, token: string): Promise<Done | SignOnRefusal> {
  const provider = await findProviderById(ctx.sql, ctx.realm, providerId);
  if (!provider?.enabled || token.length > MAX_TOKEN) return { kind: "refused", why: "There is no such identity provider." };
  try {
    const logout = await ctx.oidc.readLogoutToken(await partyOf(ctx, provider), token);
    const now = ctx.clock.now();
    const expiresAt = new Date(Math.min(Math.max(logout.expiresAt, now), now + LONGEST_MILLISECONDS));
    return await ctx.sql.begin(async (tx): Promise<Done | SignOnRefusal> => {
      const used = await tx`
        insert into used_logout_tokens (provider_id, jti, expires_at) values (${providerId}, ${logout.jti}, ${expiresAt})
        on conflict do nothing returning 1`;
      if (used.length === 0) return { kind: "refused", why: "The logout token was used before." };
      const ended = await tx<{ user_id: string }[]>`
        delete from sessions
        where identity_provider_id = ${providerId}
          and (${logout.subject}::text is null or identity_subject = ${logout.subject})
          and (${logout.sessionId}::text is null or identity_session_id = ${logout.sessionId})
        returning user_id`;
      const details = { sessions_ended: ended.length, users: [...new Set(ended.map(({ user_id }) => user_id))] };
      if (ended.length > 0)
        await record(
          tx,
          ctx,
          `identity_provider:${providerId}`,
          "signed_out_by_provider",
          { id: providerId, accountId: provider.account_id },
          details,
        );
      return { kind: "done" };
    });
  } catch (error) {
    if (error instanceof OidcFault) return { kind: "refused", why: error.message };
    throw error;
  }
}
