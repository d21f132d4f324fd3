import type { Report } from "../providers/connector.ts";
import type { CallbackRefusalReason } from "../providers/refused-callback.ts";
import { applyFinding } from "./apply-finding.ts";
import type { OrdersContext } from "./context.ts";
import { findById } from "./store.ts";

/** Takes in what a provider says without being asked; believed only of the provider that the order is with. Null when taken, else why not. */
export async function takeReport(ctx: OrdersContext, report: Report, provider: string): Promise<CallbackRefusalReason | null> {
  const order = await findById(ctx.sql, report.reference);
  if (!order) return "unknown_reference";
  if (order.provider !== provider) return "other_provider";
  // Contract, section 9a: what the simulator pushes no longer touches a live account; polling ends what the trial left pending.
  if (ctx.providerRegistry.isBarred(provider, ctx.isSandbox(order.accountId))) return null;
  await applyFinding(ctx, order, report.finding);
  return order.state === "FAILED" && report.finding.kind === "succeeded" ? "contradicts" : null;
}
