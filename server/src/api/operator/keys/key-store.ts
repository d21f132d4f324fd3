import type { Fragment } from "postgres";
import type { Queryable, Transaction } from "../../../platform/db/connection.ts";
import type { KeyCreator, KeyLimits } from "./key-limits.ts";

export type UsedKey = { readonly key_id: string; readonly last_used_at: Date | null };

export type OperatorKeyRow = KeyLimits &
  KeyCreator &
  UsedKey & { readonly name: string; readonly created_at: Date; readonly last_used_from: string | null };

export type FoundKey = KeyLimits & KeyCreator & UsedKey & { readonly digest: Buffer; readonly created_by: string | null };

/** Finds a key by its digest. A key does not work while the staff member who created it is disabled. */
export async function findOperatorKey(sql: Queryable, digest: Buffer): Promise<FoundKey | undefined> {
  const [row] = await sql<FoundKey[]>`
    select key_id, digest, created_by, k.role, expires_at, source_addresses, last_used_at, ${creatorColumns(sql)}
    from operator_keys k ${joinCreator(sql)} where digest = ${digest}`;
  return row?.creator_disabled ? undefined : row;
}

function creatorColumns(sql: Queryable): Fragment {
  return sql`creator.role as creator_role,
    k.created_by like 'staff:%' is true and (creator.user_id is null or creator.disabled_at is not null) as creator_disabled`;
}

function joinCreator(sql: Queryable): Fragment {
  return sql`left join users creator on creator.realm = 'console' and creator.user_id = substring(k.created_by from '^staff:(.*)$')`;
}

/** Stores the use of a key, unless another process has stored one since the key was read. */
export async function writeKeyUse(sql: Queryable, key: UsedKey, at: Date, from: string | null): Promise<void> {
  await sql`
    update operator_keys set last_used_at = ${at}, last_used_from = ${from}
    where key_id = ${key.key_id} and last_used_at is not distinct from ${key.last_used_at}`;
}

export type KeyCursor = { readonly createdAt: Date; readonly keyId: string };

export async function readOperatorKeys(sql: Queryable, after: KeyCursor | null, limit: number): Promise<readonly OperatorKeyRow[]> {
  return await sql<OperatorKeyRow[]>`
    select key_id, k.name, k.created_at, k.role, expires_at, source_addresses, last_used_at, last_used_from, ${creatorColumns(sql)}
    from operator_keys k ${joinCreator(sql)}
    ${after === null ? sql`` : sql`where (k.created_at, key_id) < (${after.createdAt}, ${after.keyId})`}
    order by k.created_at desc, key_id desc limit ${limit}`;
}

export type NewOperatorKey = Omit<OperatorKeyRow, keyof KeyCreator | "last_used_at" | "last_used_from"> & {
  readonly digest: Buffer;
  readonly created_by: string;
};

export async function insertOperatorKey(tx: Transaction, row: NewOperatorKey): Promise<void> {
  await tx`
    insert into operator_keys (key_id, name, digest, created_by, created_at, role, expires_at, source_addresses)
    values (${row.key_id}, ${row.name}, ${row.digest}, ${row.created_by}, ${row.created_at}, ${row.role}, ${row.expires_at},
      ${row.source_addresses as string[]}::text[])`;
}

export async function removeOperatorKey(tx: Transaction, keyId: string): Promise<OperatorKeyRow | undefined> {
  const [row] = await tx<OperatorKeyRow[]>`
    with k as (delete from operator_keys where key_id = ${keyId} returning *)
    select key_id, k.name, k.created_at, k.role, expires_at, source_addresses, last_used_at, last_used_from, ${creatorColumns(tx)}
    from k ${joinCreator(tx)}`;
  return row;
}
