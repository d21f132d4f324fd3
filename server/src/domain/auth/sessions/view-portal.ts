import { withReason } from "../../accounts/account-change.ts";
import type { NotFound } from "../../accounts/context.ts";
import { readAccounts } from "../../accounts/store.ts";
import type { AuthContext, Browser } from "../context.ts";
import { record } from "../record.ts";
import { digestOf, newToken } from "../tokens.ts";
import { VIEWERS } from "../user.ts";
import type { Completed } from "./complete-sign-in.ts";
import { deleteSession } from "./session-store.ts";
import type { Refused } from "./sign-in.ts";
import { startSession } from "./start-session.ts";

const LINK_MILLISECONDS = 60_000;

export type ViewLink = { readonly kind: "done"; readonly token: string; readonly expiresAt: Date };

/** Creates a link for staff to view an account's portal with read-only access. It works once, within a minute. */
export async function grantView(
  ctx: AuthContext,
  staff: { readonly userId: string; readonly sessionId: string; readonly actor: string },
  accountId: string,
  reason?: string,
): Promise<ViewLink | NotFound> {
  const now = ctx.clock.now();
  const expiresAt = new Date(now + LINK_MILLISECONDS);
  const { token, digest } = newToken("vw_");
  return await ctx.sql.begin(async (tx): Promise<ViewLink | NotFound> => {
    const [account] = await readAccounts(ctx.sqlOf?.(accountId) ?? tx, [accountId]);
    if (!account) return { kind: "not_found" };
    await tx`delete from portal_view_links where expires_at <= ${new Date(now)}`;
    await tx`
      insert into portal_view_links (digest, user_id, account_id, session_id, expires_at)
      values (${digest}, ${staff.userId}, ${accountId}, ${staff.sessionId}, ${expiresAt})`;
    const details = withReason({ account_name: account.name }, reason);
    await record(tx, ctx, staff.actor, "viewed_as_client", { id: staff.userId, accountId }, details);
    return { kind: "done", token, expiresAt };
  });
}

export type View = {
  readonly browser: Browser;
  /** The browser's previous portal session, which ends. */
  readonly before: { readonly userId: string; readonly sessionId: string } | null;
};

/** Starts the view at the portal. Of several who open the link, one succeeds. */
export async function startView(portal: AuthContext, token: string, { browser, before }: View): Promise<Completed | Refused> {
  return await portal.sql.begin(async (tx): Promise<Completed | Refused> => {
    const [grant] = await tx<{ user_id: string; account_id: string; session_id: string }[]>`
      delete from portal_view_links where digest = ${digestOf(token)} and expires_at > ${new Date(portal.clock.now())}
        and session_id is not null and user_id in (
          select user_id from users where realm = 'console' and disabled_at is null and role = any(${VIEWERS as string[]}))
      returning user_id, account_id, session_id`;
    if (!grant) return { kind: "refused" };
    if (before) await deleteSession(tx, before.userId, before.sessionId);
    const view = { accountId: grant.account_id, parentSessionId: grant.session_id };
    const started = await startSession(tx, portal, { userId: grant.user_id, stage: "full", browser, view });
    return { kind: "done", token: started.token, devices: null };
  });
}
