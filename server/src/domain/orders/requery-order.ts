import type { JsonObject } from "../../platform/core/strict-json.ts";
import { withReason } from "../accounts/account-change.ts";
import { appendAudit } from "../audit/append.ts";
import type { Finding } from "../providers/connector.ts";
import { applyFinding } from "./apply-finding.ts";
import { type ByHandResult, inState } from "./change-by-hand.ts";
import type { OrdersContext } from "./context.ts";
import { providerRequest } from "./dispatch-order.ts";
import type { Order } from "./order.ts";
import { findById } from "./store.ts";

/** What a provider said when it was asked by hand. */
export type Requeried = {
  readonly kind: "asked";
  readonly provider: string;
  readonly said: Finding["kind"];
  readonly detail: string;
  /** It was definite, so the order has ended by it. */
  readonly applied: boolean;
};

export type RequeryResult = Requeried | Exclude<ByHandResult, { readonly kind: "done" }>;

/**
 * Asks the provider of a pending order now, and takes a definite answer in as a poll would. "Not found" is only told: that it
 * is believed twice in a row is said of polls, which are some time apart, not of somebody who asks twice at once.
 */
export async function requeryOrder(ctx: OrdersContext, actor: string, orderId: string, reason?: string): Promise<RequeryResult> {
  const order = await findById(ctx.sql, orderId);
  if (!order) return { kind: "not_found" };
  if (order.state !== "pending") return inState(order);
  const connector = ctx.providerRegistry.connector(order.provider);
  if (!connector) return { kind: "conflict", reason: `The provider ${order.provider} cannot be asked: it is not open.` };
  const finding = await connector.ask(providerRequest(order), ctx.stopping);
  const heard = { provider: order.provider, said: finding.kind, detail: detailOf(finding) };
  // Before it changes anything: whoever asked stands behind what follows.
  await record(ctx, actor, order, withReason(heard, reason));
  return { kind: "asked", ...heard, applied: await applyFinding(ctx, order, finding) };
}

function detailOf(finding: Finding): string {
  switch (finding.kind) {
    case "succeeded":
      return `Operator reference ${finding.operatorRef}`;
    case "declined":
    case "reversed":
      return finding.reason;
    case "not_found":
      return "The provider has no such request.";
    default:
      return finding.why;
  }
}

async function record(ctx: OrdersContext, actor: string, order: Order, details: JsonObject): Promise<void> {
  await ctx.sql.begin((tx) =>
    appendAudit(tx, new Date(ctx.clock.now()), {
      actor,
      action: "order.requeried",
      subject: { kind: "order", id: order.orderId },
      details,
    }),
  );
}
