import type { Money } from "../../platform/core/money.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Catalogue } from "../catalog/catalogue.ts";
import type { OrderAnswer } from "../client-api/route.ts";
import type { Order } from "../orders/order.ts";
import { failureSentence } from "../shared/failure.ts";

const WORDS = { SUCCESS: "succeeded", FAILED: "failed", pending: "is being processed" } as const;

/** The fields of an order that its client sees. */
type AnsweredOrder = Pick<Order, "state" | "orderId" | "reference" | "operatorRef" | "amountText" | "target" | "failure">;

/** `noun` is the service's word for a transaction. */
export function orderAnswer(order: AnsweredOrder, noun: string, balance: Money | null, onSent?: OrderAnswer["onSent"]): OrderAnswer {
  return {
    kind: "order",
    state: order.state,
    orderId: order.orderId,
    reference: order.reference,
    operatorRef: order.operatorRef,
    amountText: order.amountText,
    target: order.target,
    balance,
    message: failureSentence(order.failure) ?? `The ${noun} ${WORDS[order.state]}.`,
    signed: undefined,
    onSent,
  };
}

/** The same with the additional fields of signed services; `block` is the service's own part, under its own name. */
export function signedAnswer(order: Order, noun: string, balance: Money | null, block: JsonObject): OrderAnswer {
  const { service, fee, createdAt, updatedAt } = order;
  return { ...orderAnswer(order, noun, balance), signed: { service, fee, createdAt, updatedAt, block } };
}

/** The word for an order in a list, also for orders of a service that no longer exists. */
export function nounOf(catalogue: Catalogue, service: string): string {
  return catalogue.hasService(service) ? catalogue.service(service).transaction : "transaction";
}
