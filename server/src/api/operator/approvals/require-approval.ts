import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApprovalKind, Asked } from "../../../domain/approvals/approval.ts";
import { type AskResult, askIfNeeded } from "../../../domain/approvals/ask-approval.ts";
import { decide } from "../../../domain/complaints/decide.ts";
import { findComplaintMoney } from "../../../domain/complaints/store.ts";
import { findTopUps, readSpendable } from "../../../domain/ledger/store.ts";
import type { ManualChangeResult } from "../../../domain/orders/change-manually.ts";
import type { Order } from "../../../domain/orders/order.ts";
import { findById } from "../../../domain/orders/store.ts";
import { INSUFFICIENT_FUNDS } from "../../../domain/orders/top-up.ts";
import { formatMoney, type Money } from "../../../platform/core/money.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { caller } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { notFound, refuse } from "../errors.ts";
import { approvalDetail } from "./view.ts";

// Called before an action. If a second person must approve it, the result is an approval (202); null lets the action run.
// Obstacles are refused here with the action's message, so that an impossible action never waits for approval. The result
// is never a FastifyReply, because a reply is thenable and awaiting it would wait for its end.
type Held = AskResult | { readonly kind: "not_found" } | null;
export type Call = { readonly deps: OperatorApiDependencies; readonly request: FastifyRequest };

export type WalletMove = {
  readonly accountId: string;
  readonly amount: Money;
  readonly reference: string;
  readonly note: string;
  readonly reason: string | undefined;
};

export async function requireWalletApproval(call: Call, move: WalletMove): Promise<Held> {
  const { accountId, amount, reference, note, reason } = move;
  const { sql } = call.deps;
  // A used reference returns its earlier result and moves no money.
  if ((await findTopUps(sql, [{ accountId, reference }])).length > 0) return null;
  if (amount < 0n && (await readSpendable(sql, accountId)) + amount < 0n) return { kind: "conflict", reason: INSUFFICIENT_FUNDS };
  const input = { amount: formatMoney(amount), reference, note, ...(reason === undefined ? {} : { reason }) };
  return await holdBack(call, { kind: "wallet", about: `wallet ${accountId} ${reference}`, input, amount, accountId, orderId: null });
}

export type OrderMove = {
  readonly kind: Extract<ApprovalKind, "settle" | "reverse" | "refund" | "cancel">;
  readonly orderId: string;
  readonly input: JsonObject;
  /** Why the order's current state does not allow the action; null if it does. */
  readonly against: (order: Order) => ManualChangeResult | null;
};

export async function requireOrderApproval(call: Call, { kind, orderId, input, against }: OrderMove): Promise<Held> {
  const order = await findById(call.deps.sql, orderId);
  if (!order) return { kind: "not_found" };
  const refusal = against(order);
  if (refusal?.kind === "conflict") return refusal;
  const { accountId, amount } = order;
  return await holdBack(call, { kind, about: `order ${orderId}`, input, amount, accountId, orderId });
}

export async function requireRefundApproval(call: Call, move: { readonly complaintRef: string; readonly reason: string }): Promise<Held> {
  const { complaintRef, reason } = move;
  const complaint = await findComplaintMoney(call.deps.sql, complaintRef);
  // A closed complaint is never reopened, so this cannot change.
  if (complaint?.status !== "OPEN") return null;
  const verdict = decide("refund", { orderState: complaint.orderState, walletSuspended: false, partRefunded: false });
  if (verdict.kind === "conflict") return verdict;
  const { accountId, orderId, amount } = complaint;
  const input = { complaint_ref: complaintRef, reason };
  return await holdBack(call, { kind: "complaint_refund", about: `order ${orderId}`, input, amount, accountId, orderId });
}

async function holdBack(call: Call, asked: Asked): Promise<Held> {
  return await askIfNeeded(call.deps.approvals, caller(call.request), asked);
}

/** Answers with the pending approval. `shown` adds fields to the reply. */
export async function answerWithApproval(
  { deps, request }: Call,
  reply: FastifyReply,
  held: NonNullable<Held>,
  shown: JsonObject = {},
): Promise<FastifyReply> {
  if (held.kind === "not_found") return notFound(reply, "order");
  if (held.kind === "conflict") return refuse(reply, "conflict", held.reason);
  const approval = await approvalDetail(deps.sql, held.approval, { caller: caller(request), now: deps.clock.now() });
  return reply.code(202).send({ approval, ...shown });
}
