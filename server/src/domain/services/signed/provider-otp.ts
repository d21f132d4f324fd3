import type { QueryValue } from "@corprail/connector";
import type { Queryable, Transaction } from "../../../platform/db/connection.ts";
import { invalidFields, type Refusal } from "../../shared/refusals.ts";
import type { SignedContext } from "./context.ts";
import { OTP_LENGTH_ERROR } from "./fields.ts";
import {
  expiredCode,
  lockOpenOtp,
  MAX_WRONG_ATTEMPTS,
  type NewOtp,
  type OtpSubject,
  resendSeconds,
  upsertOtp,
  where,
  wrongCode,
} from "./one-time-passwords.ts";
import type { Usable } from "./provider-queries.ts";

/** What a provider says about a one-time password that it has sent: its own reference, and how many digits it has. */
export type SentOtp = QueryValue<"transfers.send_otp"> & {
  /** The row that counts the message until the password is stored. */
  readonly countRef?: string;
};

/** A one-time password that a provider has minted and will check. */
export type ProviderOtp = { readonly provider: string; readonly providerOtpRef: string };

export type GivenOtp = { readonly otpRef: string; readonly code: string };

/** Stores which provider sent a password under which reference. Clients see only our own reference. */
export async function storeProviderOtp(
  ctx: SignedContext,
  sql: Queryable,
  otp: Omit<NewOtp, "code">,
  sent: SentOtp & { readonly provider: string },
): Promise<void> {
  const { provider, otp_ref: providerOtpRef, length, countRef } = sent;
  if (countRef !== undefined) await dropCount(sql, otp.accountId, countRef);
  await upsertOtp(ctx, sql, otp, { mintedBy: "provider", digest: null, provider, providerOtpRef, length });
}

/** Removes the count of a message whose password is stored now, or that was not sent. */
export async function dropCount(sql: Queryable, accountId: string, countRef: string): Promise<void> {
  await sql`delete from one_time_passwords where account_id = ${accountId} and otp_ref = ${countRef}`;
}

/** Who minted a subject's password: the provider, or null when it is ours or does not exist. */
export async function findProviderOtp(sql: Queryable, subject: OtpSubject, otpRef: string): Promise<ProviderOtp | null> {
  const [row] = await sql<ProviderOtp[]>`
    select provider, provider_otp_ref as "providerOtpRef" from one_time_passwords
    ${where(sql, subject, otpRef)} and purpose = ${subject.purpose} and subject = ${subject.subject} and minted_by = 'provider'`;
  return row ? { provider: row.provider, providerOtpRef: row.providerOtpRef } : null;
}

/** Codes have six digits, as the contract says, unless the provider that minted this one said otherwise. */
export async function refuseLength(sql: Queryable, accountId: string, { otpRef, code }: GivenOtp): Promise<Refusal | null> {
  if (code.length === 6) return null;
  const rows = await sql`
    select from one_time_passwords
    where account_id = ${accountId} and otp_ref = ${otpRef} and minted_by = 'provider' and code_length = ${code.length}`;
  return rows.length > 0 ? null : invalidFields({ otp: OTP_LENGTH_ERROR });
}

export type OpenOtp = { readonly otpRef: string /** Whether it is too early to send another. */; readonly isFresh: boolean };

/** The subject's newest password that a provider minted, or with null our own, if it can still be used. */
export async function findOpenOtp(
  ctx: SignedContext,
  sql: Queryable,
  subject: OtpSubject,
  provider: string | null,
): Promise<OpenOtp | null> {
  const now = ctx.clock.now();
  const [row] = await sql<{ otp_ref: string; sent_at: Date }[]>`
    select otp_ref, sent_at from one_time_passwords
    where account_id = ${subject.accountId} and purpose = ${subject.purpose} and subject = ${subject.subject} and used_at is null
      and provider is not distinct from ${provider} and wrong_attempts < ${MAX_WRONG_ATTEMPTS} and expires_at > ${new Date(now)}
    order by sent_at desc limit 1`;
  return row ? { otpRef: row.otp_ref, isFresh: resendSeconds(row.sent_at.getTime(), now) > 0 } : null;
}

export type OtpVerdict<Value> =
  | { readonly kind: "right"; readonly value: Value }
  | { readonly kind: "wrong" }
  | { readonly kind: "expired" };

