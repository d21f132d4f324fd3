import type { Finding } from "../upstream/connector.ts";
import type { OrdersContext } from "./context.ts";
import { toldBy } from "./dispatch-order.ts";
import type { Order } from "./order.ts";
import { settleOrder } from "./settle-order.ts";

/** Takes in what a provider says about an order. True when that ended the matter. */
export async function applyFinding(ctx: OrdersContext, order: Order, finding: Finding): Promise<boolean> {
  if (order.state === "FAILED") return true;
  if (order.state === "SUCCESS") {
    // Only the provider's plain word takes a success back.
    if (finding.kind === "reversed") return await takeBack(ctx, order, finding.reason);
    return finding.kind === "succeeded";
  }
  switch (finding.kind) {
    case "succeeded":
      await settleOrder(ctx, null, order, { to: "SUCCESS", reason: null, ...toldBy(finding) });
      return true;
    case "declined":
    case "reversed": {
      const ending = { to: "FAILED", operatorRef: null, reason: finding.reason, ofAttempt: order.attempt } as const;
      const found = await settleOrder(ctx, null, order, ending);
      // Its success was written down only now, after it had been taken back.
      return finding.kind === "reversed" && found?.state === "SUCCESS" ? await takeBack(ctx, found, finding.reason) : true;
    }
    default:
      return false;
  }
}

/** False when the wallet cannot give back what the order paid it: it is asked about again, and in the end a person has to look. */
async function takeBack(ctx: OrdersContext, order: Order, reason: string): Promise<boolean> {
  const written = await ctx.writer.write({
    kind: "reverse",
    order,
    reason,
    callbackId: ctx.ids.entry(ctx.clock.now()),
    notify: "always",
  });
  ctx.wakeCallbacks();
  if (written.kind !== "thin") return true;
  ctx.log.error({ order: order.orderId, account: order.accountId }, "a provider took a credit back that is spent already");
  return false;
}
