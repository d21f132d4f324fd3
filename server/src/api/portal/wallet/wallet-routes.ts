import { z } from "zod";
import { readBalances, readStatement } from "../../../domain/ledger/statement.ts";
import { readWallet } from "../../../domain/ledger/store.ts";
import { kindsOf, lineFields, STATEMENT_TYPES } from "../../../domain/services/recharge/list-statement.ts";
import { indiaDate, indiaMidnight } from "../../../platform/core/india-time.ts";
import { formatMoney, NO_MONEY, parseMoney } from "../../../platform/core/money.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { dayField } from "../../sites/days.ts";
import { numberListQuery, toPage, writeNumberCursor } from "../../sites/lists.ts";
import { actorOf, filter } from "../answers.ts";
import type { PortalContext } from "../context.ts";
import { BUILDERS, EVERYBODY, fault, json, memberRoute, type PortalRoute } from "../route.ts";
import { readDayRange } from "../transactions/day-range.ts";
import { type BalanceAlert, changeAlert, readAlert } from "./balance-alert.ts";

type WalletContext = Pick<PortalContext, "sql" | "vault" | "clock" | "ids" | "refresh">;

export function walletRoutes(ctx: WalletContext): readonly PortalRoute[] {
  return [walletRoute(ctx), statementRoute(ctx), lineRoute(ctx), alertRoute(ctx)];
}

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
const CHART_DAYS = 30;

function walletRoute(ctx: WalletContext): PortalRoute {
  return memberRoute({
    method: "GET",
    path: "/wallet",
    does: "Shows the balance, its history of the last days, and the low-balance threshold",
    who: EVERYBODY,
    input: z.object({}),
    handle: async ({ session: { accountId } }) => {
      const [wallet, alert, chart] = await Promise.all([
        readWallet(ctx.sql, accountId),
        readAlert(ctx.sql, accountId),
        readChart(ctx, accountId),
      ]);
      return json({
        balance: formatMoney(wallet.available),
        held: formatMoney(wallet.held),
        ...alertFields(alert),
        below: alert !== null && wallet.available < alert.threshold,
        chart,
      });
    },
  });
}

function alertFields(alert: BalanceAlert | null): JsonObject {
  return { threshold: alert && formatMoney(alert.threshold), mail_to: alert?.emails ?? [] };
}

/** The balance at the end of each day; today's is that of now. */
async function readChart(ctx: WalletContext, accountId: string): Promise<readonly JsonObject[]> {
  const midnight = indiaMidnight(indiaDate(ctx.clock.now())) ?? 0;
  const days = Array.from({ length: CHART_DAYS }, (_, place) => midnight - (CHART_DAYS - 1 - place) * DAY_MILLISECONDS);
  const balances = await readBalances(
    ctx.sql,
    accountId,
    days.map((day) => day + DAY_MILLISECONDS),
  );
  return days.map((day, place) => ({ day: indiaDate(day), balance: formatMoney(balances[place] ?? 0n) }));
}

function statementRoute(ctx: WalletContext): PortalRoute {
  return memberRoute({
    method: "GET",
    path: "/statement",
    does: "Lists every change of the balance, newest first",
    who: EVERYBODY,
    input: numberListQuery.extend({ from: filter(dayField), to: filter(dayField), type: filter(z.enum(STATEMENT_TYPES)) }),
    handle: async ({ session: { accountId }, input }) => {
      const now = ctx.clock.now();
      const days = readDayRange(input, now);
      if ("kind" in days) return days;
      const rows = await readStatement(ctx.sql, {
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
      return json({ items, next });
    },
  });
}

const SEQ = /^[1-9][0-9]{0,17}$/;

function lineRoute(ctx: WalletContext): PortalRoute {
  return memberRoute({
    method: "GET",
    path: "/statement/{entry_id}",
    does: "Shows one change of the balance",
    who: EVERYBODY,
    input: z.object({ entry_id: z.string().max(64) }),
    handle: async ({ session: { accountId }, input: { entry_id: entryId } }) => {
      const own = `${accountId}-`;
      const seq = entryId.startsWith(own) ? entryId.slice(own.length) : "";
      const before = SEQ.test(seq) ? BigInt(seq) + 1n : 0n;
      const all = { fromMilliseconds: 0, toMilliseconds: ctx.clock.now() + DAY_MILLISECONDS, isPast: false };
      const [row] = await readStatement(ctx.sql, { accountId, ...all, before, limit: 1 });
      const line = row && lineFields(accountId, row);
      return line?.["entry_id"] === entryId ? json(line) : fault("not_found", "There is no such line.");
    },
  });
}

const MOST_RECIPIENTS = 10;
const threshold = z
  .string()
  .refine((text) => (parseMoney(text) ?? 0n) > 0n, "Must be an amount greater than zero such as 500 or 500.50.")
  .transform((text) => parseMoney(text) ?? NO_MONEY);

function alertRoute(ctx: WalletContext): PortalRoute {
  return memberRoute({
    method: "POST",
    path: "/wallet/low-balance",
    does: "Sets from which balance on who is mailed; null for none",
    who: BUILDERS,
    input: z.object({
      threshold: threshold.nullable(),
      emails: z
        .array(z.email("Must be an e-mail address.").max(254))
        .max(MOST_RECIPIENTS, `Must be at most ${MOST_RECIPIENTS}.`)
        .default([]),
    }),
    handle: async ({ session, input }) => {
      const emails = [...new Set(input.emails)];
      const alert = input.threshold === null ? null : { threshold: input.threshold, emails };
      const result = await changeAlert(ctx, actorOf(session), { accountId: session.accountId, alert });
      return result.kind === "done" ? json(alertFields(alert)) : fault("not_found", "There is no such account.");
    },
  });
}
