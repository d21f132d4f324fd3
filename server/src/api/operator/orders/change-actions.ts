import type { z } from "zod";
import {
  type ManualChangeResult,
  refundConflict,
  refundManually,
  reverseConflict,
  reverseManually,
  settleConflict,
  settleManually,
} from "../../../domain/orders/change-manually.ts";
import type { Order } from "../../../domain/orders/order.ts";
import { requeryOrder } from "../../../domain/orders/recovery/requery-order.ts";
import { cancelConflict, cancelManually } from "../../../domain/services/bus/cancellations/cancel-manually.ts";
import { settleCancellation } from "../../../domain/services/bus/cancellations/settle-cancellation.ts";
import { SETTLERS } from "../access.ts";
import { type Action, action } from "../action.ts";
import { askForCancellation, askForOrder } from "../approvals/ask-for-money.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { noBody, orderParams, reasonBody, settleBody, settleCancellationBody } from "../fields.ts";
import { conflict, noSuch } from "../refusal.ts";
import { orderOutput, requeriedOrderOutput } from "./outputs.ts";
import { readOrder } from "./read-order.ts";

const change = { roles: SETTLERS, proof: "recent", params: orderParams, output: orderOutput } as const;
const changeForReason = { ...change, body: reasonBody } as const;

const settleOrder = action({
  ...change,
  path: "POST /orders/:order_id/settle",
  summary: "Gives an order in doubt its final state.",
  body: settleBody,
  approval: {
    kinds: ["settle"],
    ask: ({ deps, caller, params, body: { status, operator_ref, reason } }) => {
      const inputOf = ({ attempt }: Order) => ({ status, operator_ref: operator_ref ?? null, reason, attempt });
      return askForOrder(deps, caller, { kind: "settle", orderId: params.order_id, inputOf, conflictOf: settleConflict });
    },
  },
  handler: async ({ deps, actor, params, body: { status, operator_ref, reason } }) => {
    const input = { orderId: params.order_id, to: status, operatorRef: operator_ref ?? null, reason };
    return await changed(deps, params.order_id, await settleManually(deps.orders, actor, input));
  },
});

const reverseOrder = action({
  ...changeForReason,
  path: "POST /orders/:order_id/reverse",
  summary: "Reverses a successful order: it becomes FAILED and its money is returned.",
  approval: {
    kinds: ["reverse"],
    ask: ({ deps, caller, params, body }) =>
      askForOrder(deps, caller, { kind: "reverse", orderId: params.order_id, inputOf: () => body, conflictOf: reverseConflict }),
  },
  handler: async ({ deps, actor, params, body }) =>
    await changed(deps, params.order_id, await reverseManually(deps.orders, actor, { orderId: params.order_id, reason: body.reason })),
});

const refundOrder = action({
  ...changeForReason,
  path: "POST /orders/:order_id/refund",
  summary: "Refunds a successful money transfer with its fee: it becomes FAILED.",
  approval: {
    kinds: ["refund"],
    ask: ({ deps, caller, params, body }) =>
      askForOrder(deps, caller, { kind: "refund", orderId: params.order_id, inputOf: () => body, conflictOf: refundConflict }),
  },
  handler: async ({ deps, actor, params, body }) =>
    await changed(deps, params.order_id, await refundManually(deps.orders, actor, { orderId: params.order_id, reason: body.reason })),
});

const cancelOrder = action({
  ...changeForReason,
  path: "POST /orders/:order_id/cancel",
  summary: "Cancels a bus ticket at its provider and refunds what the provider returns.",
  approval: {
    kinds: ["cancel"],
    ask: ({ deps, caller, params, body }) =>
      askForOrder(deps, caller, { kind: "cancel", orderId: params.order_id, inputOf: () => body, conflictOf: cancelConflict }),
  },
  handler: async ({ deps, actor, params, body }) => {
    const ctx = { ...deps.orders, providerServices: deps.providerServices, seats: deps.seats };
    return await changed(deps, params.order_id, await cancelManually(ctx, actor, { orderId: params.order_id, reason: body.reason }));
  },
});

const settleCancelledTicket = action({
  ...change,
  path: "POST /orders/:order_id/settle-cancellation",
  summary: "Ends a bus cancellation whose provider does not say whether it carried it out.",
  body: settleCancellationBody,
  approval: {
    kinds: ["cancel"],
    ask: ({ deps, caller, params, body }) => askForCancellation(deps, caller, settlementOf(params.order_id, body)),
  },
  handler: async ({ deps, actor, params, body }) => {
    const ctx = { ...deps.orders, providerServices: deps.providerServices, seats: deps.seats };
    return await changed(deps, params.order_id, await settleCancellation(ctx, actor, settlementOf(params.order_id, body)));
  },
});

function settlementOf(orderId: string, { cancel_id: cancelId, outcome, reason }: z.output<typeof settleCancellationBody>) {
  return { orderId, cancelId, outcome, reason };
}

const requery = action({
  path: "POST /orders/:order_id/requery",
  summary: "Asks the provider for the order's state now.",
  roles: SETTLERS,
  params: orderParams,
  body: noBody,
  output: requeriedOrderOutput,
  handler: async ({ deps, actor, params, body }) => {
    const result = await requeryOrder(deps.orders, actor, params.order_id, body.reason);
    if (result.kind === "conflict") return conflict(result.reason);
    const order = result.kind === "not_found" ? null : await readOrder(deps, params.order_id);
    if (result.kind === "not_found" || order === null) return noSuch("order");
    const { provider, said, detail, applied } = result;
    return { ...order, finding: { provider, said, detail, applied } };
  },
});

async function changed(deps: OperatorApiDependencies, orderId: string, result: ManualChangeResult) {
  if (result.kind === "conflict") return conflict(result.reason);
  return (result.kind === "not_found" ? null : await readOrder(deps, orderId)) ?? noSuch("order");
}

/** Manual changes of orders. */
export const orderChangeActions: readonly Action[] = [settleOrder, reverseOrder, refundOrder, cancelOrder, settleCancelledTicket, requery];
