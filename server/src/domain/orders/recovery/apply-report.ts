import type { CallbackRefusalReason } from "../../providers/callbacks/refused-callback.ts";
import type { Report } from "../../providers/connector.ts";
import type { OrdersContext } from "../context.ts";
import { findById } from "../store.ts";
import { applyFinding } from "./apply-finding.ts";

/** Applies a provider's unsolicited status report. Returns why it was refused, e.g. for another provider's order; null if accepted. */
export async function applyReport(ctx: OrdersContext, report: Report, provider: string): Promise<CallbackRefusalReason | null> {
  const order = await findById(ctx.sql, report.reference);
  if (!order) return "unknown_reference";
  if (order.provider !== provider) return "other_provider";
  // Contract, section 9a: the simulator's reports no longer touch live accounts; polling ends orders that the trial left pending.
  if (ctx.providerRegistry.isBarred(provider, ctx.isSandbox(order.accountId))) return null;
  await applyFinding(ctx, order, report.finding);
  return order.state === "FAILED" && report.finding.kind === "succeeded" ? "contradicts" : null;
}
