import type { Keyring } from "../../../platform/crypto/keyring.ts";
import type { Queryable, Sql } from "../../../platform/db/connection.ts";
import type { SealedRows } from "./rotate-master-key.ts";

export type SealedTable = {
  readonly table: string;
  /** The column that identifies a row. */
  readonly id: string;
  /** The columns of the key id and the sealed secret. */
  readonly keyId: string;
  readonly sealed: string;
  /** The context that a row's secret is sealed with. */
  readonly contextOf: (id: string) => string;
};

type SealedRow = { readonly id: string; readonly key_id: string; readonly sealed: Buffer };

/** A table with one sealed secret per row, for the rotation of the master key. */
export function sealedTable({ table, id, keyId, sealed, contextOf }: SealedTable): SealedRows {
  const countOnOldKeys = async (sql: Queryable, currentKeyId: string) => {
    const [row] = await sql<{ count: number }[]>`select count(*)::int as count from ${sql(table)} where ${sql(keyId)} <> ${currentKeyId}`;
    return row?.count ?? 0;
  };
  const reseal = async (sql: Sql, keyring: Keyring, rows: number) =>
    await sql.begin(async (tx) => {
      // Skips locked rows; a later chunk finds them.
      const chunk = await tx<SealedRow[]>`
        select ${tx(id)} as id, ${tx(keyId)} as key_id, ${tx(sealed)} as sealed from ${tx(table)}
        where ${tx(keyId)} <> ${keyring.currentKeyId} order by ${tx(id)} limit ${rows} for update skip locked`;
      for (const row of chunk) {
        const context = contextOf(row.id);
        const secret = keyring.open({ keyId: row.key_id, sealed: row.sealed }, context);
        await tx`
          update ${tx(table)} set ${tx(keyId)} = ${keyring.currentKeyId}, ${tx(sealed)} = ${keyring.seal(secret, context).sealed}
          where ${tx(id)} = ${row.id} and ${tx(keyId)} = ${row.key_id}`;
      }
      return chunk.length;
    });
  return { countOnOldKeys, reseal };
}
