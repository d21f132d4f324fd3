import type { Queryable, Transaction } from "../../../platform/db/connection.ts";

export type OperatorKeyRow = { readonly key_id: string; readonly name: string; readonly created_at: Date };

/** Finds a key by its digest. A key does not work while the person who created it is disabled. */
export async function findOperatorKey(
  sql: Queryable,
  digest: Buffer,
): Promise<{ readonly key_id: string; readonly digest: Buffer; readonly created_by: string | null } | undefined> {
  const [row] = await sql<{ key_id: string; digest: Buffer; created_by: string | null }[]>`
    select key_id, digest, created_by from operator_keys where digest = ${digest} and not exists (
      select from users
      where realm = 'console' and disabled_at is not null and created_by = 'staff:' || user_id)`;
  return row;
}

export type KeyCursor = { readonly createdAt: Date; readonly keyId: string };

export async function readOperatorKeys(sql: Queryable, after: KeyCursor | null, limit: number): Promise<readonly OperatorKeyRow[]> {
  return await sql<OperatorKeyRow[]>`
    select key_id, name, created_at from operator_keys
    ${after === null ? sql`` : sql`where (created_at, key_id) < (${after.createdAt}, ${after.keyId})`}
    order by created_at desc, key_id desc limit ${limit}`;
}

export type NewOperatorKey = OperatorKeyRow & { readonly digest: Buffer; readonly created_by: string };

export async function insertOperatorKey(tx: Transaction, row: NewOperatorKey): Promise<void> {
  await tx`
    insert into operator_keys (key_id, name, digest, created_by, created_at)
    values (${row.key_id}, ${row.name}, ${row.digest}, ${row.created_by}, ${row.created_at})`;
}

export async function removeOperatorKey(tx: Transaction, keyId: string): Promise<OperatorKeyRow | undefined> {
  const [row] = await tx<OperatorKeyRow[]>`delete from operator_keys where key_id = ${keyId} returning key_id, name, created_at`;
  return row;
}
