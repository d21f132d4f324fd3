import type { Vault } from "../../../platform/crypto/vault.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import { ROTATION_LOCK } from "./rotate-master-key.ts";

/** The master key that this database's secrets are sealed with. */
export type MasterKeyState = {
  readonly keyId: string;
  readonly since: Date;
  /** `unfinished`: old keys still exist, and no rotation is running. */
  readonly rotation: "none" | "running" | "unfinished";
};

export async function readMasterKey({ sql, vault }: { readonly sql: Sql; readonly vault: Vault }): Promise<MasterKeyState | null> {
  const [row] = await sql<{ key_id: string; since: Date; is_rotating: boolean }[]>`
    select i.master_key_id as key_id, coalesce(added.at, i.created_at) as since,
      exists (select from pg_locks l where l.locktype = 'advisory' and l.objsubid = 1 and l.granted
        and l.database = (select oid from pg_database where datname = current_database())
        and (l.classid::bigint << 32) + l.objid::bigint = ${ROTATION_LOCK}) as is_rotating
    from installation i
    left join lateral (
      select a.at from audit_log a
      where a.subject_kind = 'master_key' and a.subject_id = i.master_key_id and a.action = 'master_key.added' order by a.seq limit 1) added on true`;
  if (!row) return null;
  const left = vault.keyring().keyIds.length > 1 ? "unfinished" : "none";
  return { keyId: row.key_id, since: row.since, rotation: row.is_rotating ? "running" : left };
}
