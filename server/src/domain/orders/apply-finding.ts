import type { Finding } from "../providers/connector.ts";
import type { OrdersContext } from "./context.ts";
import { successFields } from "./dispatch-order.ts";
import type { Order } from "./order.ts";
import { settleOrder } from "./settle-order.ts";

/** Takes in what a provider says about an order. True when that ended the matter. */
export async function applyFinding(ctx: OrdersContext, order: Order, finding: Finding): Promise<boolean> {
  if (order.state === "FAILED") return true;
  const barred = ctx.providerRegistry.isBarred(order.provider, ctx.isSandbox(order.accountId));
  if (barred && (order.state === "SUCCESS" || order.credit)) return await endBarred(ctx, order, finding);
  if (order.state === "SUCCESS") {
    // Only the provider's plain word takes a success back.
    if (finding.kind === "reversed") return await takeBack(ctx, order, finding.reason);
    return finding.kind === "succeeded";
  }
  switch (finding.kind) {
    case "succeeded":
      await settleOrder(ctx, null, order, { to: "SUCCESS", failure: null, ...successFields(finding) });
      return true;
    case "declined":
    case "reversed": {
      const failure = { code: finding.failure ?? "declined", words: finding.reason };
      const ending = { to: "FAILED", operatorRef: null, failure, ofAttempt: order.attempt } as const;
      const found = await settleOrder(ctx, null, order, ending);
      // Its success was written down only now, after it had been taken back.
      return finding.kind === "reversed" && found?.state === "SUCCESS" ? await takeBack(ctx, found, finding.reason) : true;
    }
    default:
      return false;
  }
}

/**
 * Contract, section 9a: the installation went live, so the simulator takes no success of a live account back and pays nothing
 * into its wallet. What it had not paid yet fails; other orders of the trial end as the simulator says.
 */
async function endBarred(ctx: OrdersContext, order: Order, finding: Finding): Promise<boolean> {
  if (order.state === "SUCCESS") return true;
  if (finding.kind === "pending" || finding.kind === "unknown" || finding.kind === "not_sent") return false;
  const failure = { code: "trial_ended", words: "" } as const;
  await settleOrder(ctx, null, order, { to: "FAILED", operatorRef: null, failure, ofAttempt: order.attempt });
  return true;
}

/** False when the wallet cannot give back what the order paid it: it is asked about again, and in the end a person has to look. */
async function takeBack(ctx: OrdersContext, order: Order, reason: string): Promise<boolean> {
  const written = await ctx.writer.write({
    kind: "reverse",
    order,
    failure: { code: "reversed", words: reason },
    callbackId: ctx.ids.entry(ctx.clock.now()),
    notify: "always",
  });
  ctx.wakeCallbacks();
  if (written.kind !== "thin") return true;
  ctx.log.error({ order: order.orderId, account: order.accountId }, "a provider took a credit back that is spent already");
  return false;
}
