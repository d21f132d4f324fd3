import { FUTURE_MILLISECONDS } from "../../../platform/core/clock.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import type { OrdersContext } from "../context.ts";
import type { OrderKey } from "../store.ts";
import { markUnansweredHere } from "./unanswered-requests.ts";

export type OrphanSearch = {
  readonly processId: string;
  /** Order ids begin with their time, so no orphaned order of the process has a smaller id. */
  readonly fromOrderId: string;
  /** Null when the process is dead and creates no more orders. */
  readonly createdBefore: number | null;
  readonly underWay: readonly string[];
  readonly now: number;
};

type TakenOver = {
  /** Orders that are polled now. */
  readonly found: number;
  /** Orders that were left, because their accounts are moving to another cell. They are still here if the move is cancelled. */
  readonly left: number;
};

/**
 * Schedules polls for the pending orders that no process works on. They are polled and never sent again. They are marked as
 * unanswered first, so that after a crash in between the next search finds them again.
 */
export async function takeOverOrphans(ctx: OrdersContext, search: OrphanSearch): Promise<TakenOver> {
  const orphans = await findOrphans(ctx.sql, search);
  const here = await markUnansweredHere(ctx, orphans);
  const found = here.length === 0 ? 0 : await schedulePolls(ctx.sql, here, new Date(search.now));
  return { found, left: orphans.length - here.length };
}

async function findOrphans(sql: Sql, { processId, fromOrderId, createdBefore, underWay, now }: OrphanSearch): Promise<readonly OrderKey[]> {
  // A time in the future predates a clock that was set back.
  const bound =
    createdBefore === null
      ? sql`true`
      : sql`(o.created_at < ${new Date(createdBefore)} or o.created_at > ${new Date(now + FUTURE_MILLISECONDS)})`;
  const rows = await sql<{ account_id: string; order_id: string }[]>`
    select o.account_id, o.order_id from orders o
    where o.order_id >= ${fromOrderId} and o.process_id = ${processId} and o.state = 0
      and ${bound} and o.order_id <> all(${underWay as string[]})
      and not exists (select from pending_polls p where p.account_id = o.account_id and p.order_id = o.order_id)`;
  return rows.map((row) => ({ accountId: row.account_id, orderId: row.order_id }));
}

async function schedulePolls(sql: Sql, orders: readonly OrderKey[], now: Date): Promise<number> {
  const { count } = await sql`
    insert into pending_polls (account_id, order_id, why, since, due_at)
    select account_id, order_id, 'found after a crash', ${now}, ${now}
    from unnest(${orders.map((one) => one.accountId)}::text[], ${orders.map((one) => one.orderId)}::text[]) n (account_id, order_id)
    on conflict do nothing`;
  return count;
}
