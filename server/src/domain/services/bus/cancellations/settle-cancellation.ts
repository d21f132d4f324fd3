import { formatMoney } from "../../../../platform/core/money.ts";
import type { JsonObject } from "../../../../platform/core/strict-json.ts";
import type { Transaction } from "../../../../platform/db/connection.ts";
import { type AuditEntry, appendAudit } from "../../../audit/append.ts";
import { lockWallets } from "../../../ledger/store.ts";
import type { ManualChangeResult } from "../../../orders/change-manually.ts";
import { findById } from "../../../orders/store.ts";
import { findBlock } from "../blocks/blocks-store.ts";
import type { CancelContext } from "../context.ts";
import { type Cancellation, lockCancellation } from "./cancel-store.ts";
import { postCancellation, undoCancellation } from "./post-cancellation.ts";

export const CANCELLATION_OUTCOMES = ["cancelled", "not_cancelled"] as const;

export type CancellationSettlement = {
  readonly orderId: string;
  readonly cancelId: string;
  /** What the provider told staff. */
  readonly outcome: (typeof CANCELLATION_OUTCOMES)[number];
  readonly reason: string;
  /** The approval, and who requested it, when a second person had to approve. */
  readonly approved?: JsonObject;
};

/** Ends a cancellation, whose provider does not say whether it carried it out, as staff decide. */
export async function settleCancellation(ctx: CancelContext, actor: string, request: CancellationSettlement): Promise<ManualChangeResult> {
  const result = await ctx.sql.begin((tx) => settleCancellationIn(ctx, tx, actor, request));
  if (result.kind === "done") ctx.wakeCallbacks();
  return result;
}

/** The same in the caller's transaction, which must wake the callback delivery afterwards. */
export async function settleCancellationIn(
  ctx: CancelContext,
  tx: Transaction,
  actor: string,
  request: CancellationSettlement,
): Promise<ManualChangeResult> {
  const order = await findById(tx, request.orderId);
  if (!order) return { kind: "not_found" };
  await lockWallets(tx, [order.accountId]);
  const asked = await lockCancellation(tx, { accountId: order.accountId, cancelId: request.cancelId });
  const against = cancellationConflict(asked, order.orderId);
  if (against !== null || asked === null) return { kind: "conflict", reason: against ?? NO_CANCELLATION };
  const audit = auditOf(actor, asked, request);
  if (request.outcome === "cancelled") return await post(ctx, tx, asked, audit);
  await undoCancellation(tx, asked);
  await appendAudit(tx, new Date(ctx.clock.now()), { ...audit, action: "order.cancellation_ended" });
  return { kind: "done" };
}

const NO_CANCELLATION = "The order has no such cancellation, or its provider has refused it.";

/** Why staff cannot decide a cancellation now; null when they can. */
export function cancellationConflict(asked: Cancellation | null, orderId: string): string | null {
  if (asked?.orderId !== orderId) return NO_CANCELLATION;
  if (asked.state === "done") return "The cancellation is complete, and its refund is posted.";
  if (asked.isBeingAsked) return "The provider is being asked at this moment. Try again in a few minutes.";
  return null;
}

async function post(ctx: CancelContext, tx: Transaction, asked: Cancellation, audit: AuditEntry): Promise<ManualChangeResult> {
  const block = await findBlock(tx, asked);
  if (!block) throw new Error(`The ticket of cancellation ${asked.cancelId} does not exist.`);
  const posted = await postCancellation(ctx, tx, asked, block, audit);
  return posted.kind === "cancelled" ? { kind: "done" } : { kind: "conflict", reason: posted.message };
}

function auditOf(actor: string, asked: Cancellation, { reason, outcome, approved }: CancellationSettlement): AuditEntry {
  const { cancelId, seats, refund, orderId } = asked;
  const details = { reason, outcome, cancel_id: cancelId, seats, refund_amount: formatMoney(refund), ...approved };
  return { actor, action: "order.cancelled", subject: { kind: "order", id: orderId }, details };
}
