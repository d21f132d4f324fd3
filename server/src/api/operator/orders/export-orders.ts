import { z } from "zod";
import { ACCOUNT_MODES } from "../../../domain/accounts/account-mode.ts";
import { readNames } from "../../../domain/accounts/read-names.ts";
import type { Job } from "../../../domain/jobs/job.ts";
import { type CellOfJob, cellsOfJob, type JobContext, type JobControl } from "../../../domain/jobs/kind.ts";
import { type CsvPiece, writeCsv } from "../../../domain/jobs/write-csv.ts";
import { archivedMonthsIn, archivedResult } from "../../../domain/ledger/archived-months.ts";
import type { Order } from "../../../domain/orders/order.ts";
import type { BrowseFilter } from "../../../domain/orders/queries/browse-filter.ts";
import { findReversed } from "../../../domain/orders/queries/browse-orders.ts";
import { countScanned, type ExportRange, findPageEnd, scanOrdersAfter } from "../../../domain/orders/queries/export-orders.ts";
import { withParts } from "../../../domain/orders/queries/search-orders.ts";
import { staffWords } from "../../../domain/shared/failure.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import { readFrom } from "../../../platform/db/servers/replica.ts";
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

type ExportContext = Pick<JobContext, "sql" | "clock" | "replica" | "allCells">;
type Read = <Result>(query: (from: Sql) => Promise<Result>) => Promise<Result>;

/** Writes the matching orders of all accounts as CSV, oldest first. */
export async function exportOrders(ctx: ExportContext, job: Job, hand: JobControl): Promise<JsonObject> {
  const { at, mode, ...asked } = exportInput.parse(job.input);
  const days = daysOf(asked, at) ?? { fromMilliseconds: 0, toMilliseconds: 0 };
  const whole = { ...filterOf(asked, mode, { ...days, toMilliseconds: Math.min(days.toMilliseconds, at) }, at), before: null, limit: 0 };
  const readers = () => cellsOfJob(ctx).map((cell) => readerOf(cell, ctx.clock.now() - at));
  const inCells = await Promise.all(readers().map((read) => read((from) => withParts(from, whole))));
  // As the list shows it: parts only where no order has the search term as a whole value.
  const filter = { ...whole, searchesParts: inCells.every(({ searchesParts }) => searchesParts === true) };
  const rows = await writeCsv(job, hand, {
    columns: COLUMNS,
    count: async () => sumOf(await Promise.all(readers().map((read) => read((from) => countScanned(from, filter))))),
    read: (after) => readStep(readers(), filter, after),
  });
  // After the last order, so that a month that left meanwhile is named.
  const archived = await Promise.all(cellsOfJob(ctx).map(({ sql }) => archivedMonthsIn(sql, days, ctx.clock.now())));
  const months = [...new Set(archived.flat())].sort();
  return { rows, file: `orders-${asked.from}-to-${asked.to}.csv`, ...archivedResult(rows, months) };
}

/** The replica must have everything up to the time of the request. */
function readerOf({ sql, replica }: CellOfJob, ageMilliseconds: number): Read {
  return (query) => readFrom(replica?.recent(ageMilliseconds / 1000)?.longWork, sql, query);
}

/** The next orders of all cells, up to the nearest end of a full page: further on, a cell may have orders in between. */
async function readStep(readers: readonly Read[], filter: BrowseFilter, after: string | null): Promise<CsvPiece> {
  const range = { after, limit: ORDERS_A_STEP };
  const through = readers.length === 1 ? null : await nearestEnd(readers, filter, range);
  const pages = await Promise.all(readers.map((read) => read((from) => readPage(from, filter, { ...range, through }))));
  // An account that is being moved to another cell is in two of them.
  const rows = new Map(pages.flatMap((page) => page.rows));
  const last =
    pages
      .flatMap((page) => page.last ?? [])
      .sort()
      .at(-1) ?? null;
  const sorted = [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
  const more = through !== null || pages.some((page) => page.looked === ORDERS_A_STEP);
  return { looked: sumOf(pages.map((page) => page.looked)), rows: sorted, last: through ?? last, more };
}

async function nearestEnd(readers: readonly Read[], filter: BrowseFilter, range: ExportRange): Promise<string | null> {
  const ends = await Promise.all(readers.map((read) => read((from) => findPageEnd(from, filter, range))));
  return ends.filter((end) => end !== null).sort()[0] ?? null;
}

type Page = { readonly looked: number; readonly last: string | null; readonly rows: readonly (readonly [string, readonly string[]])[] };

async function readPage(sql: Sql, filter: BrowseFilter, range: ExportRange): Promise<Page> {
  const { looked, orders, last } = await scanOrdersAfter(sql, filter, range);
  const accounts = orders.map((order) => order.accountId);
  const [names, reversed] = await Promise.all([readNames(sql, accounts), findReversed(sql, null, orders)]);
  return { looked, last, rows: orders.map((order) => [order.orderId, cells(order, names, reversed)]) };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
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