/** Every refusal counts as a wrong code unless the provider says that the code has expired, so that nobody can guess on. */
export function otpVerdict<Value>(result: Usable<Value>): OtpVerdict<Value> {
  if (result.kind === "answered") return { kind: "right", value: result.value };
  return { kind: result.code === "otp_expired" ? "expired" : "wrong" };
}

export type ProviderCheck<Value> = {
  readonly subject: OtpSubject;
  readonly given: GivenOtp;
  /** Asks the provider. A refusal means that it gave no usable answer. */
  readonly ask: (otp: ProviderOtp) => Promise<{ readonly kind: "asked"; readonly value: OtpVerdict<Value> } | Refusal>;
  /** What a right code leads to, in the transaction that marks it as used. */
  readonly apply: (tx: Transaction, value: Value, provider: string) => Promise<void>;
};

/**
 * Has a provider check a code of its own; null when it is right. The attempt is counted before the provider is asked, so
 * that guesses that come at once count one by one, and taken back when there was no usable answer.
 */
export async function checkAtProvider<Value>(ctx: SignedContext, check: ProviderCheck<Value>): Promise<Refusal | null> {
  const { subject, given } = check;
  const counted = await ctx.sql.begin((tx) => countAttempt(ctx, tx, subject, given));
  if (counted.kind === "refused") return counted;
  const asked = await check.ask(counted);
  if (asked.kind === "refused") {
    await ctx.sql`update one_time_passwords set wrong_attempts = greatest(wrong_attempts - 1, 0) ${where(ctx.sql, subject, given.otpRef)}`;
    return asked;
  }
  const verdict = asked.value;
  const now = new Date(ctx.clock.now());
  if (verdict.kind === "wrong") return wrongCode();
  if (verdict.kind === "expired") {
    await ctx.sql`update one_time_passwords set expires_at = ${now} ${where(ctx.sql, subject, given.otpRef)}`;
    return expiredCode();
  }
  await ctx.sql.begin(async (tx) => {
    await tx`update one_time_passwords set used_at = ${now} ${where(tx, subject, given.otpRef)}`;
    await check.apply(tx, verdict.value, counted.provider);
  });
  return null;
}

type Counted = ProviderOtp & { readonly kind: "counted" };

async function countAttempt(ctx: SignedContext, tx: Transaction, subject: OtpSubject, given: GivenOtp): Promise<Counted | Refusal> {
  const open = await lockOpenOtp(ctx, tx, subject, given.otpRef);
  if (open.kind === "refused") return open;
  const { provider, provider_otp_ref: providerOtpRef, code_length: length } = open.row;
  if (provider === null || providerOtpRef === null) return wrongCode();
  await tx`update one_time_passwords set wrong_attempts = wrong_attempts + 1 ${where(tx, subject, given.otpRef)}`;
  return length === given.code.length ? { kind: "counted", provider, providerOtpRef } : wrongCode();
}

/**
 * Uses a provider's password without its check, because the provider gets the code with the transaction. Null when it can be
 * used. Only for transactions that go to this provider and nobody else.
 */
export async function passOnOtp(ctx: SignedContext, tx: Transaction, subject: OtpSubject, given: GivenOtp): Promise<Refusal | null> {
  const counted = await countAttempt(ctx, tx, subject, given);
  if (counted.kind === "refused") return counted;
  await tx`update one_time_passwords set used_at = ${new Date(ctx.clock.now())} ${where(tx, subject, given.otpRef)}`;
  return null;
}

/** Marks now as the time of sending before the provider is asked, so that of two requests one sends. Returns the earlier time. */
export async function claimResend(tx: Transaction, subject: OtpSubject, otpRef: string, now: number): Promise<Date> {
  const [row] = await tx<{ sent_at: Date }[]>`select sent_at from one_time_passwords ${where(tx, subject, otpRef)}`;
  if (!row) throw new Error("The one-time password was locked but cannot be found.");
  await tx`update one_time_passwords set sent_at = ${new Date(now)} ${where(tx, subject, otpRef)}`;
  return row.sent_at;
}

/** Takes a claim back when nothing was sent: the earlier code stays valid, and a new one can be asked for at once. */
export async function releaseResend(sql: Queryable, subject: OtpSubject, otpRef: string, sentAt: Date): Promise<void> {
  await sql`update one_time_passwords set sent_at = ${sentAt} ${where(sql, subject, otpRef)}`;
}
