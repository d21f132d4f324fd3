import type { Account, KnownToken } from "../../../../domain/accounts/account.ts";
import { allowlist } from "../../../../domain/accounts/allowlist.ts";

/** An ordinary account with the given changes. */
export function accountWith(more: Partial<Account> = {}): Account {
  return {
    accountId: "A00000000001",
    name: "Asha Stores",
    sandbox: false,
    standing: "active",
    kyc: "verified",
    agreement: "signed",
    wallet: "active",
    signingRequired: false,
    moneyPerMinute: 600,
    getPerMinute: 300,
    dailyLimit: null,
    services: new Set(["recharge", "bills", "transfers", "bus", "aeps"]),
    allowlist: allowlist([]),
    callbackUrl: null,
    complaintCallbackUrl: null,
    callbackVersion: 2,
    hasCallbackSecret: false,
    logBodies: "failures",
    signingSecrets: [],
    createdAt: new Date(0),
    ...more,
  };
}

/** A token of the account without limits, with the given changes. */
export function tokenOf(account: Account | undefined, more: Partial<KnownToken> = {}): KnownToken | null {
  return account ? { account, tokenId: "T1", scopes: null, readOnly: false, expiresAt: null, ...more } : null;
}
