import type { Clock } from "../../../platform/core/clock.ts";
import type { Ids } from "../../../platform/core/ids.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { Sql, Transaction } from "../../../platform/db/connection.ts";
import type { Mailer } from "../../../platform/mail/mailer.ts";
import { NOTICED_ACTIONS, type NoticedEntry, noticeWords } from "./notice-texts.ts";

export type NoticesContext = {
  readonly sql: Sql;
  /** Home's database, which holds the users. */
  readonly usersSql: Sql;
  /** The name of an account of any cell; null if there is none. */
  readonly accountName: (accountId: string) => Promise<string | null>;
  readonly clock: Clock;
  readonly ids: Pick<Ids, "entry">;
  readonly mail: Pick<Mailer, "send">;
};

const MOST_AT_ONCE = 200;
const MOST_TRIES = 10;
const MOST_PAUSE_MINUTES = 12 * 60;

/**
 * Notifies an account's owners by mail of changes that others made to its credentials, addresses and users. It follows the
 * audit log, so that every change is covered and none is lost in a crash. Several processes may run it.
 */
export async function tellOwners(ctx: NoticesContext): Promise<void> {
  while ((await ctx.sql.begin((tx) => writeNotices(ctx, tx))) === MOST_AT_ONCE);
  await sendNotices(ctx);
}

type EntryRow = {
  readonly seq: bigint;
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  readonly details: string;
  readonly account_id: string;
};

/** Returns the number of processed entries. Entries are numbered in commit order, so none is skipped. */
async function writeNotices(ctx: NoticesContext, tx: Transaction): Promise<number> {
  const [written] = await tx<{ seq: bigint }[]>`select seq from owner_notice_cursor for update`;
  const [head] = await tx<{ seq: bigint }[]>`select seq from audit_head`;
  if (!written || !head || head.seq <= written.seq) return 0;
  const rows = await tx<EntryRow[]>`
    select l.seq, l.at, l.actor, l.action, l.details,
      case when l.subject_kind = 'account' then l.subject_id else l.details::jsonb ->> 'account_id' end as account_id
    from audit_log l
    where l.seq > ${written.seq} and l.seq <= ${head.seq} and l.action = any(${NOTICED_ACTIONS as string[]})
    order by l.seq limit ${MOST_AT_ONCE}`;
  for (const row of rows) await writeNotice(ctx, tx, row);
  const upTo = rows.length === MOST_AT_ONCE ? (rows.at(-1)?.seq ?? head.seq) : head.seq;
  await tx`update owner_notice_cursor set seq = ${upTo}`;
  return rows.length;
}

/** Recipients: all current owners except the actor, and a member who was disabled or got another role. */
async function writeNotice(ctx: NoticesContext, tx: Transaction, row: EntryRow): Promise<void> {
  const details = JSON.parse(row.details) as JsonObject;
  const accountName = await ctx.accountName(row.account_id);
  if (accountName === null) return;
  const words = noticeWords(entryOf(row, details, { accountName, actorName: await readActorName(ctx.usersSql, row.actor) }));
  if (!words) return;
  const affected = ["portal_user.disabled", "portal_user.role_changed"].includes(row.action) ? String(details["email"] ?? "") : "";
  const recipients = await ctx.usersSql<{ email: string }[]>`
    select email from users
    where realm = 'portal' and account_id = ${row.account_id} and 'user:' || user_id <> ${row.actor} and created_at <= ${row.at}
      and ((role = 'owner' and disabled_at is null) or email = ${affected}) order by email`;
  const at = new Date(ctx.clock.now());
  for (const { email } of recipients)
    await tx`
      insert into owner_notices (notice_id, seq, account_id, recipient, subject, body, next_attempt_at, created_at)
      values (${ctx.ids.entry(at.getTime())}, ${row.seq}, ${row.account_id}, ${email}, ${words.subject}, ${words.body}, ${at}, ${at})
      on conflict (seq, recipient) do nothing`;
}

async function readActorName(usersSql: Sql, actor: string): Promise<string | null> {
  const [user] = await usersSql<{ name: string }[]>`select name from users where realm = 'portal' and 'user:' || user_id = ${actor}`;
  return user?.name ?? null;
}

function entryOf(row: EntryRow, details: JsonObject, names: Pick<NoticedEntry, "accountName" | "actorName">): NoticedEntry {
  const { seq, at, actor, action } = row;
  return { seq, at, actor, action, details, accountId: row.account_id, ...names };
}

type Due = {
  readonly notice_id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly body: string;
  readonly send_attempts: number;
};

/** Deletes a sent notice. A failed one is retried with growing pauses and finally given up. */
async function sendNotices(ctx: NoticesContext): Promise<void> {
  for (const due of await takeDue(ctx)) {
    const isSent = await ctx.mail.send({ to: due.recipient, subject: due.subject, text: due.body });
    if (isSent || due.send_attempts >= MOST_TRIES) await ctx.sql`delete from owner_notices where notice_id = ${due.notice_id}`;
  }
}

/** Claims due notices for this process until their next attempt. */
async function takeDue({ sql, clock }: NoticesContext): Promise<readonly Due[]> {
  const at = new Date(clock.now());
  return await sql<Due[]>`
    update owner_notices n set send_attempts = n.send_attempts + 1,
      next_attempt_at = ${at}::timestamptz + make_interval(mins => least(${MOST_PAUSE_MINUTES}::int, (5 * 2 ^ n.send_attempts)::int))
    where n.notice_id in (
      select notice_id from owner_notices where next_attempt_at <= ${at} order by next_attempt_at limit ${MOST_AT_ONCE} for update skip locked)
    returning n.notice_id, n.recipient, n.subject, n.body, n.send_attempts::int as send_attempts`;
}
