import type { Clock } from "../../platform/core/clock.ts";
import { indiaDateTime } from "../../platform/core/india-time.ts";
import type { Sql } from "../../platform/db/connection.ts";
import type { Mail } from "../../platform/mail/mailer.ts";
import type { EventKind, EventState } from "./event.ts";

export type NoticesContext = {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly sendMail: (mail: Mail) => Promise<boolean>;
  /** Posts a message that is signed with the account's callback secret. True if the receiver answered with 2xx. */
  readonly sendWebhook: (accountId: string, url: string, fields: Readonly<Record<string, string>>) => Promise<boolean>;
  readonly onError: (error: unknown) => void;
};

const MAX_AT_ONCE = 100;
const MAX_ATTEMPTS = 10;
const MAX_PAUSE_MINUTES = 6 * 60;

type Due = {
  readonly update_id: string;
  readonly subscription_id: string;
  readonly attempts: number;
  /** Null if the member was disabled, and for a webhook. */
  readonly email: string | null;
  readonly account_id: string | null;
  readonly url: string | null;
  readonly event_id: string;
  readonly kind: EventKind;
  readonly title: string;
  readonly components: readonly string[];
  readonly state: EventState;
  readonly text: string;
  readonly at: Date;
};

/** Sends the updates that are due. A failed one is retried with growing pauses and finally given up. Several processes may run it. */
export async function sendStatusNotices(ctx: NoticesContext): Promise<void> {
  await Promise.all((await takeDue(ctx)).map((due) => sendNotice(ctx, due)));
}

async function sendNotice(ctx: NoticesContext, due: Due): Promise<void> {
  // Whatever fails, such as a secret that cannot be decrypted, counts as an attempt, so that the notice is given up some day.
  const isSent = await deliver(ctx, due).catch((error: unknown) => {
    ctx.onError(error);
    return false;
  });
  if (isSent || due.attempts >= MAX_ATTEMPTS)
    await ctx.sql`delete from status_notices where update_id = ${due.update_id} and subscription_id = ${due.subscription_id}`;
}

/** A member who was disabled gets no mail, which counts as sent. */
async function deliver(ctx: NoticesContext, due: Due): Promise<boolean> {
  if (due.account_id !== null && due.url !== null) return await ctx.sendWebhook(due.account_id, due.url, webhookFields(due));
  return due.email === null || (await ctx.sendMail({ to: due.email, ...mailOf(due) }));
}

/** The fields are strings, as in every version 3 callback. */
function webhookFields(due: Due): Readonly<Record<string, string>> {
  return {
    event: "platform_status",
    event_id: due.event_id,
    update_id: due.update_id,
    kind: due.kind,
    title: due.title,
    state: due.state,
    text: due.text,
    components: due.components.join(","),
    at: indiaDateTime(due.at.getTime()),
  };
}

function mailOf({ kind, title, state, text, components, at }: Due): Pick<Mail, "subject" | "text"> {
  const affected = components.length === 0 ? [] : [`Affected: ${components.map((one) => one.replace(":", " ")).join(", ")}`, ""];
  const lines = [
    ...[`${kind === "incident" ? "Incident" : "Maintenance"}: ${title}`, `State: ${state.replace("_", " ")}`, ""],
    ...[text, "", ...affected, `Written ${indiaDateTime(at.getTime())} (India).`],
    "You receive this because you subscribed on the status page of the portal, where you can also unsubscribe.",
  ];
  return { subject: `${title} (${state.replace("_", " ")})`, text: lines.join("\n") };
}

/** Claims due notices for this process until their next attempt. */
async function takeDue({ sql, clock }: NoticesContext): Promise<readonly Due[]> {
  const at = new Date(clock.now());
  return await sql<Due[]>`
    with claimed as (
      update status_notices n set attempts = n.attempts + 1,
        next_attempt_at = ${at}::timestamptz + make_interval(mins => least(${MAX_PAUSE_MINUTES}::int, (2 ^ n.attempts)::int))
      where (n.update_id, n.subscription_id) in (
        select update_id, subscription_id from status_notices where next_attempt_at <= ${at}
        order by next_attempt_at, update_id limit ${MAX_AT_ONCE} for update skip locked)
      returning n.update_id, n.subscription_id, n.attempts)
    select c.update_id, c.subscription_id, c.attempts::int as attempts, p.email, s.account_id, s.url,
      e.event_id, e.kind, e.title, e.components, u.state, u.text, u.at
    from claimed c join status_subscriptions s using (subscription_id) join status_updates u using (update_id)
    join status_events e on e.event_id = u.event_id left join users p on p.user_id = s.user_id and p.disabled_at is null`;
}
