import { z } from "zod";
import type { Job } from "../../../domain/jobs/job.ts";
import type { JobControl } from "../../../domain/jobs/kind.ts";
import { writeCsv } from "../../../domain/jobs/write-csv.ts";
import { archivedMonthsIn, archivedResult } from "../../../domain/ledger/archived-months.ts";
import type { Order } from "../../../domain/orders/order.ts";
import { ANY_ORDER } from "../../../domain/orders/queries/browse-filter.ts";
import { findReversed } from "../../../domain/orders/queries/browse-orders.ts";
import { countScanned, scanOrdersAfter } from "../../../domain/orders/queries/export-orders.ts";
import { withParts } from "../../../domain/orders/queries/search-orders.ts";
import { failureSentence } from "../../../domain/shared/failure.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import type { WorkContext } from "./kinds.ts";

export const SHOWN_STATUSES = ["SUCCESS", "FAILED", "pending", "Reversed"] as const;

/** The filter and the time range of the export, which ends at the time of the request. */
export const exportInput = z.object({
  from: z.string(),
  to: z.string(),
  from_milliseconds: z.number(),
  to_milliseconds: z.number(),
  status: z.enum(SHOWN_STATUSES).nullable(),
  service: z.string().nullable(),
  // A job that was started by an earlier version has neither.
  operator: z.string().nullable().default(null),
  search: z.string().nullable().default(null),
  circle: z.string().nullable().default(null),
  reason: z.string().nullable().default(null),
});
export type ExportInput = z.infer<typeof exportInput>;

const COLUMNS = [
  ...["order_id", "urid", "service", "operator", "account", "amount", "fee", "status", "shown", "operator_ref", "reason"],
  // New columns are added at the end, for readers that use positions.
  ...["created_at", "updated_at", "commission"],
];
const ORDERS_A_STEP = 2_000;

/** Writes the account's matching orders as CSV, oldest first. */
export async function exportTransactions(ctx: WorkContext, job: Job, hand: JobControl): Promise<JsonObject> {
  const input = exportInput.parse(job.input);
  const { status, service, operator, circle, reason, search, from_milliseconds: fromMilliseconds, to_milliseconds: toMilliseconds } = input;
  const days = { fromMilliseconds, toMilliseconds };
  // The same rules as the list, so that the file has what the list shows.
  const asked = { ...ANY_ORDER, accountId: job.queue, ...days, status, service, operator, circle, reason, search, limit: ORDERS_A_STEP };
  const filter = await withParts(ctx.sql, asked);
  const rows = await writeCsv(job, hand, {
    columns: COLUMNS,
    count: () => countScanned(ctx.sql, filter),
    read: async (after) => {
      const { looked, orders, last } = await scanOrdersAfter(ctx.sql, filter, { after, limit: ORDERS_A_STEP });
      return { looked, rows: await rowsOf(ctx.sql, job.queue, orders), last, more: looked === ORDERS_A_STEP };
    },
  });
  // After the last order, so that a month that left meanwhile is named.
  const archived = await archivedMonthsIn(ctx.sql, days, ctx.clock.now());
  return { rows, file: `transactions-${input.from}-to-${input.to}.csv`, ...archivedResult(rows, archived) };
}

async function rowsOf(sql: Sql, accountId: string, orders: readonly Order[]): Promise<readonly (readonly string[])[]> {
  const reversed = await findReversed(sql, accountId, orders);
  return orders.map((order) => cells(order, reversed.has(order.orderId) ? "Reversed" : order.state));
}

function cells(order: Order, shown: string): readonly string[] {
  return [
    ...[order.orderId, order.reference, order.service, order.operator, order.target, formatMoney(order.amount), formatMoney(order.fee)],
    ...[order.state, shown, order.operatorRef ?? "", failureSentence(order.failure) ?? ""],
    ...[indiaDateTime(order.createdAt), indiaDateTime(order.updatedAt), formatMoney(order.commission)],
  ];
}
