import type { Queryable } from "../../../platform/db/connection.ts";
import { type Refusal, refused } from "../../shared/refusals.ts";
import type { SignedContext } from "./context.ts";
import { type NewOtp, type OtpSender, RESEND_MILLISECONDS } from "./one-time-passwords.ts";

const HOUR_MILLISECONDS = 60 * 60 * 1000;
/** For one mobile of an account, in an hour. */
export const MAX_SENT = 60;
export const MAX_WRONG = 30;

const TOO_MANY_SENT = "Too many one-time passwords were sent to this mobile within an hour. Try again later.";
const TOO_MANY_WRONG = "Too many wrong one-time passwords were entered for this mobile within an hour. Try again later.";

/**
 * Why a mobile gets no further password now; null if it may. Without a limit for the mobile, new references would allow
 * any number of messages and of wrong codes. A sender with a fixed code sends nothing.
 */
export async function refuseSending(
  ctx: SignedContext,
  sql: Queryable,
  sender: OtpSender,
  { accountId, mobile }: Pick<NewOtp, "accountId" | "mobile">,
): Promise<Refusal | null> {
  if (sender.fixedCode !== undefined) return null;
  const now = ctx.clock.now();
  // A time in the future predates a clock that was set back.
  const [row] = await sql<{ sent: number; wrong: number }[]>`
    select coalesce(sum(times_sent), 0)::int as sent, coalesce(sum(wrong_attempts) filter (where used_at is null), 0)::int as wrong
    from one_time_passwords
    where account_id = ${accountId} and mobile = ${mobile} and minted_by <> 'nobody'
      and sent_at > ${new Date(now - HOUR_MILLISECONDS)} and sent_at < ${new Date(now + RESEND_MILLISECONDS)}`;
  const { sent = 0, wrong = 0 } = row ?? {};
  if (wrong >= MAX_WRONG) return refused("rate_limited", TOO_MANY_WRONG);
  return sent >= MAX_SENT ? refused("rate_limited", TOO_MANY_SENT) : null;
}
