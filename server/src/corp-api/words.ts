import type { AccountReason } from "../accounts/account.ts";

/** What a client is told when its whole account is refused. */
export const ACCOUNT_REASONS: Record<AccountReason, string> = {
  account_inactive: "The account is inactive.",
  account_paused: "The account is paused.",
  kyc_not_verified: "The account's KYC is not verified.",
  agreement_not_signed: "The service agreement is not signed.",
};
