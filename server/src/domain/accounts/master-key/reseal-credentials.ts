import type { Keyring } from "../../../platform/crypto/keyring.ts";
import { credentialContext } from "../../../platform/crypto/vault.ts";
import type { Sql, Transaction } from "../../../platform/db/connection.ts";
import type { CredentialRow } from "../store.ts";

type SealedRow = Pick<CredentialRow, "account_id" | "credential_id" | "kind" | "key_id" | "sealed">;

/** Reseals one chunk of credentials with the current key, including expired ones. Returns their number. */
export async function resealChunk(sql: Sql, keyring: Keyring, rows: number): Promise<number> {
  return await sql.begin(async (tx) => {
    // Skips rows that are locked, because waiting could cause a deadlock. A later chunk finds them.
    const chunk = await tx<SealedRow[]>`
      select account_id, credential_id, kind, key_id, sealed from credentials where key_id <> ${keyring.currentKeyId}
      order by account_id, credential_id limit ${rows} for update skip locked`;
    if (chunk.length > 0) await update(tx, keyring, chunk);
    return chunk.length;
  });
}

export async function countOnOldKeys(sql: Sql | Transaction, currentKeyId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from credentials where key_id <> ${currentKeyId}`;
  return row?.count ?? 0;
}

async function update(tx: Transaction, keyring: Keyring, chunk: readonly SealedRow[]): Promise<void> {
  const moved = chunk.map((row) => reseal(keyring, row));
  await tx`
    update credentials set key_id = ${keyring.currentKeyId}, sealed = decode(moved.sealed, 'hex'), digest = decode(moved.digest, 'hex')
    from unnest(
      ${chunk.map((row) => row.account_id)}::text[], ${chunk.map((row) => row.credential_id)}::text[],
      ${moved.map((row) => row.sealed)}::text[], ${moved.map((row) => row.digest)}::text[]
    ) as moved (account_id, credential_id, sealed, digest)
    where credentials.account_id = moved.account_id and credentials.credential_id = moved.credential_id`;
}

function reseal(keyring: Keyring, row: SealedRow): { readonly sealed: string; readonly digest: string } {
  const context = credentialContext(row.account_id, row.credential_id, row.kind);
  const text = keyring.open({ keyId: row.key_id, sealed: row.sealed }, context);
  return { sealed: keyring.seal(text, context).sealed.toString("hex"), digest: keyring.digest(text).toString("hex") };
}
