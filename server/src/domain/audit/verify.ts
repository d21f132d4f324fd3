import type { Sql } from "../../platform/db/connection.ts";
import { entryHash } from "./append.ts";
import type { AuditRow } from "./list.ts";

export type Verification =
  | { readonly ok: true; readonly count: bigint }
  /** The first entry that was changed or is missing. */
  | { readonly ok: false; readonly seq: bigint; readonly why: string };

const CHUNK_ROWS = 1000;

type Link = { readonly seq: bigint; readonly hash: Buffer };
type ChainRow = AuditRow & { readonly previous_hash: Buffer };

/** Verifies the chain from its first entry to the head at the time of the call. */
export async function verifyAudit(sql: Sql): Promise<Verification> {
  const [head] = await sql<Link[]>`select seq, hash from audit_head`;
  if (!head) return { ok: false, seq: 0n, why: "the head is missing" };
  let last: Link = { seq: 0n, hash: Buffer.alloc(0) };
  while (last.seq < head.seq) {
    const rows = await sql<ChainRow[]>`
      select seq, at, actor, action, subject_kind, subject_id, details, previous_hash, hash from audit_log
      where seq > ${last.seq} and seq <= ${head.seq} order by seq limit ${CHUNK_ROWS}`;
    if (rows.length === 0) return { ok: false, seq: last.seq + 1n, why: "the entry is missing" };
    for (const row of rows) {
      const why = brokenLink(last, row);
      if (why !== null) return { ok: false, seq: last.seq + 1n, why };
      last = row;
    }
  }
  if (!last.hash.equals(head.hash)) return { ok: false, seq: head.seq, why: "the head's hash differs from the last entry's" };
  return { ok: true, count: head.seq };
}

function brokenLink(last: Link, row: ChainRow): string | null {
  if (row.seq !== last.seq + 1n) return "the entry is missing";
  if (!row.previous_hash.equals(last.hash)) return "the entry does not follow from the previous one";
  const hash = entryHash({ ...row, subject: { kind: row.subject_kind, id: row.subject_id }, previousHash: row.previous_hash });
  return row.hash.equals(hash) ? null : "the entry was changed";
}
