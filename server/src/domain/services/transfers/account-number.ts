import type { Keyring, Sealed } from "../../../platform/crypto/keyring.ts";
import type { TransfersContext } from "./context.ts";

const SHOWN_DIGITS = 4;

/** A bank account number as it is shown: only its last four digits, in its length. */
export function maskAccount(account: string): string {
  return account.slice(-SHOWN_DIGITS).padStart(account.length, "X");
}

export type NumberKey = { readonly accountId: string; readonly beneficiaryId: string };

/** Binds the sealed number to its row, so that it cannot be decrypted in another. */
function contextOf(key: NumberKey): string {
  return `transfers/${key.accountId}/${key.beneficiaryId}`;
}

function digested(accountId: string, account: string): string {
  return `transfers/account/${accountId}/${account}`;
}

/** A number as it is stored: sealed for the provider, and a keyed digest to find it again. */
export function sealNumber(keyring: Keyring, key: NumberKey, account: string): Sealed & { readonly digest: Buffer } {
  return { ...keyring.seal(account, contextOf(key)), digest: keyring.digest(digested(key.accountId, account)) };
}

/** The digests of a number: two while the master key is being replaced. */
export function numberDigests(ctx: TransfersContext, accountId: string, account: string): readonly Buffer[] {
  return ctx.vault.keyring().digests(digested(accountId, account));
}

export function unsealNumber(ctx: TransfersContext, key: NumberKey, sealed: Sealed): Promise<string> {
  return ctx.vault.open(sealed, contextOf(key));
}

/** Seals a number with the current key. */
export function resealNumber(keyring: Keyring, key: NumberKey, sealed: Sealed): ReturnType<typeof sealNumber> {
  return sealNumber(keyring, key, keyring.open(sealed, contextOf(key)));
}
