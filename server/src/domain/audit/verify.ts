import { createHash } from "node:crypto";
import type { Sql } from "../../platform/db/connection.ts";
import { type ChainHead, type ChainRow, chainText, readChain, readChainHead } from "./read-chain.ts";

export type Verification =
  | { readonly ok: true; readonly count: bigint }
  /** The first entry that was changed or is missing. */
  | { readonly ok: false; readonly seq: bigint; readonly why: string };

/** Verifies the chain from its first entry to the head at the time of the call. */
export async function verifyAudit(sql: Sql): Promise<Verification> {
  const head = await readChainHead(sql);
  if (!head) return { ok: false, seq: 0n, why: "the head is missing" };
  let last: ChainHead = { seq: 0n, hash: Buffer.alloc(0) };
  for await (const rows of readChain(sql, head.seq))
    for (const row of rows) {
      const why = brokenLink(last, row);
      if (why !== null) return { ok: false, seq: last.seq + 1n, why };
      last = row;
    }
  if (last.seq < head.seq) return { ok: false, seq: last.seq + 1n, why: "the entry is missing" };
  if (!last.hash.equals(head.hash)) return { ok: false, seq: head.seq, why: "the head's hash differs from the last entry's" };
  return { ok: true, count: head.seq };
}

function brokenLink(last: ChainHead, row: ChainRow): string | null {
  if (row.seq !== last.seq + 1n) return "the entry is missing";
  if (!row.previous_hash.equals(last.hash)) return "the entry does not follow from the previous one";
  return row.hash.equals(createHash("sha256").update(chainText(row)).digest()) ? null : "the entry was changed";
}
