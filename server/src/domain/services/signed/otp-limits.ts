import type { Transaction } from "../../../platform/db/connection.ts";
import { type Refusal, refused } from "../../shared/refusals.ts";
import type { SignedContext } from "./context.ts";
import { type NewOtp, OTP_MILLISECONDS, type OtpSender, RESEND_MILLISECONDS } from "./one-time-passwords.ts";
import { dropCount, type SentOtp } from "./provider-otp.ts";

const HOUR_MILLISECONDS = 60 * 60 * 1000;
/** For one mobile of an account, in an hour. */
export const MAX_SENT = 60;
export const MAX_WRONG = 30;

const TOO_MANY_SENT = "Too many one-time passwords were sent to this mobile within an hour. Try again later.";
const TOO_MANY_WRONG = "Too many wrong one-time passwords were entered for this mobile within an hour. Try again later.";

type Recipient = Pick<NewOtp, "accountId" | "mobile">;

/**
 * Why a mobile gets no further password now; null if it may. Without a limit for the mobile, new references would allow
 * any number of messages and of wrong codes. A sender with a fixed code sends nothing. Requests at once are counted one
 * after the other, so store the password in the same transaction.
 */
export async function refuseSending(
  ctx: SignedContext,
  tx: Transaction,
  sender: OtpSender,
  { accountId, mobile }: Recipient,
): Promise<Refusal | null> {
  if (sender.fixedCode !== undefined) return null;
  await tx`select pg_advisory_xact_lock(hashtextextended(${`one-time passwords/${accountId}/${mobile}`}, 0))`;
  const now = ctx.clock.now();
  // A time in the future predates a clock that was set back.
  const [row] = await tx<{ sent: number; wrong: number }[]>`
    select coalesce(sum(times_sent), 0)::int as sent, coalesce(sum(wrong_attempts) filter (where used_at is null), 0)::int as wrong
    from one_time_passwords
    where account_id = ${accountId} and mobile = ${mobile} and minted_by <> 'nobody'
      and sent_at > ${new Date(now - HOUR_MILLISECONDS)} and sent_at < ${new Date(now + RESEND_MILLISECONDS)}`;
  const { sent = 0, wrong = 0 } = row ?? {};
  if (wrong >= MAX_WRONG) return refused("rate_limited", TOO_MANY_WRONG);
  return sent >= MAX_SENT ? refused("rate_limited", TOO_MANY_SENT) : null;
}

type Asked = { readonly kind: string; readonly sent: SentOtp | null };

/**
 * Asks a provider for something for which it may send a password of its own. The message is counted before, because the
 * password is stored only after the answer; until then others could pass the limit.
 */
export async function askWithinLimit<Answer extends Asked>(
  ctx: SignedContext,
  sender: OtpSender & { readonly provider: string },
  recipient: Recipient,
  ask: () => Promise<Answer | Refusal>,
): Promise<Answer | Refusal> {
  if (sender.fixedCode !== undefined) return await ask();
  const countRef = await ctx.sql.begin(
    async (tx) => (await refuseSending(ctx, tx, sender, recipient)) ?? (await count(ctx, tx, sender, recipient)),
  );
  if (typeof countRef !== "string") return countRef;
  const asked = await ask();
  if (isAnswer(asked) && asked.sent !== null) return { ...asked, sent: { ...asked.sent, countRef } };
  await dropCount(ctx.sql, recipient.accountId, countRef);
  return asked;
}

function isAnswer<Answer extends Asked>(asked: Answer | Refusal): asked is Answer {
  return asked.kind !== "refused";
}

/** Counts a message as a used password, which nobody can use, until its own password is stored. */
async function count(
  ctx: SignedContext,
  tx: Transaction,
  { provider }: { readonly provider: string },
  { accountId, mobile }: Recipient,
): Promise<string> {
  const now = ctx.clock.now();
  const countRef = `MSG${ctx.ids.entry(now)}`;
  await tx`
    insert into one_time_passwords (account_id, otp_ref, purpose, subject, mobile, minted_by, provider, provider_otp_ref, used_at,
      sent_at, expires_at)
    values (${accountId}, ${countRef}, 'count', ${mobile}, ${mobile}, 'provider', ${provider}, '', ${new Date(now)},
      ${new Date(now)}, ${new Date(now + OTP_MILLISECONDS)})`;
  return countRef;
}
