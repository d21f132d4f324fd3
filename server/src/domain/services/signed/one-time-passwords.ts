import { randomInt, timingSafeEqual } from "node:crypto";
import type { Queryable } from "../../../platform/db/connection.ts";
import type { Row } from "../../../platform/db/schema/row-types.ts";
import { type Refusal, refused } from "../../shared/refusals.ts";
import type { SignedContext } from "./context.ts";

/** What a one-time password authorises: a purpose such as "sender", and its subject. */
export type OtpSubject = { readonly accountId: string; readonly purpose: string; readonly subject: string };

/**
 * Sends a code of ours to a mobile number; without `sendOtp` a provider sends only codes of its own, or none. A provider with
 * fixed codes, such as the simulator, supplies them.
 */
export type OtpSender = {
  readonly fixedCode?: string;
  readonly sendOtp?: (message: { readonly mobile: string; readonly code: string; readonly purpose: string }) => Promise<void>;
};

export const OTP_MILLISECONDS = 5 * 60 * 1000;
export const RESEND_MILLISECONDS = 30 * 1000;
export const MAX_WRONG_ATTEMPTS = 3;

export type NewOtp = OtpSubject & { readonly otpRef: string; readonly mobile: string; readonly code: string };

export function newCode(sender: OtpSender): string {
  return sender.fixedCode ?? randomInt(0, 1_000_000).toString().padStart(6, "0");
}

/** Stores a digest of a password; send it after the commit. It replaces the reference's previous password but keeps its count of wrong attempts. */
export async function storeOtp(ctx: SignedContext, sql: Queryable, otp: NewOtp): Promise<void> {
  await upsertOtp(ctx, sql, otp, { mintedBy: "service", digest: digestOf(ctx, otp), provider: null, providerOtpRef: null, length: 6 });
}

/** The same where nobody sends a code, because the provider needs none: every code of six digits is right, once. */
export async function storeUnsentOtp(ctx: SignedContext, sql: Queryable, otp: Omit<NewOtp, "code">): Promise<void> {
  await upsertOtp(ctx, sql, otp, { mintedBy: "nobody", digest: null, provider: null, providerOtpRef: null, length: 6 });
}

type Minted = {
  readonly mintedBy: "service" | "provider" | "nobody";
  readonly digest: Buffer | null;
  readonly provider: string | null;
  readonly providerOtpRef: string | null;
  readonly length: number;
};

export async function upsertOtp(ctx: SignedContext, sql: Queryable, otp: Omit<NewOtp, "code">, minted: Minted): Promise<void> {
  const now = ctx.clock.now();
  await sql`
    insert into one_time_passwords (account_id, otp_ref, purpose, subject, mobile, minted_by, code_digest, provider, provider_otp_ref,
      code_length, sent_at, expires_at)
    values (${otp.accountId}, ${otp.otpRef}, ${otp.purpose}, ${otp.subject}, ${otp.mobile}, ${minted.mintedBy}, ${minted.digest},
      ${minted.provider}, ${minted.providerOtpRef}, ${minted.length}, ${new Date(now)}, ${new Date(now + OTP_MILLISECONDS)})
    on conflict (account_id, otp_ref) do update set minted_by = excluded.minted_by, code_digest = excluded.code_digest,
      provider = excluded.provider, provider_otp_ref = excluded.provider_otp_ref, code_length = excluded.code_length, used_at = null,
      times_sent = one_time_passwords.times_sent + 1, sent_at = excluded.sent_at, expires_at = excluded.expires_at`;
}

type OtpRow = Pick<
  Row<"one_time_passwords">,
  | "purpose"
  | "subject"
  | "mobile"
  | "minted_by"
  | "code_digest"
  | "provider"
  | "provider_otp_ref"
  | "code_length"
  | "wrong_attempts"
  | "used_at"
  | "sent_at"
  | "expires_at"
>;

async function lockOtp(sql: Queryable, subject: OtpSubject, otpRef: string): Promise<OtpRow | null> {
  const [row] = await sql<OtpRow[]>`
    select purpose, subject, mobile, minted_by, code_digest, provider, provider_otp_ref, code_length, wrong_attempts, used_at, sent_at,
      expires_at
    from one_time_passwords where account_id = ${subject.accountId} and otp_ref = ${otpRef} for update`;
  return row?.purpose === subject.purpose && row.subject === subject.subject ? row : null;
}

const UNKNOWN = () => refused("otp_invalid", "This one-time password does not exist or was used before.");
export const wrongCode = () => refused("otp_invalid", "The one-time password is wrong.");
export const expiredCode = () => refused("otp_expired", "The one-time password has expired.");

