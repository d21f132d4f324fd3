import type { KeyObject } from "node:crypto";
import type { Money } from "../../platform/core/money.ts";
import type { RefusalName } from "../shared/refusals.ts";
import type { Allowlist } from "./allowlist.ts";

export type SigningSecret = {
  readonly credentialId: string;
  readonly key: KeyObject;
  /** Milliseconds since 1970 at which a replaced secret ends; null while current. */
  readonly expiresAt: number | null;
};

/** Everything the service decides by, for one account. Replaced whole whenever something changes. */
export type Account = {
  readonly accountId: string;
  readonly name: string;
  readonly sandbox: boolean;
  readonly standing: "active" | "paused" | "inactive";
  readonly kyc: "verified" | "pending";
  readonly agreement: "signed" | "pending";
  readonly wallet: "active" | "suspended";
  readonly signingRequired: boolean;
  readonly moneyPerMinute: number;
  readonly getPerMinute: number;
  readonly dailyLimit: Money | null;
  readonly services: ReadonlySet<string>;
  readonly allowlist: Allowlist;
  readonly callbackUrl: string | null;
  readonly complaintCallbackUrl: string | null;
  readonly callbackVersion: 2 | 3;
  readonly hasCallbackSecret: boolean;
  readonly signingSecrets: readonly SigningSecret[];
  readonly createdAt: Date;
};

export type AccountReason = Extract<RefusalName, "account_inactive" | "account_paused" | "kyc_not_verified" | "agreement_not_signed">;

/** Why the whole account is refused at the moment, in the order of contract section 2; null when it is not. */
export function accountReason(account: Account): AccountReason | null {
  if (account.standing === "inactive") return "account_inactive";
  if (account.standing === "paused") return "account_paused";
  if (account.kyc !== "verified") return "kyc_not_verified";
  if (account.agreement !== "signed") return "agreement_not_signed";
  return null;
}

/** What a client is told then. */
export const ACCOUNT_REASON_WORDS: Record<AccountReason, string> = {
  account_inactive: "The account is inactive.",
  account_paused: "The account is paused.",
  kyc_not_verified: "The account's KYC is not verified.",
  agreement_not_signed: "The service agreement is not signed.",
};
