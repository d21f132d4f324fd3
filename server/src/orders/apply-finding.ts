import type { Finding } from "../upstream/connector.ts";
import type { OrdersContext } from "./context.ts";
import type { Order } from "./order.ts";
import { settleOrder } from "./settle-order.ts";

/** Takes in what a provider says about an order. True when that ended the matter. */
export async function applyFinding(ctx: OrdersContext, order: Order, finding: Finding): Promise<boolean> {
  if (order.state === "FAILED") return true;
  if (order.state === "SUCCESS") {
    // Only the provider's plain word takes a success back.
    if (finding.kind === "reversed") await takeBack(ctx, order, finding.reason);
    return finding.kind === "reversed" || finding.kind === "succeeded";
  }
  switch (finding.kind) {
    case "succeeded": {
      const recheck = finding.recheckAt === undefined ? {} : { recheckAt: finding.recheckAt };
      await settleOrder(ctx, null, order, { to: "SUCCESS", operatorRef: finding.operatorRef, reason: null, ...recheck });
      return true;
    }
    case "declined":
    case "reversed":
      await settleOrder(ctx, null, order, { to: "FAILED", operatorRef: null, reason: finding.reason, ofAttempt: order.attempt });
      return true;
    default:
      return false;
  }
}

async function takeBack(ctx: OrdersContext, order: Order, reason: string): Promise<void> {
  await ctx.writer.write({ kind: "reverse", order, reason, callbackId: ctx.ids.entry(ctx.clock.now()), notify: "always" });
  ctx.wakeCallbacks();
}