/** Locks a password that can still be used, or says why it cannot. */
export async function lockOpenOtp(
  ctx: SignedContext,
  sql: Queryable,
  subject: OtpSubject,
  otpRef: string,
): Promise<{ readonly kind: "open"; readonly row: OtpRow } | Refusal> {
  const row = await lockOtp(sql, subject, otpRef);
  if (!row || row.used_at !== null) return UNKNOWN();
  if (row.wrong_attempts >= MAX_WRONG_ATTEMPTS) return spent();
  return ctx.clock.now() >= row.expires_at.getTime() ? expiredCode() : { kind: "open", row };
}

/**
 * Uses a password in the caller's transaction. Null when it is right. A wrong attempt is counted in the same transaction,
 * so commit after a refusal too. After three wrong attempts even the right code is refused.
 */
export async function useOtp(
  ctx: SignedContext,
  sql: Queryable,
  subject: OtpSubject,
  given: { readonly otpRef: string; readonly code: string },
): Promise<Refusal | null> {
  const open = await lockOpenOtp(ctx, sql, subject, given.otpRef);
  if (open.kind === "refused") return open;
  // Only the provider can tell whether a code of its own is right.
  if (open.row.minted_by === "provider") return UNKNOWN();
  const right = isRight(ctx, { ...subject, ...given }, open.row.code_digest);
  if (right) await sql`update one_time_passwords set used_at = ${new Date(ctx.clock.now())} ${where(sql, subject, given.otpRef)}`;
  else await sql`update one_time_passwords set wrong_attempts = wrong_attempts + 1 ${where(sql, subject, given.otpRef)}`;
  return right ? null : wrongCode();
}

/** Without a digest nobody has sent a code, and every one is right. */
function isRight(ctx: SignedContext, given: Coded, expected: Buffer | null): boolean {
  return expected === null || digestsOf(ctx, given).some((digest) => timingSafeEqual(digest, expected));
}

/** Makes a used password usable again, when the action it authorised could not be carried out. */
export async function reopenOtp(sql: Queryable, subject: OtpSubject, otpRef: string): Promise<void> {
  await sql`update one_time_passwords set used_at = null ${where(sql, subject, otpRef)}`;
}

/** Where to send a new code, or why none may be sent yet. A used or exhausted reference gets none. */
export async function refuseResend(
  ctx: SignedContext,
  sql: Queryable,
  subject: OtpSubject,
  otpRef: string,
): Promise<{ readonly kind: "allowed"; readonly mobile: string } | Refusal> {
  const row = await lockOtp(sql, subject, otpRef);
  if (!row || row.used_at !== null) return UNKNOWN();
  if (row.wrong_attempts >= MAX_WRONG_ATTEMPTS) return spent();
  const seconds = resendSeconds(row.sent_at.getTime(), ctx.clock.now());
  if (seconds > 0) return refused("rate_limited", `A new one-time password can be sent in ${seconds} s.`);
  return { kind: "allowed", mobile: row.mobile };
}

/** Seconds until a new code may be sent. A sending time in the future predates a clock that was set back. */
export function resendSeconds(sentAt: number, now: number): number {
  const seconds = Math.ceil((sentAt + RESEND_MILLISECONDS - now) / 1000);
  return seconds * 1000 > 2 * RESEND_MILLISECONDS ? 0 : seconds;
}

/** Whether one of the subject's passwords can still be used. */
export async function hasOpenOtp(ctx: SignedContext, sql: Queryable, subject: OtpSubject): Promise<boolean> {
  const rows = await sql`
    select from one_time_passwords
    where account_id = ${subject.accountId} and purpose = ${subject.purpose} and subject = ${subject.subject} and used_at is null
      and wrong_attempts < ${MAX_WRONG_ATTEMPTS} and expires_at > ${new Date(ctx.clock.now())} limit 1`;
  return rows.length > 0;
}

function spent(): Refusal {
  return refused("otp_attempts_exceeded", "Three wrong codes were entered. Request a new one-time password.");
}

export function where(sql: Queryable, subject: OtpSubject, otpRef: string) {
  return sql`where account_id = ${subject.accountId} and otp_ref = ${otpRef}`;
}

type Coded = { readonly accountId: string; readonly otpRef: string; readonly code: string };
const digested = (otp: Coded) => `otp/${otp.accountId}/${otp.otpRef}/${otp.code}`;

function digestOf(ctx: SignedContext, otp: Coded): Buffer {
  return ctx.vault.keyring().digest(digested(otp));
}

function digestsOf(ctx: SignedContext, otp: Coded): readonly Buffer[] {
  return ctx.vault.keyring().digests(digested(otp));
}
