import { type NewOtp, newCode, type OtpSubject } from "../signed/one-time-passwords.ts";
import type { TransfersContext } from "./context.ts";
import type { TransfersProviderService } from "./provider-service.ts";

/** What one-time passwords of this service open. */
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
/** A transfer_ref is its own otp_ref. */
export const transferOtp = (accountId: string, transferRef: string): OtpSubject => ({
  accountId,
  purpose: "transfers/transfer",
  subject: transferRef,
});

export function newOtp(ctx: TransfersContext, providerService: TransfersProviderService, subject: OtpSubject, mobile: string): NewOtp {
  return { ...subject, otpRef: `OTP${ctx.ids.entry(ctx.clock.now())}`, mobile, code: newCode(providerService) };
}

/** After the commit. A message that does not get through is asked for again: what it opens stands all the same. */
export async function sendCode(
  ctx: TransfersContext,
  providerService: TransfersProviderService,
  { mobile, code, purpose }: NewOtp,
): Promise<void> {
  try {
    await providerService.sendOtp({ mobile, code, purpose });
  } catch (error) {
    ctx.log.error({ err: error, purpose }, "a one-time password could not be sent");
  }
}
