import type { FastifyReply } from "fastify";
import { readAccount } from "../../../domain/accounts/read-account.ts";
import { csvLines } from "../../../domain/jobs/csv.ts";
import { readPeriodLines } from "../../../domain/ledger/period.ts";
import type { StatementRow } from "../../../domain/ledger/statement.ts";
import { readMonthStatement } from "../../../domain/pricing/month-statement.ts";
import { lineFields } from "../../../domain/services/recharge/list-statement.ts";
import type { Span } from "../../../platform/core/india-time.ts";
import { formatMoney, type Money } from "../../../platform/core/money.ts";
import { sendWhileIn } from "../../sites/while-in.ts";
import { EVERYBODY, may } from "../access.ts";
import { caller } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { notFound, refuseFields } from "../errors.ts";
import { accountParams } from "../fields.ts";
import type { ZodApp } from "../zod-app.ts";
import { statementFileParams, statementQuery } from "./fields.ts";
import { statementView } from "./views.ts";

/** Monthly statements of an account: totals that match the ledger, and all entries as CSV. */
export function statementRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.get(
    "/accounts/:account_id/statements",
    { config: may(EVERYBODY), schema: { params: accountParams, querystring: statementQuery } },
    async (request, reply) => {
      const accountId = request.params.account_id;
      const { month, ...span } = request.query.month;
      const found = await readAccount(deps, accountId);
      if (!found) return notFound(reply, "account");
      const now = deps.clock.now();
      if (span.fromMilliseconds > now) return notYet(reply);
      const whose = { accountId, name: found.account.name, month, span, isOver: span.toMilliseconds <= now };
      return reply.send(statementView(deps.catalogue, whose, await readMonthStatement(deps.sql, accountId, span, now)));
    },
  );

  app.get(
    "/accounts/:account_id/statements/:file",
    { config: may(EVERYBODY), schema: { params: statementFileParams } },
    async (request, reply) => {
      const accountId = request.params.account_id;
      const { month, ...span } = request.params.file;
      if (!(await readAccount(deps, accountId))) return notFound(reply, "account");
      reply
        .header("content-type", "text/csv; charset=utf-8")
        .header("content-disposition", `attachment; filename="statement-${accountId}-${month}.csv"`);
      return sendWhileIn(reply, caller(request).isStillAuthorized, () => csvOf(deps, accountId, span));
    },
  );
}

function notYet(reply: FastifyReply): FastifyReply {
  return refuseFields(reply, { month: "Has not begun." });
}

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
    fee: row.kind === "hold" ? formatMoney((row.fee ?? 0n) as Money) : "",
  };
  return COLUMNS.map((column) => String(shown[column] ?? ""));
}
