import type { OrderAnswer } from "../../gate/route.ts";
import type { Money } from "../../kernel/money.ts";
import type { Order } from "../../orders/order.ts";

const WORDS = { SUCCESS: "The recharge succeeded.", FAILED: "The recharge failed.", pending: "The recharge is being processed." } as const;

/** What of an order its client is told. */
type ToldOrder = Pick<Order, "state" | "orderId" | "reference" | "operatorRef" | "amountText" | "target" | "reason">;

export function orderAnswer(order: ToldOrder, balance: Money | null): OrderAnswer {
  return {
    kind: "order",
    state: order.state,
    orderId: order.orderId,
    reference: order.reference,
    operatorRef: order.operatorRef,
    amountText: order.amountText,
    target: order.target,
    balance,
    message: order.reason ?? WORDS[order.state],
  };
}
