import type { Sql } from "../../platform/db/connection.ts";
import { deleteInSteps } from "../../platform/db/delete-in-steps.ts";

/** `since`: rows created before it were looked at by an earlier run, so that what stays is not read again and again. */
type Range = { readonly since: Date; readonly before: Date };

type Sweep = {
  readonly table: string;
  readonly deleteSome: (sql: Sql, range: Range, limit: number) => Promise<{ readonly count: number }>;
};

// What expired before a time without becoming part of an order. Every step locks the rows that it deletes, and skips
// those that a request holds.
const UNUSED: readonly Sweep[] = [
  {
    table: "bill_fetches",
    deleteSome: (sql, { since, before }, limit) => sql`
      delete from bill_fetches where ctid = any(array(
        select f.ctid from bill_fetches f where f.created_at >= ${since} and f.created_at < ${before} and f.valid_until < ${before}
          and not exists (select from bill_payments p where p.account_id = f.account_id and p.fetch_ref = f.fetch_ref)
        limit ${limit} for update skip locked))`,
  },
  {
    table: "transfer_quotes",
    deleteSome: (sql, { since, before }, limit) => sql`
      delete from transfer_quotes where ctid = any(array(
        select ctid from transfer_quotes
        where created_at >= ${since} and created_at < ${before} and expires_at < ${before} and order_id is null
        limit ${limit} for update skip locked))`,
  },
  {
    table: "bus_blocks",
    deleteSome: (sql, { since, before }, limit) => sql`
      with gone as (
        delete from bus_blocks where ctid = any(array(
          select ctid from bus_blocks
          where created_at >= ${since} and created_at < ${before} and expires_at < ${before} and order_id is null
          limit ${limit} for update skip locked))
        returning account_id, block_ref
      ), seats as (
        delete from bus_block_seats s using gone g where s.account_id = g.account_id and s.block_ref = g.block_ref
      )
      select from gone`,
  },
  {
    table: "bus_cancel_quotes",
    deleteSome: (sql, { before }, limit) => sql`
      delete from bus_cancel_quotes where ctid = any(array(
        select ctid from bus_cancel_quotes where valid_until < ${before} limit ${limit} for update skip locked))`,
  },
  {
    // Nobody can claim a seat of a bus that has left, so the row is no longer needed as a lock.
    table: "bus_seat_holders",
    deleteSome: (sql, { before }, limit) => sql`
      delete from bus_seat_holders where ctid = any(array(
        select ctid from bus_seat_holders where departure_at < ${before} limit ${limit} for update skip locked))`,
  },
  {
    table: "one_time_passwords",
    deleteSome: (sql, { before }, limit) => sql`
      delete from one_time_passwords where ctid = any(array(
        select ctid from one_time_passwords where expires_at < ${before} limit ${limit} for update skip locked))`,
  },
  {
    table: "aeps_authentications",
    deleteSome: (sql, { before }, limit) => sql`
      delete from aeps_authentications where ctid = any(array(
        select ctid from aeps_authentications where valid_until < ${before} limit ${limit} for update skip locked))`,
  },
];

const THE_BEGINNING = new Date(0);

/** Creates the sweep of what expired unused. It reports the number of deleted rows by table. Several processes may run it. */
export function createUnusedSweep(sql: Sql): (before: Date, deleted: (table: string, rows: number) => void) => Promise<void> {
  const sweptUntil = new Map<string, Date>();
  return async (before, deleted) => {
    for (const { table, deleteSome } of UNUSED) {
      const range = { since: sweptUntil.get(table) ?? THE_BEGINNING, before };
      const { rows, complete } = await deleteInSteps(async (limit) => (await deleteSome(sql, range, limit)).count);
      deleted(table, rows);
      if (complete) sweptUntil.set(table, before);
    }
  };
}

/** Deletes fetched bills before this time, also paid ones, unless the payment is still pending: its status query needs the fetch. */
export async function sweepOldFetches(sql: Sql, before: Date): Promise<number> {
  const { rows } = await deleteInSteps(async (limit) => {
    const { count } = await sql`
      delete from bill_fetches where ctid = any(array(
        select f.ctid from bill_fetches f where f.created_at < ${before} and not exists (
          select from bill_payments p join orders o on o.account_id = p.account_id and o.order_id = p.order_id and o.state = 0
          where p.account_id = f.account_id and p.fetch_ref = f.fetch_ref)
        limit ${limit} for update skip locked))`;
    return count;
  });
  return rows;
}
