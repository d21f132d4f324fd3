import type { Queryable } from "../../platform/db/connection.ts";
import { entryText } from "./append.ts";
import type { AuditRow } from "./list.ts";

export type ChainRow = AuditRow & { readonly previous_hash: Buffer };

export type ChainHead = { readonly seq: bigint; readonly hash: Buffer };

const CHUNK_ROWS = 1000;

export async function readChainHead(sql: Queryable): Promise<ChainHead | null> {
  const [head] = await sql<ChainHead[]>`select seq, hash from audit_head`;
  return head ?? null;
}

/** Yields the entries up to a number in pages, oldest first. Missing entries are left out. */
export async function* readChain(sql: Queryable, last: bigint): AsyncGenerator<readonly ChainRow[]> {
  let after = 0n;
  while (after < last) {
    const rows = await sql<ChainRow[]>`
      select seq, at, actor, action, subject_kind, subject_id, details, previous_hash, hash from audit_log
      where seq > ${after} and seq <= ${last} order by seq limit ${CHUNK_ROWS}`;
    if (rows.length > 0) yield rows;
    after = rows.at(-1)?.seq ?? last;
  }
}

/** The text that an entry's hash covers. */
export function chainText(row: ChainRow): string {
  return entryText({ ...row, subject: { kind: row.subject_kind, id: row.subject_id }, previousHash: row.previous_hash });
}
