import { readAccount } from "../../../domain/accounts/read-account.ts";
import { csvLines } from "../../../domain/jobs/csv.ts";
import { readPeriodLines } from "../../../domain/ledger/period.ts";
import type { StatementRow } from "../../../domain/ledger/statement.ts";
import { readMonthStatement } from "../../../domain/pricing/month-statement.ts";
import { lineFields } from "../../../domain/services/recharge/list-statement.ts";
import { listSignedDays } from "../../../domain/signing/store.ts";
import { indiaDate, type Span } from "../../../platform/core/india-time.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import { sendWhileIn } from "../../sites/while-in.ts";
import { EVERYBODY } from "../access.ts";
import { type Action, action, streamAction } from "../action.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { accountParams } from "../fields.ts";
import { noSuch, wrongFields } from "../refusal.ts";
import { statementFileParams, statementQuery } from "./fields.ts";
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
    const of = { accountId, name: found.account.name, month, span, isOver: span.toMilliseconds <= now };
    const [first, last] = [indiaDate(span.fromMilliseconds), indiaDate(span.toMilliseconds - 1)];
    const [statement, signedDays] = await Promise.all([
      readMonthStatement(deps.sql, accountId, span, now),
      listSignedDays(deps.sql, accountId, first, last),
    ]);
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
    reply
      .header("content-type", "text/csv; charset=utf-8")
      .header("content-disposition", `attachment; filename="statement-${accountId}-${month}.csv"`);
    return sendWhileIn(reply, caller.isStillAuthorized, () => csvOf(deps, accountId, span));
  },
});

const COLUMNS = [
  ...["entry_id", "at", "type", "amount", "balance_after", "order_id", "urid", "service", "operator", "account", "fee", "narration"],
];

async function* csvOf(deps: OperatorApiDependencies, accountId: string, span: Span): AsyncGenerator<string> {
  yield csvLines([COLUMNS]);
  for await (const rows of readPeriodLines(deps.sql, { accountId, ...span }, deps.clock.now()))
    yield csvLines(rows.map((row) => cells(accountId, row)));
}

function cells(accountId: string, row: StatementRow): readonly string[] {
  const shown: Readonly<Record<string, unknown>> = {
    ...lineFields(accountId, row),
    operator: row.operator ?? "",
    account: row.target ?? "",
    // The fee included in this entry.
    fee: row.kind === "hold" ? formatMoney(row.fee ?? 0n) : "",
  };
  return COLUMNS.map((column) => String(shown[column] ?? ""));
}

/** Monthly statements of an account: totals that match the ledger, and all entries as CSV. */
export const statementActions: readonly Action[] = [showStatement, downloadStatement];
