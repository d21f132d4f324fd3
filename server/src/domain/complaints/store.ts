import { type Money, moneyOf } from "../../platform/core/money.ts";
import type { Queryable, Transaction } from "../../platform/db/connection.ts";
import type { Row } from "../../platform/db/schema/row-types.ts";
import { transfersOfOrder } from "../ledger/order-transfers.ts";
import { type Order, type OrderState, stateOf } from "../orders/order.ts";
import type { OrderKey } from "../orders/store.ts";
import { withOrder } from "./archived-order.ts";
import type { Complaint, ComplaintStatus, ReasonCode, Stage } from "./complaint.ts";

export type ComplaintRow = Pick<
  Row<"complaints">,
  | "account_id"
  | "complaint_ref"
  | "order_id"
  | "request_id"
  | "description"
  | "blocked_by"
  | "refund_amount"
  | "reason"
  | "raised_at"
  | "due_by"
  | "resolved_at"
> & {
  readonly reference: string;
  readonly service: string;
  readonly state: number;
  readonly reason_code: ReasonCode;
  readonly status: ComplaintStatus;
  readonly stage: Stage;
};

/** The columns of a complaint `c` and its order `o`. */
export function complaintColumns(sql: Queryable) {
  return sql`c.account_id, c.complaint_ref, c.order_id, c.request_id, o.reference, o.service, o.state, c.reason_code, c.description, c.status,
    c.stage, c.blocked_by, c.refund_amount, c.reason, c.raised_at, c.due_by, c.resolved_at`;
}

function selected(sql: Queryable) {
  return sql`select ${complaintColumns(sql)} from complaints c ${withOrder(sql)}`;
}

export function toComplaint(row: ComplaintRow): Complaint {
  return {
    accountId: row.account_id,
    complaintRef: row.complaint_ref,
    orderId: row.order_id,
    reference: row.reference,
    service: row.service,
    orderState: stateOf(row.state),
    reasonCode: row.reason_code,
    description: row.description,
    status: row.status,
    stage: row.stage,
    blockedBy: row.blocked_by,
    refundAmount: moneyOf(row.refund_amount),
    reason: row.reason,
    raisedAt: row.raised_at.getTime(),
    dueBy: row.due_by.getTime(),
    resolvedAt: row.resolved_at?.getTime() ?? null,
  };
}

export type ComplaintKey = { readonly accountId: string; readonly complaintRef: string };

export async function findComplaint(sql: Queryable, key: ComplaintKey): Promise<Complaint | null> {
  const [row] = await sql<ComplaintRow[]>`
    ${selected(sql)} where c.account_id = ${key.accountId} and c.complaint_ref = ${key.complaintRef}`;
  return row ? toComplaint(row) : null;
}

/** All complaints about an order, oldest first. */
export async function findOfOrder(sql: Queryable, order: OrderKey): Promise<readonly Complaint[]> {
  const rows = await sql<ComplaintRow[]>`
    ${selected(sql)} where c.account_id = ${order.accountId} and c.order_id = ${order.orderId} order by c.raised_at, c.complaint_ref`;
  return rows.map(toComplaint);
}

export type KnownComplaints = {
  /** The complaint that this request id created. */
  readonly ofRequest: Complaint | null;
  /** The open complaint about the order. */
  readonly open: Complaint | null;
};

/** Both in one snapshot, so that a repeated request is recognised as the creator of the open complaint. */
export async function findKnown(sql: Queryable, order: OrderKey, requestId: string | null): Promise<KnownComplaints> {
  const rows = await sql<ComplaintRow[]>`
    ${selected(sql)} where c.account_id = ${order.accountId}
      and (c.request_id = ${requestId} or (c.order_id = ${order.orderId} and c.status = 'OPEN'))`;
  const ofRequest = rows.find((row) => requestId !== null && row.request_id === requestId);
  const open = rows.find((row) => row.order_id === order.orderId && row.status === "OPEN");
  return { ofRequest: ofRequest ? toComplaint(ofRequest) : null, open: open ? toComplaint(open) : null };
}

export type NewComplaint = ComplaintKey & {
  readonly orderId: string;
  readonly requestId: string | null;
  readonly reasonCode: ReasonCode;
  readonly description: string;
  readonly raisedAt: number;
  readonly dueBy: number;
};

/** Returns false when the order has an open complaint or the request id is used. Unique indexes decide between concurrent requests. */
export async function insertComplaint(sql: Queryable, complaint: NewComplaint): Promise<boolean> {
  const { count } = await sql`
    insert into complaints (account_id, complaint_ref, order_id, request_id, reason_code, description, raised_at, due_by)
    values (${complaint.accountId}, ${complaint.complaintRef}, ${complaint.orderId}, ${complaint.requestId}, ${complaint.reasonCode},
      ${complaint.description}, ${new Date(complaint.raisedAt)}, ${new Date(complaint.dueBy)})
    on conflict do nothing`;
  return count === 1;
}

export type ComplaintCursor = { readonly raisedAt: number; readonly complaintRef: string };

