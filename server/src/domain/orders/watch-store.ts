import { FUTURE_MILLISECONDS } from "../../platform/core/clock.ts";
import type { Sql } from "../../platform/db/connection.ts";
import { LONGEST_POLL_MILLISECONDS } from "./poll-schedule.ts";
import type { OrderKey } from "./store.ts";

export type Watched = {
  readonly accountId: string;
  readonly orderId: string;
  readonly since: number;
  readonly polls: number;
  readonly notFound: number;
};

type Row = {
  readonly account_id: string;
  readonly order_id: string;
  readonly since: Date;
  readonly polls: number;
  readonly not_found: number;
};

// While one process asks, no other does; if it dies, the row is due again after this.
const LEASE_MILLISECONDS = 60_000;

export async function claimDue(sql: Sql, now: number, limit: number): Promise<readonly Watched[]> {
  const rows = await sql<Row[]>`
    update order_watch w set due_at = ${new Date(now + LEASE_MILLISECONDS)}
    from (
      select account_id, order_id from order_watch where due_at <= ${new Date(now)} and not needs_human
      order by due_at limit ${limit} for update skip locked
    ) due
    where w.account_id = due.account_id and w.order_id = due.order_id
    returning w.account_id, w.order_id, w.since, w.polls, w.not_found`;
  return rows.map((row) => ({
    accountId: row.account_id,
    orderId: row.order_id,
    since: row.since.getTime(),
    polls: row.polls,
    notFound: row.not_found,
  }));
}

export async function dropWatch(sql: Sql, watched: Watched): Promise<void> {
  await sql`delete from order_watch where account_id = ${watched.accountId} and order_id = ${watched.orderId}`;
}

export async function postpone(sql: Sql, watched: Watched, dueAt: number, notFound: number): Promise<void> {
  await sql`
    update order_watch set due_at = ${new Date(dueAt)}, polls = ${watched.polls + 1}, not_found = ${notFound}
    where account_id = ${watched.accountId} and order_id = ${watched.orderId}`;
}

export async function postponeForHuman(sql: Sql, watched: Watched): Promise<void> {
  await sql`
    update order_watch set needs_human = true, polls = ${watched.polls + 1}
    where account_id = ${watched.accountId} and order_id = ${watched.orderId}`;
}

/**
 * Makes due what waits longer than any wait is: the clock was set back. The time since when an order is in doubt begins anew
 * where it lies in the future. What another session has locked is left for the next time. Returns how many were made due.
 */
export async function redateWatches(sql: Sql, now: number): Promise<number> {
  const at = new Date(now);
  const { count } = await sql`
    update order_watch o set due_at = least(o.due_at, ${at}), since = least(o.since, ${at}) from (
      select account_id, order_id from order_watch
      where not needs_human and due_at > ${new Date(now + LONGEST_POLL_MILLISECONDS + FUTURE_MILLISECONDS)} for update skip locked) w
    where o.account_id = w.account_id and o.order_id = w.order_id`;
  await sql`
    update order_watch o set since = ${at} from (
      select account_id, order_id from order_watch where since > ${new Date(now + FUTURE_MILLISECONDS)} for update skip locked) w
    where o.account_id = w.account_id and o.order_id = w.order_id`;
  return count;
}

/** Puts orders that a crash left behind among the watched ones; they are asked about, never sent again. */
export async function watchLeftBehind(sql: Sql, options: LeftBehind): Promise<readonly OrderKey[]> {
  // A time well to come is from before the clock was set back.
  const bound =
    options.createdBefore === null
      ? sql`true`
      : sql`(o.created_at < ${new Date(options.createdBefore)} or o.created_at > ${new Date(options.now + FUTURE_MILLISECONDS)})`;
  const rows = await sql<{ account_id: string; order_id: string }[]>`
    insert into order_watch (account_id, order_id, why, since, due_at)
    select o.account_id, o.order_id, 'found after a crash', ${new Date(options.now)}, ${new Date(options.now)}
    from orders o
    where o.order_id >= ${options.fromOrderId} and o.process_id = ${options.processId} and o.state = 0
      and ${bound} and o.order_id <> all(${options.underWay as string[]})
    on conflict do nothing returning account_id, order_id`;
  return rows.map((row) => ({ accountId: row.account_id, orderId: row.order_id }));
}

export type LeftBehind = {
  readonly processId: string;
  /** Ids begin with their time: none of the process's open orders is older. */
  readonly fromOrderId: string;
  /** Null when the process is dead and can make no more of them. */
  readonly createdBefore: number | null;
  readonly underWay: readonly string[];
  readonly now: number;
};
