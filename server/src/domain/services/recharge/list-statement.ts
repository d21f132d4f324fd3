import { z } from "zod";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import { type Route, route } from "../../client-api/route.ts";
import { archivedMonthsIn } from "../../ledger/archived-months.ts";
import type { MoveKind } from "../../ledger/moves.ts";
import { readStatement, type StatementRow } from "../../ledger/statement.ts";
import { entryId } from "../../ledger/store.ts";
import { replyAmount } from "../fields.ts";
import { type RechargeContext, SERVICE } from "./context.ts";
import { periodInput, periodPage, readPeriod } from "./period.ts";

// Contract, section 4. Transfers that do not change the available balance are not lines.
const TYPES = {
  hold: "debit",
  void: "refund",
  reversal: "reversal",
  fee_return: "reversal",
  refund: "refund",
  credit: "aeps_credit",
  credit_back: "reversal",
  commission: "commission",
  commission_back: "commission",
  topup: "topup",
  debit: "adjustment",
} as const satisfies Partial<Record<MoveKind, string>>;

export const STATEMENT_TYPES = ["debit", "refund", "reversal", "topup", "adjustment", "aeps_credit", "fee", "commission"] as const;
export type StatementType = (typeof STATEMENT_TYPES)[number];

/** The kinds of transfers that a line type covers. */
export function kindsOf(type: StatementType): readonly string[] {
  return Object.entries(TYPES)
    .filter(([, ofKind]) => ofKind === type)
    .map(([kind]) => kind);
}

/** A line of the statement as the client sees it. */
export const statementLine = z.object({
  entry_id: z.string(),
  at: z.string(),
  type: z.enum(STATEMENT_TYPES),
  amount: replyAmount,
  balance_after: replyAmount,
  order_id: z.string(),
  urid: z.string(),
  service: z.string(),
  narration: z.string(),
});

const SEQ = /^[1-9][0-9]{0,17}$/;

export function listStatement(ctx: RechargeContext): Route {
  return route({
    method: "GET",
    path: "/statement",
    service: SERVICE,
    scope: "account",
    kind: "plain",
    summary: "Lists the changes of the balance, newest first",
    input: z.object(periodInput),
    reply: z.object({ ok: z.literal(true), items: z.array(statementLine), next: z.string().nullable() }),
    handle: async ({ account, input }) => {
      const now = ctx.clock.now();
      const period = readPeriod(input, now, SEQ);
      if (period.kind === "refused") return period;
      const rows = await readStatement(ctx.sql, {
        accountId: account.accountId,
        fromMilliseconds: period.fromMilliseconds,
        toMilliseconds: period.toMilliseconds,
        isPast: period.toMilliseconds <= now,
        before: period.last === null ? null : BigInt(period.last),
        limit: input.limit + 1,
      });
      const { shown, next } = periodPage(rows, input.limit, period, (row) => String(row.seq));
      const archivedMonths = await archivedMonthsIn(ctx.sql, period, now);
      return { kind: "list", items: shown.map((row) => lineFields(account.accountId, row)), next, archivedMonths };
    },
  });
}

export function lineFields(accountId: string, row: StatementRow): z.output<typeof statementLine> {
  return {
    entry_id: entryId(accountId, row.seq),
    at: indiaDateTime(row.at.getTime()),
    type: typeOf(row.kind),
    amount: formatMoney(row.amount),
    balance_after: formatMoney(row.available_after),
    order_id: row.order_id ?? "",
    urid: row.urid ?? "",
    service: row.service ?? "",
    narration: row.order_id === null ? row.narration : narrationOf(row),
  };
}

function narrationOf(row: StatementRow): string {
  const subject = `${PREFIXES[row.kind] ?? ""}${row.service} ${row.operator} ${row.target}`;
  return row.kind === "hold" && row.fee ? `${subject}, fee ${formatMoney(row.fee)} included` : subject;
}

const PREFIXES: Readonly<Record<string, string>> = {
  void: "Failed: ",
  reversal: "Reversed: ",
  fee_return: "Fee returned: ",
  commission: "Commission: ",
  commission_back: "Commission taken back: ",
};

function typeOf(kind: string): StatementType {
  const known: Readonly<Record<string, StatementType>> = TYPES;
  return known[kind] ?? "adjustment";
}
