import type { Keyring } from "../../../platform/crypto/keyring.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import type { SealedRows } from "../../accounts/master-key/rotate-master-key.ts";
import { KEY_CONTEXT } from "./key.ts";
import { countKeysOnOld, lockKeyOnOld, replaceSealed } from "./key-store.ts";

async function reseal(sql: Sql, keyring: Keyring): Promise<number> {
  return await sql.begin(async (tx) => {
    const row = await lockKeyOnOld(tx, keyring.currentKeyId);
    if (!row) return 0;
    const text = keyring.open({ keyId: row.secret_key_id, sealed: row.secret }, KEY_CONTEXT);
    const { keyId, sealed } = keyring.seal(text, KEY_CONTEXT);
    await replaceSealed(tx, row, { secret_key_id: keyId, secret: sealed });
    return 1;
  });
}

/** The AEPS key, for the rotation of the master key. */
export const AEPS_KEY: SealedRows = { countOnOldKeys: countKeysOnOld, reseal };
