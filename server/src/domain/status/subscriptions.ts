import type { Queryable, Transaction } from "../../platform/db/connection.ts";
import { appendAudit } from "../audit/append.ts";
import type { StatusContext } from "./change-status.ts";

/** Who is notified of incidents and maintenance: one member by mail, and the whole account by a webhook. */
export type Subscriptions = { readonly mail: boolean; readonly webhookUrl: string | null };

type Member = { readonly userId: string; readonly accountId: string };

export async function readSubscriptions(sql: Queryable, { userId, accountId }: Member): Promise<Subscriptions> {
  const rows = await sql<{ url: string | null }[]>`
    select url from status_subscriptions where user_id = ${userId} or account_id = ${accountId}`;
  return { mail: rows.some(({ url }) => url === null), webhookUrl: rows.find(({ url }) => url !== null)?.url ?? null };
}

export async function subscribeByMail(ctx: StatusContext, actor: string, userId: string): Promise<void> {
  const now = ctx.clock.now();
  await ctx.sql`
    insert into status_subscriptions (subscription_id, user_id, created_by, created_at)
    values (${ctx.ids.entry(now)}, ${userId}, ${actor}, ${new Date(now)}) on conflict (user_id) do nothing`;
}

export async function unsubscribeFromMail(ctx: StatusContext, userId: string): Promise<void> {
  await ctx.sql`delete from status_subscriptions where user_id = ${userId}`;
}

/** Sets or, with null, removes the webhook of an account. Notices that are still due go to the new address. */
export async function setWebhook(ctx: StatusContext, actor: string, accountId: string, url: string | null): Promise<void> {
  const now = ctx.clock.now();
  const at = new Date(now);
  await ctx.sql.begin(async (tx) => {
    if (url === null) await tx`delete from status_subscriptions where account_id = ${accountId}`;
    else
      await tx`
        insert into status_subscriptions (subscription_id, account_id, url, created_by, created_at)
        values (${ctx.ids.entry(now)}, ${accountId}, ${url}, ${actor}, ${at})
        on conflict (account_id) do update set url = excluded.url`;
    const subject = { kind: "account", id: accountId } as const;
    await appendAudit(tx, at, { actor, action: "account.status_webhook_changed", subject, details: { url } });
  });
}

/** Queues an update for all subscribers, in the transaction that writes it. Nobody is notified while the page is off. */
export async function queueNotices(tx: Transaction, updateId: string, at: Date): Promise<void> {
  await tx`
    insert into status_notices (update_id, subscription_id, next_attempt_at)
    select ${updateId}, subscription_id, ${at} from status_subscriptions
    where exists (select from status_settings where visibility <> 'off')`;
}
