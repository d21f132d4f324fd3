import type { Fragment } from "postgres";
import { indiaDate, indiaMidnight } from "../../platform/core/india-time.ts";
import { formatMoney } from "../../platform/core/money.ts";
import type { Queryable } from "../../platform/db/connection.ts";
import { type AccountMode, ofMode } from "../accounts/account-mode.ts";
import { type AssigneeFilter, matchesAssignee } from "../work/assignee-filter.ts";
import { withOrder } from "./archived-order.ts";
import type { Complaint, ComplaintStatus } from "./complaint.ts";
import { type ComplaintRow, complaintColumns, isFound, partPattern, toComplaint } from "./store.ts";

/** The views of the staff's complaint queue. Each complaint is in exactly one of them. */
export const QUEUE_VIEWS = ["due", "open", "refund_blocked", "decided"] as const;
export type QueueView = (typeof QUEUE_VIEWS)[number];

/** A complaint with the details of its order that staff need for the decision. */
export type QueuedComplaint = Complaint & {
  readonly accountName: string;
  readonly amount: string;
  readonly fee: string;
  readonly target: string;
  readonly operator: string;
  readonly provider: string;
  /** The staff member who handles it. */
  readonly assignedTo: string | null;
};

/** The last complaint of the previous page, by the time that the list is sorted by. */
export type QueueCursor = { readonly at: Date; readonly complaintRef: string };

export type QueueFilter = {
  readonly accountId: string | null;
  readonly mode: AccountMode | null;
  readonly status: ComplaintStatus | null;
  readonly view: QueueView | null;
  readonly assignedTo: AssigneeFilter;
  /** An exact complaint reference, order id, client reference or target. */
  readonly search: string | null;
  /** Only open complaints that are due before this time. */
  readonly dueBefore: number | null;
  /** Sorts by due time instead of newest first. */
  readonly dueFirst: boolean;
  readonly after: QueueCursor | null;
  readonly limit: number;
};

type QueuedRow = ComplaintRow & {
  readonly account_name: string;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly target: string;
  readonly operator: string;
  readonly provider: string;
  readonly assigned_to: string | null;
};

export async function listQueue(sql: Queryable, filter: QueueFilter, now: number): Promise<readonly QueuedComplaint[]> {
  const { after, dueFirst } = filter;
  const rows = await sql<QueuedRow[]>`
    ${selected(sql)} where ${asked(sql, filter, now)}
      ${after === null ? sql`` : sql`and (${dueFirst ? sql`c.due_by` : sql`c.raised_at`}, c.complaint_ref) ${dueFirst ? sql`>` : sql`<`} (${after.at}, ${after.complaintRef})`}
    order by ${dueFirst ? sql`c.due_by, c.complaint_ref` : sql`c.raised_at desc, c.complaint_ref desc`} limit ${filter.limit}`;
  return rows.map(toQueued);
}

/** Finds a complaint by its reference, in any account. */
export async function findQueued(sql: Queryable, complaintRef: string): Promise<QueuedComplaint | null> {
  const [row] = await sql<QueuedRow[]>`${selected(sql)} where c.complaint_ref = ${complaintRef}`;
  return row ? toQueued(row) : null;
}

export type ViewCounts = Readonly<Record<Exclude<QueueView, "decided"> | "overdue", number>>;

/** The number of complaints in each view; overdue ones are part of those due. */
export async function countViews(sql: Queryable, mode: AccountMode | null, now: number): Promise<ViewCounts> {
  const [row] = await sql<ViewCounts[]>`
    select count(*) filter (where c.stage <> 'refund_blocked' and c.due_by < ${endOfToday(now)})::int as due,
      count(*) filter (where c.stage <> 'refund_blocked' and c.due_by < ${new Date(now)})::int as overdue,
      count(*) filter (where c.stage <> 'refund_blocked' and c.due_by >= ${endOfToday(now)})::int as open,
      count(*) filter (where c.stage = 'refund_blocked')::int as refund_blocked
    from complaints c where c.status = 'OPEN' and ${ofMode(sql, "c.account_id", mode)}`;
  return row ?? { due: 0, overdue: 0, open: 0, refund_blocked: 0 };
}

function selected(sql: Queryable): Fragment {
  return sql`
    select ${complaintColumns(sql)}, a.name as account_name, o.amount, o.fee, o.target, o.operator, o.provider,
      (select i.assigned_to from work_items i
        where i.account_id = c.account_id and i.kind = 'complaint' and i.item_id = c.complaint_ref) as assigned_to
    from complaints c join accounts a on a.account_id = c.account_id ${withOrder(sql)}`;
}

function asked(sql: Queryable, filter: QueueFilter, now: number): Fragment {
  const { accountId, mode, status, view, search, dueBefore, assignedTo } = filter;
  const item = { kind: "complaint", accountId: sql`c.account_id`, itemId: sql`c.complaint_ref` } as const;
  return sql`${ofMode(sql, "c.account_id", mode)} ${accountId === null ? sql`` : sql`and c.account_id = ${accountId}`}
    and ${matchesAssignee(sql, assignedTo, item)} ${status === null ? sql`` : sql`and c.status = ${status}`}
    ${view === null ? sql`` : sql`and ${inView(sql, view, now)}`}
    ${dueBefore === null ? sql`` : sql`and c.status = 'OPEN' and c.due_by < ${new Date(dueBefore)}`}
    and ${matchesSearch(sql, search)}`;
}

/** There are few complaints, so a part of a value is enough. */
function matchesSearch(sql: Queryable, search: string | null): Fragment {
  if (search === null) return sql`true`;
  return sql`(${isFound(sql, search)} or a.name ilike ${partPattern(search)})`;
}

function inView(sql: Queryable, view: QueueView, now: number): Fragment {
  switch (view) {
    case "due":
      return sql`c.status = 'OPEN' and c.stage <> 'refund_blocked' and c.due_by < ${endOfToday(now)}`;
    case "open":
      return sql`c.status = 'OPEN' and c.stage <> 'refund_blocked' and c.due_by >= ${endOfToday(now)}`;
    case "refund_blocked":
      return sql`c.status = 'OPEN' and c.stage = 'refund_blocked'`;
    case "decided":
      return sql`c.status <> 'OPEN'`;
  }
}

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

function endOfToday(now: number): Date {
  return new Date((indiaMidnight(indiaDate(now)) ?? 0) + DAY_MILLISECONDS);
}

function toQueued(row: QueuedRow): QueuedComplaint {
  return {
    ...toComplaint(row),
    accountName: row.account_name,
    amount: formatMoney(row.amount),
    fee: formatMoney(row.fee),
    target: row.target,
    operator: row.operator,
    provider: row.provider,
    assignedTo: row.assigned_to,
  };
}
