import type { Keyring, Sealed } from "../../../platform/crypto/keyring.ts";
import type { TransfersContext } from "./context.ts";

const SHOWN_DIGITS = 4;

/** What people and replies see of a bank account: its last four digits, in its length. */
export function maskAccount(account: string): string {
  return account.slice(-SHOWN_DIGITS).padStart(account.length, "X");
}

export type NumberKey = { readonly accountId: string; readonly beneficiaryId: string };

/** Names the row: a number moved to another one does not open there. */
function contextOf(key: NumberKey): string {
  return `transfers/${key.accountId}/${key.beneficiaryId}`;
}

function digested(accountId: string, account: string): string {
  return `transfers/account/${accountId}/${account}`;
}

/** How a number is kept: sealed for the provider, digested to be found again. */
export function sealNumber(keyring: Keyring, key: NumberKey, account: string): Sealed & { readonly digest: Buffer } {
  return { ...keyring.seal(account, contextOf(key)), digest: keyring.digest(digested(key.accountId, account)) };
}

/** What a number may be found by: two digests while the master key is being replaced. */
export function numberDigests(ctx: TransfersContext, accountId: string, account: string): readonly Buffer[] {
  return ctx.vault.keyring().digests(digested(accountId, account));
}

export function unsealNumber(ctx: TransfersContext, key: NumberKey, sealed: Sealed): Promise<string> {
  return ctx.vault.open(sealed, contextOf(key));
}

/** Moves a number to the current key. */
export function resealNumber(keyring: Keyring, key: NumberKey, sealed: Sealed): ReturnType<typeof sealNumber> {
  return sealNumber(keyring, key, keyring.open(sealed, contextOf(key)));
}
