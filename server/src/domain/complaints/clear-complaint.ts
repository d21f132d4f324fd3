import { formatMoney, type Money, NO_MONEY } from "../../platform/core/money.ts";
import type { Transaction } from "../../platform/db/connection.ts";
import { readAccounts } from "../accounts/store.ts";
import { appendAudit } from "../audit/append.ts";
import { insertComplaintCallback, insertStatusCallback } from "../callbacks/outbox.ts";
import { lockWallets } from "../ledger/store.ts";
import type { OrdersContext } from "../orders/context.ts";
import { type FinalState, type Order, totalOf } from "../orders/order.ts";
import { lockOrders } from "../orders/store.ts";
import { writeLocked } from "../orders/write/locked-write.ts";
import { type Complaint, isComplaintRef } from "./complaint.ts";
import { type Decision, decide, type Verdict } from "./decide.ts";
import { closeComplaint, findComplaint, type LockedComplaint, lockComplaint, markBlocked, readReturned } from "./store.ts";

export type ClearRequest = {
  readonly complaintRef: string;
  readonly decision: Decision;
  readonly reason: string;
  /** Additional audit details of an approved decision. */
  readonly more?: Readonly<Record<string, string>>;
};

export type ClearResult =
  | { readonly kind: "done"; readonly complaint: Complaint }
  | { readonly kind: "not_found" }
  | { readonly kind: "conflict"; readonly reason: string };

/** Decides a complaint: the complaint, the order, its money and the callbacks change in one transaction. */
export async function clearComplaint(ctx: OrdersContext, actor: string, request: ClearRequest): Promise<ClearResult> {
  const result = await ctx.sql.begin((tx) => clearComplaintIn(ctx, tx, actor, request));
  if (result.kind === "done") ctx.wakeCallbacks();
  return result;
}

/** Everything a decision depends on, locked until it is written. */
type Case = {
  readonly ctx: OrdersContext;
  readonly tx: Transaction;
  readonly actor: string;
  readonly request: ClearRequest;
  readonly complaint: LockedComplaint;
  readonly order: Order;
  /** The money already returned for the order. */
  readonly returned: Money;
  readonly at: number;
};

/** The same in the caller's transaction; the caller wakes the callback delivery after the commit. */
export async function clearComplaintIn(ctx: OrdersContext, tx: Transaction, actor: string, request: ClearRequest): Promise<ClearResult> {
  if (!isComplaintRef(request.complaintRef)) return { kind: "not_found" };
  const complaint = await lockComplaint(tx, request.complaintRef);
  if (!complaint) return { kind: "not_found" };
  if (complaint.status !== "OPEN") return { kind: "conflict", reason: `The complaint is ${complaint.status}.` };
  // The wallet is locked before the order, in the order that all writers use.
  await lockWallets(tx, [complaint.accountId]);
  const [order] = await lockOrders(tx, [complaint]);
  if (!order) throw new Error(`The order of complaint ${complaint.complaintRef} does not exist.`);
  const { returned, partRefunded } = await readReturned(tx, order);
  const [account] = await readAccounts(tx, [complaint.accountId]);
  const verdict = decide(request.decision, { orderState: order.state, walletSuspended: account?.wallet === "suspended", partRefunded });
  if (verdict.kind === "conflict") return verdict;
  await carryOut({ ctx, tx, actor, request, complaint, order, returned, at: ctx.clock.now() }, verdict);
  const changed = await findComplaint(tx, complaint);
  if (!changed) throw new Error(`The complaint ${complaint.complaintRef} is gone.`);
  return { kind: "done", complaint: changed };
}

async function carryOut(one: Case, verdict: Exclude<Verdict, { kind: "conflict" }>): Promise<void> {
  switch (verdict.kind) {
    case "blocked":
      return await block(one, verdict.why);
    case "refund":
      return await refund(one);
    case "stands":
      // The id uses the time of the success, so that a reversal that waits for this lock, whose id is later, comes after it.
      await notifyStatus(one, "SUCCESS", one.order.updatedAt);
      return await close(one, "RESOLVED", NO_MONEY);
    case "already returned":
      await notifyStatus(one, "FAILED", one.at);
      return await close(one, "REFUNDED", one.returned);
  }
}

async function refund(one: Case): Promise<void> {
  const { ctx, tx, order, at } = one;
  const { reason } = one.request;
  // The refund writes its own status callback, in both versions.
  const [written] = await writeLocked(
    tx,
    [
      {
        kind: "reverse",
        order,
        failure: { code: "refunded_by_complaint", words: reason },
        callbackId: ctx.ids.entry(at),
        cause: "reversed",
      },
    ],
    at,
    ctx.processId,
  );
  if (written?.kind === "insufficient funds") return await block(one, "The wallet no longer holds the credited money.");
  if (written?.kind !== "done") throw new Error(`The refund of order ${order.orderId} was answered ${written?.kind}.`);
  await close(one, "REFUNDED", totalOf(order));
}

async function notifyStatus(one: Case, status: FinalState, numberedAt: number): Promise<void> {
  const { accountId, orderId, reference: urid, amount, target, operatorRef } = one.order;
  const callbackId = one.ctx.ids.entry(numberedAt);
  await insertStatusCallback(one.tx, { accountId, callbackId, orderId, urid, status, amount, target, operatorRef }, one.at);
}

/** Closes the complaint after its status callback is written, so that the complaint callback follows it. */
async function close(one: Case, status: "RESOLVED" | "REFUNDED", refundAmount: Money): Promise<void> {
  const { ctx, tx, complaint, order, at } = one;
  const { reason, complaintRef } = one.request;
  await closeComplaint(tx, complaint, { status, refundAmount, reason, at });
  const facts = { accountId: order.accountId, orderId: order.orderId, urid: order.reference };
  const callbackId = ctx.ids.entry(Math.max(at, order.updatedAt) + 1);
  await insertComplaintCallback(tx, { ...facts, callbackId, complaintRef, status, refundAmount, reason, resolvedAt: at }, at);
  const posted = order.state === "SUCCESS" && status === "REFUNDED";
  if (posted) await audit(one, "order.reversed", { kind: "order", id: order.orderId }, { reason, complaint_ref: complaintRef });
  await auditComplaint(one, "complaint.cleared", { status, refund_amount: formatMoney(refundAmount) });
}

async function block(one: Case, why: string): Promise<void> {
  await markBlocked(one.tx, one.complaint, why);
  await auditComplaint(one, "complaint.refund_blocked", { blocked_by: why });
}

async function auditComplaint(one: Case, action: string, details: Readonly<Record<string, string>>): Promise<void> {
  const { accountId, orderId, complaintRef } = one.complaint;
  const { decision, reason } = one.request;
  await audit(
    one,
    action,
    { kind: "complaint", id: complaintRef },
    { account_id: accountId, order_id: orderId, decision, reason, ...details },
  );
}

type Subject = Parameters<typeof appendAudit>[2]["subject"];

async function audit(one: Case, action: string, subject: Subject, details: Readonly<Record<string, string>>): Promise<void> {
  await appendAudit(one.tx, new Date(one.at), { actor: one.actor, action, subject, details: { ...details, ...one.request.more } });
}
