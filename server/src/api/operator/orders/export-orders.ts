import { z } from "zod";
import { ACCOUNT_MODES } from "../../../domain/accounts/account-mode.ts";
import { readNames } from "../../../domain/accounts/read-names.ts";
import type { Job } from "../../../domain/jobs/job.ts";
import type { JobContext, JobControl } from "../../../domain/jobs/kind.ts";
import { type CsvPiece, writeCsv } from "../../../domain/jobs/write-csv.ts";
import type { Order } from "../../../domain/orders/order.ts";
import type { BrowseFilter } from "../../../domain/orders/queries/browse-filter.ts";
import { findReversed } from "../../../domain/orders/queries/browse-orders.ts";
import { countScanned, scanOrdersAfter } from "../../../domain/orders/queries/export-orders.ts";
import { staffWords } from "../../../domain/shared/failure.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import { readFrom } from "../../../platform/db/replica.ts";
import { daysOf } from "../../sites/days.ts";
import { filterOf, orderFilter } from "./order-filter.ts";

// The filter and the time of the request. Later orders are not exported.
const exportInput = orderFilter.extend({
  from: z.string(),
  to: z.string(),
  mode: z.enum(ACCOUNT_MODES).nullable().default(null),
  at: z.number(),
});

const COLUMNS = [
  ...["order_id", "account_id", "account_name", "urid", "service", "operator", "account", "amount", "fee", "status", "shown", "provider"],
  ...["operator_ref", "reason", "created_at", "updated_at"],
];
const ORDERS_A_STEP = 2_000;

type ExportContext = Pick<JobContext, "sql" | "clock" | "replica">;

/** Writes the matching orders of all accounts as CSV, oldest first. */
export async function exportOrders({ sql, clock, replica }: ExportContext, job: Job, hand: JobControl): Promise<JsonObject> {
  const { at, mode, ...asked } = exportInput.parse(job.input);
  const days = daysOf(asked, at) ?? { fromMilliseconds: 0, toMilliseconds: 0 };
  const filter = { ...filterOf(asked, mode, { ...days, toMilliseconds: Math.min(days.toMilliseconds, at) }, at), before: null, limit: 0 };
  // The replica must have everything up to the time of the request.
  const read = <Result>(query: (from: Sql) => Promise<Result>) =>
    readFrom(replica?.recent((clock.now() - at) / 1000)?.longWork, sql, query);
  const rows = await writeCsv(job, hand, {
    columns: COLUMNS,
    count: () => read((from) => countScanned(from, filter)),
    read: (after) => read((from) => readStep(from, filter, after)),
  });
  return { rows, file: `orders-${asked.from}-to-${asked.to}.csv` };
}

async function readStep(sql: Sql, filter: BrowseFilter, after: string | null): Promise<CsvPiece> {
  const { looked, orders, last } = await scanOrdersAfter(sql, filter, after, ORDERS_A_STEP);
  const accounts = orders.map((order) => order.accountId);
  const [names, reversed] = await Promise.all([readNames(sql, accounts), findReversed(sql, null, orders)]);
  return { looked, rows: orders.map((order) => cells(order, names, reversed)), last, more: looked === ORDERS_A_STEP };
}

function cells(order: Order, names: ReadonlyMap<string, string>, reversed: ReadonlySet<string>): readonly string[] {
  const shown = reversed.has(order.orderId) ? "Reversed" : order.state;
  return [
    ...[order.orderId, order.accountId, names.get(order.accountId) ?? "", order.reference, order.service, order.operator, order.target],
    ...[
      formatMoney(order.amount),
      formatMoney(order.fee),
      order.state,
      shown,
      order.provider,
      order.operatorRef ?? "",
      order.failure ? staffWords(order.failure) : "",
    ],
    ...[indiaDateTime(order.createdAt), indiaDateTime(order.updatedAt)],
  ];
}
