import { z } from "zod";
import { readAccount } from "../../../domain/accounts/read-account.ts";
import { csvLines } from "../../../domain/jobs/csv.ts";
import { isArchivedMonth } from "../../../domain/ledger/archived-months.ts";
import { readPeriodLines } from "../../../domain/ledger/period.ts";
import { readMonthStatement } from "../../../domain/pricing/month-statement.ts";
import { listSignedDays } from "../../../domain/signing/store.ts";
import { indiaDate, type Span } from "../../../platform/core/india-time.ts";
import { archivedFile } from "../../sites/archived-months.ts";
import { EVERYBODY, WORKERS } from "../access.ts";
import { type Action, action, streamAction } from "../action.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { CSV, download } from "../download.ts";
import { accountParams, id } from "../fields.ts";
import { jobOutput } from "../jobs/outputs.ts";
import { startStaffJob } from "../jobs/start-staff-job.ts";
import { noSuch, wrongFields } from "../refusal.ts";
import { LINE_COLUMNS, lineCells, STATEMENT_EXPORT } from "./export-statement.ts";
import { month, statementFileParams, statementQuery } from "./fields.ts";
import { statementOutput } from "./outputs.ts";
import { statementView } from "./views.ts";

const showStatement = action({
  path: "GET /accounts/:account_id/statements",
  summary: "Shows an account's monthly statement.",
  roles: EVERYBODY,
  params: accountParams,
  query: statementQuery,
  output: statementOutput,
  handler: async ({ deps, params: { account_id: accountId }, query }) => {
    const { month, ...span } = query.month;
    const found = await readAccount(deps, accountId);
    if (!found) return noSuch("account");
    const now = deps.clock.now();
    if (span.fromMilliseconds > now) return wrongFields({ month: "Has not begun." });
    const [first, last] = [indiaDate(span.fromMilliseconds), indiaDate(span.toMilliseconds - 1)];
    const [statement, signedDays, isArchived] = await Promise.all([
      readMonthStatement(deps.sql, accountId, month),
      listSignedDays(deps.sql, accountId, first, last),
      isArchivedMonth(deps.sql, month),
    ]);
    const of = { accountId, name: found.account.name, month, span, isOver: span.toMilliseconds <= now, isArchived };
    return statementView(deps.catalogue, of, statement, signedDays);
  },
});

const downloadStatement = streamAction({
  path: "GET /accounts/:account_id/statements/:file",
  summary: "Downloads all entries of an account's month.",
  roles: EVERYBODY,
  params: statementFileParams,
  mediaType: "text/csv",
  handler: async ({ deps, caller, params: { account_id: accountId, file } }, reply) => {
    const { month, ...span } = file;
    if (!(await readAccount(deps, accountId))) return noSuch("account");
    if (await isArchivedMonth(deps.sql, month)) return archivedFile(accountId, month);
    const name = `statement-${accountId}-${month}.csv`;
    return download(deps, caller, reply, { name, mediaType: CSV, content: csvOf(deps, accountId, span) });
  },
});

async function* csvOf(deps: OperatorApiDependencies, accountId: string, span: Span): AsyncGenerator<string> {
  yield csvLines([LINE_COLUMNS]);
  for await (const rows of readPeriodLines(deps.longWork ?? deps.sql, { accountId, ...span }, deps.clock.now()))
    yield csvLines(rows.map((row) => lineCells(accountId, row)));
}

const startExport = action({
  path: "POST /statement-exports",
  summary: "Starts a job that writes all entries of an account's month to a CSV file.",
  roles: WORKERS,
  body: z.strictObject({ account_id: id, month }),
  output: jobOutput,
  handler: async ({ deps, actor, body: { account_id: accountId, month: asked } }) => {
    const own = deps.cells?.ofAccount(accountId) ?? deps;
    if (!(await readAccount(own, accountId))) return noSuch("account");
    if (await isArchivedMonth(own.sql, asked.month)) return archivedFile(accountId, asked.month);
    const input = { account_id: accountId, month: asked.month, at: deps.clock.now() };
    const subject = { kind: "account", id: accountId } as const;
    return await startStaffJob(deps, actor, { kind: STATEMENT_EXPORT, input, action: "statement.exported", subject });
  },
});

/** Monthly statements of an account: totals that match the ledger, and all entries as CSV. */
export const statementActions: readonly Action[] = [showStatement, downloadStatement, startExport];
