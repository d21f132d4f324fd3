import type { KeyObject } from "node:crypto";
import type { Money } from "../../platform/core/money.ts";
import type { RefusalName } from "../shared/refusals.ts";
import type { Allowlist } from "./allowlist.ts";

export type SigningSecret = {
  readonly credentialId: string;
  readonly key: KeyObject;
  /** When a replaced secret expires, in milliseconds since 1970; null while it is current. */
  readonly expiresAt: number | null;
};

/** An API token of an account, as the gate needs it. */
export type KnownToken = {
  readonly account: Account;
  readonly tokenId: string;
  /** The scopes that it is limited to; null if it may use everything. */
  readonly scopes: ReadonlySet<string> | null;
  /** Whether it may make GET requests only. */
  readonly readOnly: boolean;
  /** Milliseconds since 1970; null if it does not expire. */
  readonly expiresAt: number | null;
};

/** An account's settings in memory. The object is replaced as a whole after every change. */
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
  /** Which requests are kept with their masked bodies in the API log. */
  readonly logBodies: "none" | "failures" | "all";
  readonly signingSecrets: readonly SigningSecret[];
  readonly createdAt: Date;
};

export type AccountReason = Extract<RefusalName, "account_inactive" | "account_paused" | "kyc_not_verified" | "agreement_not_signed">;

/** Why the whole account is refused, in the order of contract section 2; null when it is not. */
export function accountReason(account: Account): AccountReason | null {
  if (account.standing === "inactive") return "account_inactive";
  if (account.standing === "paused") return "account_paused";
  if (account.kyc !== "verified") return "kyc_not_verified";
  if (account.agreement !== "signed") return "agreement_not_signed";
  return null;
}

/** The messages that clients get for these reasons. */
export const ACCOUNT_REASON_WORDS: Record<AccountReason, string> = {
  account_inactive: "The account is inactive.",
  account_paused: "The account is paused.",
  kyc_not_verified: "The account's KYC is not verified.",
  agreement_not_signed: "The service agreement is not signed.",
};
