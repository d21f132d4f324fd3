import type { Queryable, Transaction } from "../../../platform/db/connection.ts";
import type { AuthContext, Browser, Realm } from "../context.ts";
import { recordOwn } from "../record.ts";
import type { UserRow } from "../store.ts";
import { domainOf } from "./identity-provider.ts";

type Member = Pick<UserRow, "account_id" | "email">;

/** Whether members with this address must use single sign-on. A client cannot lock out members of other accounts. */
export async function isEnforced(sql: Queryable, realm: Realm, { account_id: accountId, email }: Member): Promise<boolean> {
  const [row] = await sql<{ enforced: boolean }[]>`
    select exists (
      select from sign_on_domains d join identity_providers p on p.realm = d.realm and p.account_id is not distinct from d.account_id
      where d.realm = ${realm} and d.domain = ${domainOf(email)} and p.enforced and p.account_id is not distinct from ${accountId}) as enforced`;
  return row?.enforced ?? false;
}

/** Whether a user may sign in with a password or a passkey. An emergency account may, and its use is recorded. */
export async function mayUseLocalSignIn(tx: Transaction, ctx: AuthContext, user: UserRow, browser: Browser): Promise<boolean> {
  if (!(await isEnforced(tx, ctx.realm, user))) return true;
  if (!user.break_glass) return false;
  await tx`update users set break_glass_used_at = ${new Date(ctx.clock.now())} where user_id = ${user.user_id}`;
  await recordOwn(tx, ctx, user, "break_glass_used", { email: user.email, address: browser.address });
  return true;
}

/** Ends the sessions of members who must use single sign-on and did not, except that of the person who enforces it. */
export async function endLocalSessions(
  tx: Transaction,
  { realm, accountId }: { readonly realm: Realm; readonly accountId: string | null },
  exceptSessionId: string | null,
): Promise<number> {
  const ended = await tx`
    delete from sessions s using users u
    where u.user_id = s.user_id and u.realm = ${realm} and u.account_id is not distinct from ${accountId} and not u.break_glass
      and s.identity_provider_id is null and s.view_account_id is null and s.session_id is distinct from ${exceptSessionId}
      and exists (select from sign_on_domains d where d.realm = u.realm and d.account_id is not distinct from u.account_id
        and d.domain = substring(u.email from '@([^@]*)$'))
    returning 1`;
  return ended.length;
}

/** Ends the sessions that an identity provider began, except that of the person who changes it. */
export async function endProviderSessions(tx: Transaction, providerId: string, exceptSessionId: string | null): Promise<number> {
  const ended = await tx`
    delete from sessions
    where identity_provider_id = ${providerId} and session_id is distinct from ${exceptSessionId} returning 1`;
  return ended.length;
}
