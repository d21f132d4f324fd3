import { changeUnderLock } from "../../../domain/accounts/account-change.ts";
import type { AccountsContext, Done, NotFound } from "../../../domain/accounts/context.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import { formatMoney, type Money, moneyOf } from "../../../platform/core/money.ts";
import type { Queryable, Sql } from "../../../platform/db/connection.ts";
import type { Mailer } from "../../../platform/mail/mailer.ts";

export type BalanceAlert = { readonly threshold: Money; readonly emails: readonly string[] };

export async function readAlert(sql: Queryable, accountId: string): Promise<BalanceAlert | null> {
  const [row] = await sql<{ threshold: bigint; emails: string[] }[]>`
    select threshold, emails from low_balance_alerts where account_id = ${accountId} and threshold is not null`;
  return row ? { threshold: moneyOf(row.threshold), emails: row.emails } : null;
}

export type AlertChange = { readonly accountId: string /** Null for none. */; readonly alert: BalanceAlert | null };

/** A balance that is below already is no crossing: whoever sets this sees it. */
export async function changeAlert(ctx: AccountsContext, actor: string, { accountId, alert }: AlertChange): Promise<Done | NotFound> {
  return await changeUnderLock<Done>(ctx, actor, { accountId }, async (tx, _account, at) => {
    if (alert === null)
      await tx`
        update low_balance_alerts set threshold = null, emails = '{}', below = false, pending_recipients = '{}'
        where account_id = ${accountId}`;
    else {
      await tx`
        insert into low_balance_alerts (account_id, threshold, emails, below, next_attempt_at)
        select ${accountId}, ${alert.threshold}, ${alert.emails as string[]},
          coalesce((select available from wallets where account_id = ${accountId}), 0) < ${alert.threshold}, ${at}
        on conflict (account_id) do update set threshold = excluded.threshold, emails = excluded.emails, below = excluded.below, pending_recipients = '{}'`;
    }
    const details = { threshold: alert && formatMoney(alert.threshold), recipients: alert?.emails.length ?? 0 };
    return { result: { kind: "done" }, audit: { action: "account.balance_alert_changed", details } };
  });
}

export type AlertContext = {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly mail: Pick<Mailer, "send">;
};

type Due = {
  readonly account_id: string;
  readonly name: string;
  readonly threshold: bigint;
  readonly available: bigint;
  readonly pending_recipients: string[];
  readonly crossed_at: Date;
};

const MOST_TRIES = 5;
const MOST_AT_ONCE = 100;

/**
 * Notes which balances have fallen below their line since the last look, and mails of each fall once, but of one account
 * once an hour at most. Sandbox accounts, whose balance a client moves as it likes, get no mail. Any number of processes
 * may look. While an account is between two cells neither mails, and then its new cell does.
 */
export async function watchBalances({ sql, clock, mail }: AlertContext): Promise<void> {
  const at = new Date(clock.now());
  await sql`
    update low_balance_alerts l set below = n.below, crossed_at = case when n.below then ${at}::timestamptz else l.crossed_at end,
      pending_recipients = case when n.below and not n.sandbox then l.emails else '{}' end, send_attempts = 0,
      next_attempt_at = greatest(${at}::timestamptz, l.mailed_at + interval '1 hour')
    from (select a.account_id, c.sandbox, coalesce(w.available, 0) < a.threshold as below
      from low_balance_alerts a join accounts c on c.account_id = a.account_id left join wallets w on w.account_id = a.account_id
      where w.moved_to is null) n
    where l.account_id = n.account_id and l.below <> n.below`;
  for (const due of await takeDue(sql, at)) {
    const unsent: string[] = [];
    for (const to of due.pending_recipients) if (!(await mail.send({ to, ...words(due) }))) unsent.push(to);
    await sql`
      update low_balance_alerts set pending_recipients = ${unsent} where account_id = ${due.account_id} and crossed_at = ${due.crossed_at} and pending_recipients <> '{}'`;
  }
}

/** Taken by one process, for longer with every try: a try that fails is made again then, and given up in the end. */
async function takeDue(sql: Sql, at: Date): Promise<readonly Due[]> {
  return await sql<Due[]>`
    update low_balance_alerts l set send_attempts = l.send_attempts + 1,
      next_attempt_at = ${at}::timestamptz + make_interval(mins => 5 * (l.send_attempts + 1)),
      mailed_at = case when l.send_attempts = 0 then ${at} else l.mailed_at end
    from accounts a left join wallets w on w.account_id = a.account_id
    where a.account_id = l.account_id and l.account_id in (
      select account_id from low_balance_alerts d where pending_recipients <> '{}' and send_attempts < ${MOST_TRIES}
        -- A wait longer than any is from before the clock was set back.
        and (next_attempt_at <= ${at} or next_attempt_at > ${at}::timestamptz + interval '1 hour')
        and (select w.moved_to from wallets w where w.account_id = d.account_id) is null
      order by next_attempt_at limit ${MOST_AT_ONCE} for update skip locked)
    returning l.account_id, a.name, l.threshold, coalesce(w.available, 0) as available, l.pending_recipients, l.crossed_at`;
}

function words({ name, account_id, threshold, available }: Due): { readonly subject: string; readonly text: string } {
  const [balance, line] = [formatMoney(available), formatMoney(threshold)];
  return {
    subject: `Low balance: ${name}`,
    text: [
      `The wallet of ${name} (${account_id}) has fallen below the line that was set for it.`,
      `Balance: ${balance} INR`,
      `Line: ${line} INR`,
      "You get an email when the balance falls below the line, at most one an hour. It can be changed in the portal under Wallet.",
    ].join("\n\n"),
  };
}
