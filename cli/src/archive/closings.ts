import type { Transaction } from "@corprail/server/platform/db/connection";
import { readArchivedUntil } from "@corprail/server/platform/db/partitions/read-partitions";
import type { ArchivedColumn } from "./archived-tables.ts";

export const BUCKETS = ["available", "held", "cleared", "funding", "fees"] as const;
type Bucket = (typeof BUCKETS)[number];

/** An account's ledger over a month: the transfers after `opening_seq` up to `closing_seq`, and its buckets before and after. */
export type Closing = {
  readonly account_id: string;
  readonly opening_seq: bigint;
  readonly closing_seq: bigint;
} & { readonly [Name in `${"opening" | "closing"}_${Bucket}`]: bigint };

const ENDS = ["opening", "closing"] as const;

export const CLOSING_COLUMNS: readonly ArchivedColumn[] = [
  { name: "account_id", type: "text", kind: "text", nullable: false },
  ...ENDS.flatMap((end) =>
    ["seq", ...BUCKETS].map((name) => ({ name: `${end}_${name}`, type: "bigint", kind: "long" as const, nullable: false })),
  ),
];

/**
 * Computes the closings of a month. An account's month ends with the last transfer before its end: transfers are numbered in
 * the order of their commits, which differs slightly from that of their times, and a range of numbers has no gap. They start
 * from the last month that has left the database. Transfers that were written with a time in such a month after it had left
 * belong to the month that numbers them.
 */
export async function readClosings(tx: Transaction, month: string, from: Date, to: Date): Promise<readonly Closing[]> {
  const archivedUntil = new Date((await readArchivedUntil(tx, month)) ?? 0);
  const sums = ENDS.flatMap((end) => BUCKETS.map((bucket) => sumOf(bucket, end)));
  return await tx.unsafe<Closing[]>(
    `with closed as (
      select distinct on (account_id) account_id, seq, ${BUCKETS.join(", ")} from ledger_closings where month < $3 order by account_id, month desc
    ), ends as (
      select account_id, coalesce(c.seq, 0) as start_seq, greatest(c.seq, n.opening, 0) as opening_seq, greatest(c.seq, n.closing, 0) as closing_seq,
        ${BUCKETS.map((bucket) => `coalesce(c.${bucket}, 0) as start_${bucket}`).join(", ")}
      from closed c full join (
        select account_id, max(seq) filter (where at < $1) as opening, max(seq) as closing from transfers where at >= $4 and at < $2 group by account_id
      ) n using (account_id)
    )
    select e.account_id, e.opening_seq, e.closing_seq, ${sums.join(", ")}
    from ends e left join transfers t on t.account_id = e.account_id and t.seq > e.start_seq and t.seq <= e.closing_seq
    group by e.account_id, e.opening_seq, e.closing_seq, ${BUCKETS.map((bucket) => `e.start_${bucket}`).join(", ")} order by e.account_id`,
    [from, to, month, archivedUntil],
  );
}

function sumOf(bucket: Bucket, end: (typeof ENDS)[number]): string {
  return `e.start_${bucket} + coalesce(sum(case when t.to_bucket = '${bucket}' then t.amount when t.from_bucket = '${bucket}' then -t.amount else 0 end)
    filter (where t.seq <= e.${end}_seq), 0)::bigint as ${end}_${bucket}`;
}
