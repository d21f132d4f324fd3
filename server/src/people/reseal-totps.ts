import type { Keyring } from "../accounts/keyring.ts";
import type { SealedRows } from "../accounts/rotate-master-key.ts";
import type { Queryable, Sql } from "../db/connection.ts";
import { totpContext } from "./totp.ts";

type SealedRow = { readonly user_id: string; readonly key_id: string; readonly sealed: Buffer };

async function reseal(sql: Sql, keyring: Keyring, rows: number): Promise<number> {
  return await sql.begin(async (tx) => {
    const chunk = await tx<SealedRow[]>`
      select user_id, key_id, sealed from user_totps where key_id <> ${keyring.currentKeyId}
      order by user_id limit ${rows} for update skip locked`;
    for (const row of chunk) {
      const context = totpContext(row.user_id);
      const secret = keyring.open({ keyId: row.key_id, sealed: row.sealed }, context);
      await tx`
        update user_totps set key_id = ${keyring.currentKeyId}, sealed = ${keyring.seal(secret, context).sealed}
        where user_id = ${row.user_id} and key_id = ${row.key_id}`;
    }
    return chunk.length;
  });
}

async function countOnOldKeys(sql: Queryable, currentKeyId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from user_totps where key_id <> ${currentKeyId}`;
  return row?.count ?? 0;
}

/** Secrets of authenticator apps, for the rotation of the master key. */
export const TOTP_SECRETS: SealedRows = { countOnOldKeys, reseal };