export type ComplaintFilter = {
  readonly accountId: string;
  readonly status: ComplaintStatus | null;
  readonly period: { readonly fromMilliseconds: number; readonly toMilliseconds: number } | null;
  /** A part of the complaint's reference, the order id, the client's reference or the target. */
  readonly search: string | null;
  /** The last complaint of the previous page. */
  readonly after: ComplaintCursor | null;
  readonly limit: number;
};

/** The pattern of values that contain the text. */
export function partPattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
}

/** Whether a search finds a complaint `c` by its own values or those of its order `o`. */
export function isFound(sql: Queryable, search: string) {
  const part = partPattern(search);
  return sql`(c.complaint_ref ilike ${part} or c.order_id ilike ${part} or o.reference ilike ${part} or o.target ilike ${part})`;
}

/** Lists an account's complaints, newest first. The staff's queue is in queue.ts. */
export async function listComplaints(sql: Queryable, filter: ComplaintFilter): Promise<readonly Complaint[]> {
  const { accountId, status, period, search, after } = filter;
  const rows = await sql<ComplaintRow[]>`
    ${selected(sql)}
    where c.account_id = ${accountId}
      ${status === null ? sql`` : sql`and c.status = ${status}`}
      ${period === null ? sql`` : sql`and c.raised_at >= ${new Date(period.fromMilliseconds)} and c.raised_at < ${new Date(period.toMilliseconds)}`}
      ${search === null ? sql`` : sql`and ${isFound(sql, search)}`}
      ${after === null ? sql`` : sql`and (c.raised_at, c.complaint_ref) < (${new Date(after.raisedAt)}, ${after.complaintRef})`}
    order by c.raised_at desc, c.complaint_ref desc limit ${filter.limit}`;
  return rows.map(toComplaint);
}

export type ComplaintMoney = ComplaintKey & {
  readonly orderId: string;
  readonly status: ComplaintStatus;
  readonly orderState: OrderState;
  /** The order's amount. */
  readonly amount: Money;
};

/** The money that a complaint is about, by its reference. */
export async function findComplaintMoney(sql: Queryable, complaintRef: string): Promise<ComplaintMoney | null> {
  const [row] = await sql<{ account_id: string; order_id: string; status: ComplaintStatus; state: number; amount: bigint }[]>`
    select c.account_id, c.order_id, c.status, o.state, o.amount
    from complaints c join orders o on o.account_id = c.account_id and o.order_id = c.order_id where c.complaint_ref = ${complaintRef}`;
  if (!row) return null;
  const { account_id: accountId, order_id: orderId, status } = row;
  return { accountId, complaintRef, orderId, status, orderState: stateOf(row.state), amount: moneyOf(row.amount) };
}

export type LockedComplaint = ComplaintKey & { readonly orderId: string; readonly status: ComplaintStatus };

/** Finds a complaint by its reference and locks it until the transaction ends. */
export async function lockComplaint(tx: Transaction, complaintRef: string): Promise<LockedComplaint | null> {
  const [row] = await tx<Pick<ComplaintRow, "account_id" | "complaint_ref" | "order_id" | "status">[]>`
    select account_id, complaint_ref, order_id, status from complaints where complaint_ref = ${complaintRef} for update`;
  return row ? { accountId: row.account_id, complaintRef: row.complaint_ref, orderId: row.order_id, status: row.status } : null;
}

export type Closing = {
  readonly status: Exclude<ComplaintStatus, "OPEN">;
  readonly refundAmount: Money;
  readonly reason: string;
  readonly at: number;
};

export async function closeComplaint(tx: Transaction, key: ComplaintKey, closing: Closing): Promise<void> {
  await tx`
    update complaints set status = ${closing.status}, stage = 'decided', blocked_by = null, refund_amount = ${closing.refundAmount},
      reason = ${closing.reason}, resolved_at = ${new Date(closing.at)}
    where account_id = ${key.accountId} and complaint_ref = ${key.complaintRef} and status = 'OPEN'`;
}

export async function markBlocked(tx: Transaction, key: ComplaintKey, why: string): Promise<void> {
  await tx`
    update complaints set stage = 'refund_blocked', blocked_by = ${why}
    where account_id = ${key.accountId} and complaint_ref = ${key.complaintRef} and status = 'OPEN'`;
}

export type ReturnedMoney = { readonly returned: Money; readonly partRefunded: boolean };

/** The money that the ledger shows as returned for an order. */
export async function readReturned(tx: Transaction, order: Order): Promise<ReturnedMoney> {
  const [row] = await tx<{ returned: bigint }[]>`
    select coalesce(sum(case when to_bucket = 'available' then amount when from_bucket = 'available' and kind <> 'hold' then -amount
        else 0 end), 0)::bigint as returned
    from ${transfersOfOrder(tx, order.accountId, order.orderId)} t where kind not in ('commission', 'commission_back')`;
  const returned = moneyOf(row?.returned ?? 0n);
  return { returned, partRefunded: order.refunded !== null };
}
