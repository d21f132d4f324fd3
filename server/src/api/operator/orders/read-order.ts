import type { z } from "zod";
import { readNames } from "../../../domain/accounts/read-names.ts";
import { listAudit } from "../../../domain/audit/list.ts";
import { callbackFields } from "../../../domain/callbacks/queries/callback-fields.ts";
import { readAttempts, readOrderCallbacks } from "../../../domain/callbacks/queries/read-callbacks.ts";
import { findOfOrder } from "../../../domain/complaints/store.ts";
import { eventFields, timelineOf } from "../../../domain/complaints/timeline.ts";
import type { Order } from "../../../domain/orders/order.ts";
import { findReversed } from "../../../domain/orders/queries/browse-orders.ts";
import { readHistory } from "../../../domain/orders/queries/read-history.ts";
import { findById } from "../../../domain/orders/store.ts";
import { type Cancellation, findUnfinishedOfOrder } from "../../../domain/services/bus/cancellations/cancel-store.ts";
import { SERVICE as BUS } from "../../../domain/services/bus/context.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import { complaintView } from "../complaints/views.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { readEvidence } from "./evidence.ts";
import { aroundOrder, shownState } from "./order-fields.ts";
import { orderView } from "./order-view.ts";
import type { orderOutput } from "./outputs.ts";

type OrderDetail = z.output<typeof orderOutput>;

// More manual changes of one order do not occur.
const MAX_MANUAL_CHANGES = 100;

/** Reads an order with its postings, attempts, callbacks and complaints; null if there is none. */
export async function readOrder(deps: OperatorApiDependencies, orderId: string): Promise<OrderDetail | null> {
  const order = await findById(deps.sql, orderId);
  return order && (await readWhole(deps, order));
}

async function readWhole(deps: OperatorApiDependencies, order: Order): Promise<OrderDetail> {
  const { sql } = deps;
  const [history, names, reversed, complaints, callbacks, manualChanges, evidenceOf, cancellations] = await Promise.all([
    readHistory(sql, order),
    readNames(sql, [order.accountId]),
    findReversed(sql, order.accountId, [order]),
    findOfOrder(sql, order),
    readCallbacks(sql, order),
    listAudit(sql, { before: null, limit: MAX_MANUAL_CHANGES, subject: { kind: "order", id: order.orderId } }),
    readEvidence(sql, order),
    order.service === BUS ? findUnfinishedOfOrder(sql, order) : [],
  ]);
  const around = aroundOrder(deps.catalogue, names, reversed, order);
  const view = orderView(order, history);
  return {
    ...view,
    order: {
      ...view.order,
      amount_exact: formatMoney(order.amount),
      account_name: around.accountName,
      operator_name: around.operatorName,
      shown: shownState(order, around),
      call: order.operation,
      credit: order.credit,
      refunded: order.refunded === null ? null : formatMoney(order.refunded),
    },
    attempts: view.attempts.map((attempt) => ({ ...attempt, ...evidenceOf(attempt.attempt), asked: askedFields(order) })),
    callbacks: callbacks.map(({ row }) => callbackFields(row)),
    complaints: complaints.map(complaintView),
    cancellations: cancellations.map(cancellationFields),
    timeline: timelineOf({ order, reversed: around.reversed, history, complaints, callbacks, manualChanges }).map(eventFields),
  };
}

function cancellationFields({ cancelId, seats, refund, askedTimes, nextAt, doubt, createdAt }: Cancellation) {
  return {
    ...{ cancel_id: cancelId, seats, refund_amount: formatMoney(refund), asked_times: askedTimes, doubt },
    next_at: indiaDateTime(nextAt),
    created_at: indiaDateTime(createdAt),
  };
}

/** The request fields that providers receive. Nothing else of an order leaves the installation. */
function askedFields(order: Order) {
  return {
    reference: order.orderId,
    service: order.service,
    operator: order.operator,
    account: order.target,
    amount: formatMoney(order.amount),
    circle: order.circle,
  };
}

async function readCallbacks(sql: Sql, { accountId, orderId }: Order) {
  const rows = await readOrderCallbacks(sql, accountId, orderId);
  return await Promise.all(rows.map(async (row) => ({ row, attempts: await readAttempts(sql, row) })));
}
