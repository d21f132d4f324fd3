import type { Queryable } from "../../../platform/db/connection.ts";
import { ofMode } from "../../accounts/account-mode.ts";
import { APPROVAL_KINDS } from "../../approvals/approval.ts";
import type { Reader } from "./read-notifications.ts";

/** The number of open items of each queue, and how many of them are assigned to one person. */
export type WorkCounts = {
  readonly alerts: number;
  readonly complaints: number;
  /** Orders that staff must settle. */
  readonly orders: number;
  /** Requests of others that wait for a decision. */
  readonly approvals: number;
  readonly my_alerts: number;
  readonly my_complaints: number;
  readonly my_orders: number;
};

export type Counter = Pick<Reader, "mode" | "mayDecide"> & {
  /** Null for a program, to which nothing is assigned. */
  readonly userId: string | null;
  /** The responsible person, who cannot decide their own requests. */
  readonly person: string;
};

// More are not counted, so that a large backlog stays cheap.
const MAX_COUNTED = 10_000;

/** Counts the queues of one cell. */
export async function countWork(sql: Queryable, { userId, person, mode, mayDecide }: Counter, now: number): Promise<WorkCounts> {
  const kinds = APPROVAL_KINDS.filter(mayDecide);
  const isLive = mode !== "test";
  const mine = sql`w.assigned_to = ${userId}`;
  const [row] = await sql<WorkCounts[]>`
    select
      (select count(*)::int from alerts where ${isLive} and closed_at is null) as alerts,
      (select count(*)::int from complaints c where c.status = 'OPEN' and ${ofMode(sql, "c.account_id", mode)}) as complaints,
      (select count(*)::int from (
        select from pending_polls p where p.needs_human and ${ofMode(sql, "p.account_id", mode)} limit ${MAX_COUNTED}) p) as orders,
      (select count(*)::int from approvals p where p.state = 'waiting' and p.expires_at > ${new Date(now)}
        and p.maker_person <> ${person} and p.kind = any(${kinds}::text[]) and ${ofMode(sql, "p.account_id", mode)}) as approvals,
      (select count(*)::int from work_items w join alerts a on a.alert_id = w.item_id
        where ${isLive} and w.kind = 'alert' and ${mine} and a.closed_at is null) as my_alerts,
      (select count(*)::int from work_items w join complaints c on c.account_id = w.account_id and c.complaint_ref = w.item_id
        where w.kind = 'complaint' and ${mine} and c.status = 'OPEN' and ${ofMode(sql, "w.account_id", mode)}) as my_complaints,
      (select count(*)::int from work_items w join orders o on o.account_id = w.account_id and o.order_id = w.item_id
        where w.kind = 'order' and ${mine} and o.state = 0 and ${ofMode(sql, "w.account_id", mode)}) as my_orders`;
  if (!row) throw new Error("The queues were not counted.");
  return row;
}
