import type { Transaction } from "../../../platform/db/connection.ts";
import type { Refusal } from "../../shared/refusals.ts";
import { type NewOtp, newCode, type OtpSender, type OtpSubject, storeOtp } from "../signed/one-time-passwords.ts";
import { refuseSending } from "../signed/otp-limits.ts";
import { findOpenOtp } from "../signed/provider-otp.ts";
import type { TransfersContext } from "./context.ts";
import type { FoundProvider } from "./find-provider.ts";
import type { TransfersProviderService } from "./provider-service.ts";

/** The subjects of this service's one-time passwords. */
export const senderOtp = (accountId: string, mobile: string): OtpSubject => ({ accountId, purpose: "transfers/sender", subject: mobile });
export const beneficiaryOtp = (accountId: string, beneficiaryId: string): OtpSubject => ({
  accountId,
  purpose: "transfers/beneficiary",
  subject: beneficiaryId,
});
export const deletionOtp = (accountId: string, beneficiaryId: string): OtpSubject => ({
  accountId,
  purpose: "transfers/beneficiary/delete",
  subject: beneficiaryId,
});
/** A transfer_ref is also its otp_ref. */
export const transferOtp = (accountId: string, transferRef: string): OtpSubject => ({
  accountId,
  purpose: "transfers/transfer",
  subject: transferRef,
});

export function newOtp(ctx: TransfersContext, providerService: TransfersProviderService, subject: OtpSubject, mobile: string): NewOtp {
  return { ...subject, otpRef: newOtpRef(ctx), mobile, code: newCode(providerService) };
}

export function newOtpRef(ctx: TransfersContext): string {
  return `OTP${ctx.ids.entry(ctx.clock.now())}`;
}

/** Who sends the passwords. */
export function senderOf({ provider, providerService }: FoundProvider): OtpSender & { readonly provider: string } {
  const { fixedCode } = providerService;
  return { provider, ...(fixedCode === undefined ? {} : { fixedCode }) };
}

/**
 * Stores a password to be sent after the commit, and returns its reference. A password for the same subject that was sent
 * less than 30 seconds ago is used again instead. The caller holds the sender's lock, so that of two requests one sends.
 */
export async function storeUnlessFresh(
  ctx: TransfersContext,
  tx: Transaction,
  providerService: TransfersProviderService,
  otp: NewOtp,
): Promise<string | Refusal> {
  const open = await findOpenOtp(ctx, tx, otp, null);
  if (open?.isFresh) return open.otpRef;
  const against = await refuseSending(ctx, tx, providerService, otp);
  if (against) return against;
  await storeOtp(ctx, tx, otp);
  return otp.otpRef;
}

/** Sends the code after the commit. The client can request another if the message does not arrive. */
export async function sendCode(
  ctx: TransfersContext,
  providerService: TransfersProviderService,
  { mobile, code, purpose }: NewOtp,
): Promise<void> {
  try {
    await providerService.sendOtp?.({ mobile, code, purpose });
  } catch (error) {
    ctx.log.error({ err: error, purpose }, "sending a one-time password failed");
  }
}
