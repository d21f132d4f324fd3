import { type NewOtp, newCode, type OtpSubject } from "../signed/one-time-passwords.ts";
import type { TransfersContext } from "./context.ts";
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
