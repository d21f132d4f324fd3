import type { Report } from "../upstream/connector.ts";
import { applyFinding } from "./apply-finding.ts";
import type { OrdersContext } from "./context.ts";
import { findById } from "./store.ts";

/** Takes in what a provider says without being asked; believed only of the provider that the order is with. */
export async function takeReport(ctx: OrdersContext, report: Report, provider: string): Promise<void> {
  const order = await findById(ctx.sql, report.reference);
  if (order?.provider !== provider) return;
  // Contract, section 9a: what the simulator pushes no longer touches a live account; polling ends what the trial left pending.
  if (ctx.upstreams.isBarred(provider, ctx.isSandbox(order.accountId))) return;
  await applyFinding(ctx, order, report.finding);
}
