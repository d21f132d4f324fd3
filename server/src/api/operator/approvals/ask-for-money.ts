import type { ApprovalKind, Asked as AskedFor } from "../../../domain/approvals/approval.ts";
import { askIfNeeded } from "../../../domain/approvals/ask-approval.ts";
import { decide } from "../../../domain/complaints/decide.ts";
import { findComplaintMoney } from "../../../domain/complaints/store.ts";
import { findTopUps, readSpendable } from "../../../domain/ledger/store.ts";
import type { ManualChangeResult } from "../../../domain/orders/change-manually.ts";
import type { Order } from "../../../domain/orders/order.ts";
import { findById } from "../../../domain/orders/store.ts";
import { INSUFFICIENT_FUNDS } from "../../../domain/orders/top-up.ts";
import { findCancellation } from "../../../domain/services/bus/cancellations/cancel-store.ts";
import { type CancellationSettlement, cancellationConflict } from "../../../domain/services/bus/cancellations/settle-cancellation.ts";
import { formatMoney, type Money } from "../../../platform/core/money.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { Caller } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { conflict, noSuch, type Refusal } from "../refusal.ts";
import { type Held, heldOrRefusal } from "./held.ts";

type Asked = Held | Refusal | null;

// Approvals of money. An action calls these in its approval step.

export type WalletMove = {
  readonly accountId: string;
  readonly amount: Money;
  readonly reference: string;
  readonly note: string;
  readonly reason: string | undefined;
};

export async function askForWallet(deps: OperatorApiDependencies, caller: Caller, move: WalletMove): Promise<Asked> {
  const { accountId, amount, reference, note, reason } = move;
  const { sql } = deps;
  // A used reference returns its earlier result and moves no money.
  if ((await findTopUps(sql, [{ accountId, reference }])).length > 0) return null;
  if (amount < 0n && (await readSpendable(sql, accountId)) + amount < 0n) return conflict(INSUFFICIENT_FUNDS);
  const input = { amount: formatMoney(amount), reference, note, ...(reason === undefined ? {} : { reason }) };
  const about = `wallet ${accountId} ${reference}`;
  return await ask(deps, caller, { kind: "wallet", about, input, amount, accountId, orderId: null });
}

export type OrderMove = {
  readonly kind: Extract<ApprovalKind, "settle" | "reverse" | "refund" | "cancel">;
  readonly orderId: string;
  /** What the executor needs. It may name what the decision depends on, such as the order's attempt. */
  readonly inputOf: (order: Order) => JsonObject;
  /** Why the order's current state does not allow the action; null if it does. */
  readonly conflictOf: (order: Order) => ManualChangeResult | null;
};

export async function askForOrder(deps: OperatorApiDependencies, caller: Caller, move: OrderMove): Promise<Asked> {
  const { kind, orderId, inputOf, conflictOf } = move;
  const order = await findById(deps.sql, orderId);
  if (!order) return noSuch("order");
  const refusal = conflictOf(order);
  if (refusal?.kind === "conflict") return conflict(refusal.reason);
  const { accountId, amount } = order;
  return await ask(deps, caller, { kind, about: `order ${orderId}`, input: inputOf(order), amount, accountId, orderId });
}

/** An order's own approval may be the one that waits for this cancellation, so this is about the cancellation. */
export async function askForCancellation(
  deps: OperatorApiDependencies,
  caller: Caller,
  { orderId, cancelId, outcome, reason }: CancellationSettlement,
): Promise<Asked> {
  const order = await findById(deps.sql, orderId);
  if (!order) return noSuch("order");
  const { accountId } = order;
  const asked = await findCancellation(deps.sql, { accountId, cancelId });
  const against = cancellationConflict(asked, orderId);
  if (against !== null || asked === null) return conflict(against ?? "");
  // Only a refund moves money.
  const amount = outcome === "cancelled" ? asked.refund : null;
  const input = { cancel_id: cancelId, outcome, reason };
  return await ask(deps, caller, { kind: "cancel", about: `cancellation ${cancelId}`, input, amount, accountId, orderId });
}

export type ComplaintRefund = { readonly complaintRef: string; readonly reason: string };

export async function askForComplaintRefund(deps: OperatorApiDependencies, caller: Caller, move: ComplaintRefund): Promise<Asked> {
  const { complaintRef, reason } = move;
  const complaint = await findComplaintMoney(deps.sql, complaintRef);
  // A closed complaint is never reopened, so this cannot change.
  if (complaint?.status !== "OPEN") return null;
  const verdict = decide("refund", { orderState: complaint.orderState, walletSuspended: false, partRefunded: false });
  if (verdict.kind === "conflict") return conflict(verdict.reason);
  const { accountId, orderId, amount } = complaint;
  const input = { complaint_ref: complaintRef, reason };
  return await ask(deps, caller, { kind: "complaint_refund", about: `order ${orderId}`, input, amount, accountId, orderId });
}

async function ask(deps: OperatorApiDependencies, caller: Caller, asked: AskedFor): Promise<Asked> {
  return heldOrRefusal(await askIfNeeded(deps.approvals, caller, asked));
}
