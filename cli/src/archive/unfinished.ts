import { orderIdAt } from "@corprail/server/platform/core/ids";
import { indiaDate, type Span } from "@corprail/server/platform/core/india-time";
import type { Queryable } from "@corprail/server/platform/db/connection";

type Counts = {
  readonly pending: number;
  readonly polls: number;
  readonly complaints: number;
  readonly cancellations: number;
  readonly tickets: number;
  readonly callbacks: number;
  readonly unsigned: number;
};

const WORDS: Readonly<Record<keyof Counts, string>> = {
  pending: "orders are pending",
  polls: "orders are still asked about at their provider",
  complaints: "complaints are open",
  cancellations: "cancellations of tickets are not finished",
  tickets: "tickets are for buses that have not left, and can be cancelled",
  callbacks: "callbacks are not delivered",
  unsigned: "days of the ledger are not signed",
};

/** What of a month's orders is not finished and keeps the month in the database. */
export async function unfinishedOf(sql: Queryable, { fromMilliseconds, toMilliseconds }: Span): Promise<readonly string[]> {
  const [first, end] = [orderIdAt(fromMilliseconds), orderIdAt(toMilliseconds)];
  const [row] = await sql<Counts[]>`
    select
      (select count(*)::int from orders where order_id >= ${first} and order_id < ${end} and state = 0) as pending,
      (select count(*)::int from pending_polls where order_id >= ${first} and order_id < ${end}) as polls,
      (select count(*)::int from complaints where status = 'OPEN' and order_id >= ${first} and order_id < ${end}) as complaints,
      (select count(*)::int from bus_cancellations where state = 'asked' and order_id >= ${first} and order_id < ${end}) as cancellations,
      (select count(*)::int from bus_blocks b where order_id >= ${first} and order_id < ${end} and ticket_no is not null and departure_at > now()
        and exists (select from bus_block_seats s where s.account_id = b.account_id and s.block_ref = b.block_ref and s.cancel_id is null)) as tickets,
      (select count(*)::int from callbacks where state = 'waiting'
        and ((callback_id >= ${first} and callback_id < ${end}) or (order_id >= ${first} and order_id < ${end}))) as callbacks,
      -- An installation signs its days in order; one that has never signed has none to wait for.
      coalesce(greatest(${indiaDate(toMilliseconds - 1)}::text::date - (select max(day) from signing_runs), 0), 0) as unsigned`;
  if (!row) throw new Error("A query of counts has one row.");
  const names = Object.keys(WORDS) as (keyof Counts)[];
  return names.filter((name) => row[name] > 0).map((name) => `${row[name]} ${WORDS[name]}`);
}
