import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { withReason } from "../../accounts/account-change.ts";
import { appendAudit } from "../../audit/append.ts";
import type { Finding } from "../../providers/connector.ts";
import { type ManualChangeResult, stateConflict } from "../change-manually.ts";
import type { OrdersContext } from "../context.ts";
import type { Order } from "../order.ts";
import { connectorOf, notRunning } from "../provider-request.ts";
import { findById } from "../store.ts";
import { applyFinding } from "./apply-finding.ts";
import { askProvider } from "./poll-orders.ts";

/** A provider's answer to a manual status query. */
export type ProviderAnswer = {
  readonly kind: "asked";
  readonly provider: string;
  readonly said: Finding["kind"];
  readonly detail: string;
  /** Whether the answer was definite and has ended the order. */
  readonly applied: boolean;
};

export type RequeryResult = ProviderAnswer | Exclude<ManualChangeResult, { readonly kind: "done" }>;

/**
 * Queries the provider of a pending order now and applies a definite answer as a poll would. "Not found" is only reported:
 * it counts after two polls some time apart, not after two manual queries in a row.
 */
export async function requeryOrder(ctx: OrdersContext, actor: string, orderId: string, reason?: string): Promise<RequeryResult> {
  const order = await findById(ctx.sql, orderId);
  if (!order) return { kind: "not_found" };
  if (order.state !== "pending") return stateConflict(order);
  const connector = connectorOf(ctx, order);
  if (!connector) return { kind: "conflict", reason: `The order cannot be queried: ${notRunning(order)}.` };
  const finding = await askProvider(ctx, order, connector, () => true);
  const heard = { provider: order.provider, said: finding.kind, detail: detailOf(finding) };
  // Audited before the change that the answer may cause.
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
