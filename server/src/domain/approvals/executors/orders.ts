import { type ManualChangeResult, refundManually, reverseManually, settleManually } from "../../orders/change-manually.ts";
import type { OrdersContext } from "../../orders/context.ts";
import type { Agreed } from "../approval.ts";
import type { Executor } from "../context.ts";
import { text } from "./input.ts";
import { manualChangeContext, outcomeOf } from "./manual-change-context.ts";

/** Settles a pending order manually. */
export function settleExecutor(ctx: OrdersContext): Executor {
  return {
    run: async (tx, one, at) => {
      const to = text(one.input, "status") === "SUCCESS" ? "SUCCESS" : "FAILED";
      const operatorRef = text(one.input, "operator_ref") || null;
      const request = { orderId: orderOf(one), to, operatorRef, reason: text(one.input, "reason") } as const;
      return outcomeOf(await settleManually(manualChangeContext(ctx, tx, one, at), one.decidedBy, request), to);
    },
    after: () => ctx.wakeCallbacks(),
  };
}

type Reversal = typeof reverseManually;

function reversalExecutor(ctx: OrdersContext, reverse: Reversal): Executor {
  return {
    run: async (tx, one, at) => {
      const request = { orderId: orderOf(one), reason: text(one.input, "reason") };
      const result: ManualChangeResult = await reverse(manualChangeContext(ctx, tx, one, at), one.decidedBy, request);
      return outcomeOf(result, "FAILED");
    },
    after: () => ctx.wakeCallbacks(),
  };
}

export function reverseExecutor(ctx: OrdersContext): Executor {
  return reversalExecutor(ctx, reverseManually);
}

export function refundExecutor(ctx: OrdersContext): Executor {
  return reversalExecutor(ctx, refundManually);
}

export function orderOf(one: Agreed): string {
  if (one.orderId === null) throw new Error(`The approval ${one.approvalId} names no order.`);
  return one.orderId;
}
