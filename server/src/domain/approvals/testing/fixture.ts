import { formatMoney } from "../../../platform/core/money.ts";
import { createLog } from "../../../platform/observability/log.ts";
import { newAccount, type TestSettings, testSettings } from "../../accounts/testing/settings.ts";
import { type BuiltOrder, buildOrder } from "../../complaints/testing/build-order.ts";
import { checkLedger } from "../../ledger/invariants.ts";
import { readWallet } from "../../ledger/store.ts";
import type { OrdersContext } from "../../orders/context.ts";
import { contextOf, money } from "../../orders/testing/fixture.ts";
import { topUp } from "../../orders/top-up.ts";
import { simulatedServices } from "../../services/testing/simulated-services.ts";
import type { Approval, Asked, Asker } from "../approval.ts";
import { askApproval } from "../ask-approval.ts";
import type { ApprovalsContext } from "../context.ts";
import { actionExecutors } from "../executors/action-executors.ts";

export type ApprovalsFixture = {
  readonly settings: TestSettings;
  readonly ctx: ApprovalsContext;
  readonly orders: OrdersContext;
  /** Creates an account with this many rupees. */
  readonly account: (rupees?: number) => Promise<string>;
  readonly order: (accountId: string, wanted?: Partial<BuiltOrder>) => Promise<string>;
  /** The available balance in rupees. */
  readonly balance: (accountId: string) => Promise<number>;
  /** Requests an approval that must be accepted. */
  readonly ask: (asker: Asker, asked: Asked) => Promise<Approval>;
  readonly violations: () => Promise<number>;
  readonly close: () => Promise<void>;
};

export async function createApprovalsFixture(): Promise<ApprovalsFixture> {
  const settings = await testSettings();
  const { sql } = settings.database;
  const orders = contextOf(sql, sql, settings.clock);
  const providerServices = simulatedServices(settings.clock);
  const ctx: ApprovalsContext = { ...settings.ctx, log: createLog("silent"), executors: actionExecutors({ ...orders, providerServices }) };
  return {
    settings,
    ctx,
    orders,
    account: async (rupees = 0) => {
      const { accountId } = await newAccount(settings.ctx);
      if (rupees > 0) await topUp(orders, "test", { accountId, amount: money(rupees), reference: "first", note: "" });
      return accountId;
    },
    order: (accountId, wanted = {}) => buildOrder(orders, accountId, wanted),
    balance: async (accountId) => Number((await readWallet(sql, accountId)).available) / 10_000,
    ask: async (asker, asked) => {
      const result = await askApproval(ctx, asker, asked);
      if (result.kind !== "waits") throw new Error(`The approval was not taken: ${result.reason}`);
      return result.approval;
    },
    violations: async () => (await checkLedger(sql)).reduce((sum, check) => sum + check.violations, 0),
    close: settings.close,
  };
}

export function staff(name: string): Asker {
  return { kind: "staff", actor: `staff:${name}`, person: `staff:${name}` };
}

/** A top-up, or a debit when the rupees are negative. */
export function walletMove(accountId: string, rupees: number, reference: string): Asked {
  const amount = money(rupees);
  const input = { amount: formatMoney(amount), reference, note: "by transfer" };
  return { kind: "wallet", about: `wallet ${accountId} ${reference}`, input, amount, accountId, orderId: null };
}

export function orderMove(kind: "settle" | "reverse" | "refund", accountId: string, orderId: string, input: Asked["input"] = {}): Asked {
  return { kind, about: `order ${orderId}`, input: { reason: "as agreed", ...input }, amount: money(10), accountId, orderId };
}
