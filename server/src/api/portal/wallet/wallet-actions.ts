import { z } from "zod";
import { listArchivedMonths } from "../../../domain/ledger/archived-months.ts";
import { readBalances, readStatement } from "../../../domain/ledger/statement.ts";
import { readWallet } from "../../../domain/ledger/store.ts";
import { kindsOf, lineFields, STATEMENT_TYPES, statementLine } from "../../../domain/services/recharge/list-statement.ts";
import { indiaDate, indiaMidnight } from "../../../platform/core/india-time.ts";
import { formatMoney, NO_MONEY, parseMoney } from "../../../platform/core/money.ts";
import { noSuch, Refusal } from "../../sites/actions/refusal.ts";
import { proofRefusal } from "../../sites/actions/site-gate.ts";
import { archivedMonthOutput, archivedMonthView } from "../../sites/archived-months.ts";
import { dayField } from "../../sites/days.ts";
import { numberListQuery, toPage, writeNumberCursor } from "../../sites/lists.ts";
import { listOf, moneyText } from "../../sites/outputs/output-fields.ts";
import { BUILDERS, EVERYBODY } from "../access.ts";
import { action, type PortalAction } from "../action.ts";
import { actorOf, filter } from "../answers.ts";
import type { PortalContext } from "../context.ts";
import { readDayRange } from "../transactions/day-range.ts";
import { type BalanceAlert, changeAlert, readAlert } from "./balance-alert.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
const CHART_DAYS = 30;

/** The low-balance threshold and who is emailed. */
const lowBalanceOutput = z
  .strictObject({ threshold: moneyText.nullable(), mail_to: z.array(z.string()).readonly() })
  .meta({ id: "LowBalanceAlert" });

const chartOutput = z.array(z.strictObject({ day: z.string(), balance: moneyText })).readonly();

const walletOutput = z
  .strictObject({
    balance: moneyText,
    held: moneyText,
    ...lowBalanceOutput.shape,
    below: z.boolean().describe("Whether the balance is below the threshold."),
    chart: chartOutput.describe("The balance at the end of each day; today's is that of now."),
  })
  .meta({ id: "Wallet" });

const showWallet = action({
  path: "GET /wallet",
  summary: "Shows the balance, its history of the last days, and the low-balance threshold.",
  roles: EVERYBODY,
  input: z.object({}),
  output: walletOutput,
  handler: async ({ deps, session: { accountId } }) => {
    const [wallet, alert, chart] = await Promise.all([
      readWallet(deps.sql, accountId),
      readAlert(deps.sql, accountId),
      readChart(deps, accountId),
    ]);
    return {
      balance: formatMoney(wallet.available),
      held: formatMoney(wallet.held),
      ...alertFields(alert),
      below: alert !== null && wallet.available < alert.threshold,
      chart,
    };
  },
});

function alertFields(alert: BalanceAlert | null): z.output<typeof lowBalanceOutput> {
  return { threshold: alert && formatMoney(alert.threshold), mail_to: alert?.emails ?? [] };
}

async function readChart(ctx: Pick<PortalContext, "sql" | "clock">, accountId: string): Promise<z.output<typeof chartOutput>> {
  const midnight = indiaMidnight(indiaDate(ctx.clock.now())) ?? 0;
  const days = Array.from({ length: CHART_DAYS }, (_, place) => midnight - (CHART_DAYS - 1 - place) * DAY_MILLISECONDS);
  const balances = await readBalances(
    ctx.sql,
    accountId,
    days.map((day) => day + DAY_MILLISECONDS),
  );
  return days.map((day, place) => ({ day: indiaDate(day), balance: formatMoney(balances[place] ?? 0n) }));
}

/** A change of the balance, with the fields of the client API. */
const lineOutput = z.strictObject(statementLine.shape).meta({ id: "StatementLine" });

const browseStatement = action({
  path: "GET /statement",
  summary: "Lists every change of the balance, newest first.",
  roles: EVERYBODY,
  input: numberListQuery.extend({ from: filter(dayField), to: filter(dayField), type: filter(z.enum(STATEMENT_TYPES)) }),
  output: listOf(lineOutput),
  handler: async ({ deps, session: { accountId }, input }) => {
    const now = deps.clock.now();
    const days = readDayRange(input, now);
    if (days instanceof Refusal) return days;
    const rows = await readStatement(deps.sql, {
      accountId,
      ...days,
      isPast: days.toMilliseconds <= now,
      before: input.after ?? null,
      limit: input.limit + 1,
      ...(input.type === undefined ? {} : { kinds: kindsOf(input.type) }),
    });
    const { items, next } = toPage(
      rows,
      input.limit,
      (row) => lineFields(accountId, row),
      (row) => writeNumberCursor(row.seq),
    );
    return { items, next };
  },
});

const SEQ = /^[1-9][0-9]{0,17}$/;

const showLine = action({
  path: "GET /statement/:entry_id",
  summary: "Shows one change of the balance.",
  roles: EVERYBODY,
  input: z.object({ entry_id: z.string().max(64) }),
  output: lineOutput,
  handler: async ({ deps, session: { accountId }, input: { entry_id: entryId } }) => {
    const own = `${accountId}-`;
    const seq = entryId.startsWith(own) ? entryId.slice(own.length) : "";
    const before = SEQ.test(seq) ? BigInt(seq) + 1n : 0n;
    const all = { fromMilliseconds: 0, toMilliseconds: deps.clock.now() + DAY_MILLISECONDS, isPast: false };
    const [row] = await readStatement(deps.sql, { accountId, ...all, before, limit: 1 });
    const line = row && lineFields(accountId, row);
    return line?.entry_id === entryId ? line : noSuch("line");
  },
});

const showArchivedMonths = action({
  path: "GET /archived-months",
  summary: "Lists the months whose transactions and statement lines are archived and no longer listed, newest first.",
  roles: EVERYBODY,
  input: z.object({}),
  output: z.strictObject({ items: z.array(archivedMonthOutput).readonly() }),
  handler: async ({ deps }) => ({ items: (await listArchivedMonths(deps.sql)).map(archivedMonthView) }),
});

const MOST_RECIPIENTS = 10;
const threshold = z
  .string()
  .refine((text) => (parseMoney(text) ?? 0n) > 0n, "Must be an amount greater than zero such as 500 or 500.50.")
  .transform((text) => parseMoney(text) ?? NO_MONEY);

const setLowBalance = action({
  path: "POST /wallet/low-balance",
  summary: "Sets the low-balance threshold and who is emailed; null switches it off. Other recipients need a recent proof of identity.",
  roles: BUILDERS,
  input: z.object({
    threshold: threshold.nullable(),
    emails: z.array(z.email("Must be an email address.").max(254)).max(MOST_RECIPIENTS, `Must be at most ${MOST_RECIPIENTS}.`).default([]),
  }),
  output: lowBalanceOutput,
  handler: async ({ deps, session, input }) => {
    const emails = [...new Set(input.emails)];
    const alert = input.threshold === null ? null : { threshold: input.threshold, emails };
    const { emails: before = [] } = (await readAlert(deps.sql, session.accountId)) ?? {};
    const refusal = isSameGroup(before, alert?.emails ?? []) ? null : proofRefusal(deps.clock, session);
    if (refusal !== null) return refusal;
    const result = await changeAlert(deps, actorOf(session), { accountId: session.accountId, alert });
    return result.kind === "done" ? alertFields(alert) : noSuch("account");
  },
});

function isSameGroup(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one));
}

export const walletActions: readonly PortalAction[] = [showWallet, browseStatement, showLine, showArchivedMonths, setLowBalance];
