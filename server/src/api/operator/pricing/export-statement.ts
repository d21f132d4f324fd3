import { z } from "zod";
import type { Job } from "../../../domain/jobs/job.ts";
import type { JobControl } from "../../../domain/jobs/kind.ts";
import { writeCsv } from "../../../domain/jobs/write-csv.ts";
import { isArchivedMonth } from "../../../domain/ledger/archived-months.ts";
import { findPeriodNumbers, NUMBERS_A_PAGE, readPeriodPage } from "../../../domain/ledger/period.ts";
import type { StatementRow } from "../../../domain/ledger/statement.ts";
import { lineFields } from "../../../domain/services/recharge/list-statement.ts";
import { indiaMonthSpan } from "../../../platform/core/india-time.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { StaffWorkContext } from "../jobs/staff-context.ts";

export const STATEMENT_EXPORT = "statement_export";

/** The columns of a month's entries as CSV. */
export const LINE_COLUMNS = [
  ...["entry_id", "at", "type", "amount", "balance_after", "order_id", "urid", "service", "operator", "account", "fee", "narration"],
];

export function lineCells(accountId: string, row: StatementRow): readonly string[] {
  const shown: Readonly<Record<string, unknown>> = {
    ...lineFields(accountId, row),
    operator: row.operator ?? "",
    account: row.target ?? "",
    // The fee included in this entry.
    fee: row.kind === "hold" ? formatMoney(row.fee ?? 0n) : "",
  };
  return LINE_COLUMNS.map((column) => String(shown[column] ?? ""));
}

// Entries after the request are not exported.
const exportInput = z.object({ account_id: z.string(), month: z.string(), at: z.number() });

/** Writes all entries of an account's month as CSV, oldest first. */
export async function exportStatement(ctx: StaffWorkContext, job: Job, control: JobControl): Promise<JsonObject> {
  const { account_id: accountId, month, at } = exportInput.parse(job.input);
  const span = indiaMonthSpan(month);
  if (span === null) throw new Error(`${month} is not a month.`);
  const period = { accountId, ...span, toMilliseconds: Math.min(span.toMilliseconds, at) };
  const { sql } = ctx.ordersOf?.(accountId) ?? ctx.orders;
  const [first, end] = await findPeriodNumbers(sql, period, at);
  const rows = await writeCsv(job, control, {
    columns: LINE_COLUMNS,
    count: async () => Math.max(0, Number(end - first)),
    read: async (after) => {
      const from = after === null ? first : BigInt(after) + 1n;
      const last = from + NUMBERS_A_PAGE - 1n;
      const found = await readPeriodPage(sql, period, from, end);
      const more = last + 1n < end;
      const looked = Math.max(0, Number((more ? last + 1n : end) - from));
      return { looked, rows: found.map((row) => lineCells(accountId, row)), last: String(last), more };
    },
  });
  if (await isArchivedMonth(sql, month)) return { rows: 0, message: `${month} was archived before its file was complete.` };
  return { rows, file: `statement-${accountId}-${month}.csv` };
}
