import type { Keyring, Sealed } from "../../../../platform/crypto/keyring.ts";
import type { Sql } from "../../../../platform/db/connection.ts";
import type { SealedRows } from "../../../accounts/master-key/rotate-master-key.ts";
import type { TransfersContext } from "../context.ts";
import { type BeneficiaryKey, countOnOldKeys, lockOnOldKeys, moveToKey } from "./beneficiary-store.ts";

const SHOWN_DIGITS = 4;

/** A bank account number as it is shown: only its last four digits, in its length. */
export function maskAccount(account: string): string {
  return account.slice(-SHOWN_DIGITS).padStart(account.length, "X");
}

/** Binds the sealed number to its row, so that it cannot be decrypted in another. */
function contextOf(key: BeneficiaryKey): string {
  return `transfers/${key.accountId}/${key.beneficiaryId}`;
}

function digested(accountId: string, account: string): string {
  return `transfers/account/${accountId}/${account}`;
}

/** A number as it is stored: sealed for the provider, and a keyed digest to find it again. */
export function sealNumber(keyring: Keyring, key: BeneficiaryKey, account: string): Sealed & { readonly digest: Buffer } {
  return { ...keyring.seal(account, contextOf(key)), digest: keyring.digest(digested(key.accountId, account)) };
}

/** The digests of a number: two while the master key is being replaced. */
export function numberDigests(ctx: TransfersContext, accountId: string, account: string): readonly Buffer[] {
  return ctx.vault.keyring().digests(digested(accountId, account));
}

export function unsealNumber(ctx: TransfersContext, key: BeneficiaryKey, sealed: Sealed): Promise<string> {
  return ctx.vault.open(sealed, contextOf(key));
}

async function reseal(sql: Sql, keyring: Keyring, rows: number): Promise<number> {
  return await sql.begin(async (tx) => {
    const chunk = await lockOnOldKeys(tx, keyring.currentKeyId, rows);
    for (const row of chunk) await moveToKey(tx, row, sealNumber(keyring, row, keyring.open(row, contextOf(row))));
    return chunk.length;
  });
}

/** Beneficiaries' account numbers, for the rotation of the master key. */
export const BENEFICIARY_ACCOUNTS: SealedRows = {
  countOnOldKeys,
  reseal,
};
