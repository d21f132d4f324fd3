import type { Catalogue } from "../../../domain/catalog/catalogue.ts";
import type { Order, OrderState } from "../../../domain/orders/order.ts";
import { staffWords } from "../../../domain/shared/failure.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { formatMoney } from "../../../platform/core/money.ts";

/** Facts about an order from other tables. */
export type Around = { readonly accountName: string; readonly operatorName: string; readonly reversed: boolean };

/** An order in a list of staff, with the staff member who handles it. */
export type Listed = Around & { readonly assignedTo: string | null };

export function aroundOrder(catalogue: Catalogue, names: ReadonlyMap<string, string>, reversed: ReadonlySet<string>, order: Order): Around {
  return {
    accountName: names.get(order.accountId) ?? order.accountId,
    operatorName: catalogue.operator(order.operator)?.name ?? order.operator,
    reversed: reversed.has(order.orderId),
  };
}

/** An order in a list. */
export function orderFields(order: Order, around: Listed) {
  return {
    order_id: order.orderId,
    account_id: order.accountId,
    account_name: around.accountName,
    service: order.service,
    urid: order.reference,
    status: order.state,
    shown: shownState(order, around),
    amount: formatMoney(order.amount),
    fee: formatMoney(order.fee),
    account: order.target,
    operator: order.operator,
    operator_name: around.operatorName,
    provider: order.provider,
    operator_ref: order.operatorRef,
    reason: order.failure && staffWords(order.failure),
    created_at: indiaDateTime(order.createdAt),
    updated_at: indiaDateTime(order.updatedAt),
    assigned_to: around.assignedTo,
  };
}

/** FAILED after SUCCESS reads Reversed. */
export function shownState(order: Order, { reversed }: Around): OrderState | "Reversed" {
  return reversed ? "Reversed" : order.state;
}
