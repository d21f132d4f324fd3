import { formatMoney } from "../../platform/core/money.ts";
import type { Queryable } from "../../platform/db/connection.ts";
import { leafHash } from "./merkle.ts";

/** A transfer as it is signed: the text holds every column, and its bytes are a leaf of the day's Merkle tree. */
export type LedgerLine = { readonly seq: bigint; readonly balance: bigint; readonly text: string; readonly leaf: Buffer };

type TransferRow = {
  readonly account_id: string;
  readonly seq: bigint;
  readonly at: string;
  readonly kind: string;
  readonly from_bucket: string;
  readonly to_bucket: string;
  readonly amount: bigint;
  readonly available_after: bigint;
  readonly order_id: string | null;
  readonly reference: string | null;
  readonly narration: string;
};

// Hashing is done between requests of the same process, so a step must take a few milliseconds at most.
const NUMBERS_A_STEP = 500n;

/** Yields the transfers of a range of numbers in pages, in their order. Missing numbers are left out. */
export async function* readLedgerLines(
  sql: Queryable,
  accountId: string,
  first: bigint,
  last: bigint,
): AsyncGenerator<readonly LedgerLine[]> {
  for (let from = first; from <= last; from += NUMBERS_A_STEP) {
    const to = from + NUMBERS_A_STEP - 1n < last ? from + NUMBERS_A_STEP - 1n : last;
    // Microseconds, because a JavaScript Date would hide a change of them.
    const rows = await sql<TransferRow[]>`
      select account_id, seq, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, kind, from_bucket, to_bucket,
        amount, available_after, order_id, reference, narration
      from transfers where account_id = ${accountId} and seq between ${from} and ${to} order by seq, at`;
    yield rows.map(ledgerLine);
  }
}

function ledgerLine(row: TransferRow): LedgerLine {
  const text = JSON.stringify({
    account_id: row.account_id,
    seq: Number(row.seq),
    at: row.at,
    kind: row.kind,
    from: row.from_bucket,
    to: row.to_bucket,
    amount: formatMoney(row.amount),
    balance_after: formatMoney(row.available_after),
    order_id: row.order_id,
    reference: row.reference,
    narration: row.narration,
  });
  return { seq: row.seq, balance: row.available_after, text, leaf: leafHash(text) };
}

const MARK_BYTES = 8;

/** The part of a leaf hash that is stored for each transfer. */
export function markOf(leaf: Buffer): Buffer {
  return leaf.subarray(0, MARK_BYTES);
}

/** Finds the place of the first line whose mark differs; null when all lines and marks agree. */
export function firstDifference(marks: Buffer, leaves: readonly Buffer[], offset = 0): number | null {
  const place = leaves.findIndex((leaf, index) => {
    const at = (offset + index) * MARK_BYTES;
    return !markOf(leaf).equals(marks.subarray(at, at + MARK_BYTES));
  });
  return place === -1 ? null : offset + place;
}
