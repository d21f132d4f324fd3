import { orderIdAt } from "../../../platform/core/ids.ts";
import type { Sql } from "../../../platform/db/connection.ts";

export type LateSearches = {
  readonly processId: string;
  /** No order of the process that is searched for was created earlier. */
  readonly since: number;
  readonly dueAt: number;
  /** A search from this time on is the last. */
  readonly endsAt: number;
};

/**
 * Removes a process that is gone and plans further searches for its orders. With a time, only if it has sent no heartbeat
 * since.
 */
export async function replaceBySearches(sql: Sql, { processId, since, dueAt, endsAt }: LateSearches, seenAt: Date | null): Promise<void> {
  await sql`
    with gone as (
      delete from processes where process_id = ${processId} and (${seenAt}::timestamptz is null or seen_at = ${seenAt})
      returning process_id
    )
    insert into orphan_searches (process_id, from_order_id, due_at, ends_at)
    select process_id, ${orderIdAt(since)}, ${new Date(dueAt)}, ${new Date(endsAt)} from gone
    on conflict (process_id) do update set from_order_id = least(orphan_searches.from_order_id, excluded.from_order_id),
      due_at = excluded.due_at, ends_at = excluded.ends_at`;
}

const OVERDUE_MILLISECONDS = 120_000;

export type DueSearch = { readonly processId: string; readonly fromOrderId: string; readonly isLast: boolean };

/**
 * The searches that are due, each for one caller only, which must end the last one with `endSearches`. A time far in the future
 * predates a clock that was set back: one search is made at once, and the last one when the longest time has passed. A time
 * long ago predates a clock that was set forward, or no process was running: a search is made at once too, and the time until
 * the next one begins now. A process that is on the list again was only silent for a while, and finds its own orders.
 */
export async function takeDueSearches(sql: Sql, now: number, longestMilliseconds: number): Promise<readonly DueSearch[]> {
  const latest = new Date(now + longestMilliseconds);
  const overdue = sql`due.due_at < ${new Date(now - OVERDUE_MILLISECONDS)}`;
  const rows = await sql<{ process_id: string; from_order_id: string; is_last: boolean }[]>`
    with alive as (
      delete from orphan_searches s using processes p where p.process_id = s.process_id
    ), due as (
      select process_id, due_at, ends_at from orphan_searches s
      where (due_at <= ${new Date(now)} or due_at > ${latest})
        and not exists (select from processes p where p.process_id = s.process_id)
      for update skip locked
    )
    update orphan_searches s set due_at = n.due_at, ends_at = n.due_at
    from due cross join lateral (select case
      when not ${overdue} then least(due.ends_at, ${latest})
      when due.due_at < due.ends_at then ${new Date(now)}::timestamptz + (due.ends_at - due.due_at)
      else ${latest} end as due_at) n
    where s.process_id = due.process_id
    returning s.process_id, s.from_order_id, due.due_at >= due.ends_at and due.due_at <= ${new Date(now)} and not ${overdue} as is_last`;
  return rows.map((row) => ({ processId: row.process_id, fromOrderId: row.from_order_id, isLast: row.is_last }));
}

export async function endSearches(sql: Sql, processId: string): Promise<void> {
  await sql`delete from orphan_searches where process_id = ${processId}`;
}
