import type { Keyring } from "../accounts/keyring.ts";
import type { SealedRows } from "../accounts/rotate-master-key.ts";
import type { Queryable, Sql } from "../db/connection.ts";

type SealedRow = { readonly provider: string; readonly secret_key_id: string; readonly secret: Buffer };

async function reseal(sql: Sql, keyring: Keyring, rows: number): Promise<number> {
  return await sql.begin(async (tx) => {
    const chunk = await tx<SealedRow[]>`
      select provider, secret_key_id, secret from providers where secret_key_id <> ${keyring.currentKeyId}
      order by provider limit ${rows} for update skip locked`;
    for (const row of chunk) {
      const context = `provider/${row.provider}`;
      const text = keyring.open({ keyId: row.secret_key_id, sealed: row.secret }, context);
      await tx`
        update providers set secret_key_id = ${keyring.currentKeyId}, secret = ${keyring.seal(text, context).sealed}
        where provider = ${row.provider} and secret_key_id = ${row.secret_key_id}`;
    }
    return chunk.length;
  });
}

async function countOnOldKeys(sql: Queryable, currentKeyId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from providers where secret_key_id <> ${currentKeyId}`;
  return row?.count ?? 0;
}

/** Providers' secrets, for the rotation of the master key. */
export const PROVIDER_SECRETS: SealedRows = { countOnOldKeys, reseal };
