import type { Queryable } from "../../../../platform/db/connection.ts";
import type { Row } from "../../../../platform/db/schema/row-types.ts";

export type KeyRow = Pick<Row<"aeps_encryption_key">, "key_id" | "public_key" | "secret_key_id" | "secret" | "created_at">;

export async function readKey(sql: Queryable): Promise<KeyRow | null> {
  const [row] = await sql<KeyRow[]>`select key_id, public_key, secret_key_id, secret, created_at from aeps_encryption_key`;
  return row ?? null;
}

/** Returns false when another process has created a key meanwhile. */
export async function insertKey(sql: Queryable, row: KeyRow): Promise<boolean> {
  const { count } = await sql`
    insert into aeps_encryption_key (key_id, public_key, secret_key_id, secret, created_at)
    values (${row.key_id}, ${row.public_key}, ${row.secret_key_id}, ${row.secret}, ${row.created_at})
    on conflict do nothing`;
  return count === 1;
}

/** Locks the key while it is sealed with an old master key; skips it while another session has locked it. */
export async function lockKeyOnOld(sql: Queryable, currentKeyId: string): Promise<KeyRow | null> {
  const [row] = await sql<KeyRow[]>`
    select key_id, public_key, secret_key_id, secret, created_at from aeps_encryption_key where secret_key_id <> ${currentKeyId}
    for update skip locked`;
  return row ?? null;
}

export async function replaceSealed(sql: Queryable, before: KeyRow, sealed: Pick<KeyRow, "secret_key_id" | "secret">): Promise<void> {
  await sql`
    update aeps_encryption_key set secret_key_id = ${sealed.secret_key_id}, secret = ${sealed.secret}
    where key_id = ${before.key_id} and secret_key_id = ${before.secret_key_id}`;
}

export async function countKeysOnOld(sql: Queryable, currentKeyId: string): Promise<number> {
  const [row] = await sql<
    { count: number }[]
  >`select count(*)::int as count from aeps_encryption_key where secret_key_id <> ${currentKeyId}`;
  return row?.count ?? 0;
}
