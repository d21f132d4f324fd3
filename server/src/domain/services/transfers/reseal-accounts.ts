import type { Keyring } from "../../../platform/crypto/keyring.ts";
import type { Queryable, Sql } from "../../../platform/db/connection.ts";
import type { SealedRows } from "../../accounts/master-key/rotate-master-key.ts";
import { resealNumber } from "./account-number.ts";
import { countOnOldKeys, lockOnOldKeys, moveToKey } from "./beneficiary-store.ts";

async function reseal(sql: Sql, keyring: Keyring, rows: number): Promise<number> {
  return await sql.begin(async (tx) => {
    const chunk = await lockOnOldKeys(tx, keyring.currentKeyId, rows);
    for (const row of chunk) await moveToKey(tx, row, resealNumber(keyring, row, { keyId: row.keyId, sealed: row.sealed }));
    return chunk.length;
  });
}

/** Beneficiaries' account numbers, for the rotation of the master key. */
export const BENEFICIARY_ACCOUNTS: SealedRows = {
  countOnOldKeys: (sql: Queryable, currentKeyId: string) => countOnOldKeys(sql, currentKeyId),
  reseal,
};
