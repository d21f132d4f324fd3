import type { z } from "zod";
import { changeAccount } from "../../../domain/accounts/change-account.ts";
import { readAccount } from "../../../domain/accounts/read-account.ts";
import { replaceAllowlist } from "../../../domain/accounts/replace-allowlist.ts";
import { findSandboxAccount, readLiveUrls } from "../../../domain/accounts/sandbox-account.ts";
import { readWallet } from "../../../domain/ledger/store.ts";
import { type ManualChangeResult, reverseManually, settleManually } from "../../../domain/orders/change-manually.ts";
import type { FinalState } from "../../../domain/orders/order.ts";
import { ANY_ORDER } from "../../../domain/orders/queries/browse-filter.ts";
import { browseOrders, findReversed } from "../../../domain/orders/queries/browse-orders.ts";
import { findById } from "../../../domain/orders/store.ts";
import { topUp } from "../../../domain/orders/top-up.ts";
import { createRecharge } from "../../../domain/services/recharge/create-recharge.ts";
import { formatMoney, type Money, moneyOf, parseMoney } from "../../../platform/core/money.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import { conflict, Refusal, wrongFields } from "../../sites/actions/refusal.ts";
import { actorOf, changeRefusal } from "../answers.ts";
import { clientRefusal } from "../client-refusal.ts";
import type { PortalContext } from "../context.ts";
import type { Session } from "../session.ts";
import { transactionFields } from "../transactions/transaction-fields.ts";
import type { sandboxOrderOutput, sandboxSettingsOutput, sandboxTopUpOutput, sandboxTransactionsOutput } from "./outputs.ts";

export type SandboxContext = Pick<PortalContext, "sql" | "vault" | "clock" | "ids" | "refresh" | "catalogue" | "orders" | "accountById">;

export const NO_SANDBOX = new Refusal("not_found", "The account has no sandbox yet. Create it first.");
export const NO_SUCH_ORDER = new Refusal("not_found", "There is no such transaction in the sandbox.");
type SandboxOrder = z.output<typeof sandboxOrderOutput>;
const SHOWN_ORDERS = 20;
const YEAR_3000 = Date.UTC(3000, 0, 1);

/** The newest transactions of a sandbox. */
export async function sandboxOrders(ctx: SandboxContext, sandboxId: string): Promise<z.output<typeof sandboxTransactionsOutput>> {
  const all = { ...ANY_ORDER, fromMilliseconds: 0, toMilliseconds: YEAR_3000 };
  const { orders } = await browseOrders(ctx.sql, { accountId: sandboxId, ...all, limit: SHOWN_ORDERS }, ctx.clock.now());
  const reversed = await findReversed(ctx.sql, sandboxId, orders);
  return orders.map((order) => transactionFields(ctx.catalogue, order, reversed.has(order.orderId)));
}

/** Copies the account's current allowlist, which may have changed since the sandbox was created. */
export async function copyAllowlistToSandbox(
  ctx: SandboxContext,
  session: Session,
  sandboxId: string,
): Promise<z.output<typeof sandboxSettingsOutput> | Refusal> {
  const live = await readAccount(ctx, session.accountId);
  if (!live) return NO_SANDBOX;
  await replaceAllowlist(ctx, actorOf(session), { accountId: sandboxId, entries: live.account.allowlist });
  return await readSandboxSettings(ctx, sandboxId);
}

export type SandboxUrls = Readonly<Record<"callback_url" | "complaint_callback_url", string | null>>;

/** Sets where the sandbox's callbacks go. The live account's receivers are refused, because they would book test results. */
export async function setSandboxUrls(
  ctx: SandboxContext,
  session: Session,
  sandboxId: string,
  urls: SandboxUrls,
): Promise<z.output<typeof sandboxSettingsOutput> | Refusal> {
  const refusal = await liveReceiverRefusal(ctx.sql, sandboxId, urls);
  if (refusal) return refusal;
  const change = { accountId: sandboxId, callbackUrl: urls.callback_url, complaintCallbackUrl: urls.complaint_callback_url };
  return changeRefusal(await changeAccount(ctx, actorOf(session), change)) ?? (await readSandboxSettings(ctx, sandboxId));
}

/** Refuses the receivers of the live account, because they would book test results as live ones. */
export async function liveReceiverRefusal(
  sql: Sql,
  sandboxId: string,
  urls: Readonly<Record<string, string | null | undefined>>,
): Promise<Refusal | null> {
  const taken = await readLiveUrls(sql, sandboxId);
  const same = Object.entries(urls).filter(([, url]) => typeof url === "string" && taken.includes(url));
  return same.length === 0 ? null : wrongFields(Object.fromEntries(same.map(([name]) => [name, LIVE_RECEIVER])));
}

const LIVE_RECEIVER =
  "This is a URL of the live account. Give the sandbox a receiver of its own, so that no test result is booked as a live one.";

async function readSandboxSettings(ctx: SandboxContext, sandboxId: string): Promise<z.output<typeof sandboxSettingsOutput> | Refusal> {
  const sandbox = await readAccount(ctx, sandboxId);
  if (!sandbox) return NO_SANDBOX;
  const { allowlist, callback_url: callbackUrl, complaint_callback_url: complaintCallbackUrl } = sandbox.account;
  return { allowlist: [...allowlist], callback_url: callbackUrl, complaint_callback_url: complaintCallbackUrl };
}

/** What a new sandbox has to try with. */
export const FIRST_TEST_MONEY = moneyOf(100_000_000n);

const MOST_TOP_UP = 1_000_000_000n;
const MOST_BALANCE = 10_000_000_000n;

/** Adds test money, within limits. */
export async function topUpSandbox(
  ctx: SandboxContext,
  session: Session,
  sandboxId: string,
  amount: Money,
): Promise<z.output<typeof sandboxTopUpOutput> | Refusal> {
  const { available } = await readWallet(ctx.sql, sandboxId);
  if (amount > MOST_TOP_UP || available + amount > MOST_BALANCE) {
    const [once, full] = [formatMoney(MOST_TOP_UP), formatMoney(MOST_BALANCE)];
    return conflict(`A sandbox top-up can be at most ${once}, and the balance at most ${full}.`);
  }
  const reference = `sandbox-${ctx.ids.entry(ctx.clock.now())}`;
  const result = await topUp(ctx.orders, actorOf(session), { accountId: sandboxId, amount, reference, note: "Sandbox top-up" });
  return result.kind === "conflict" ? conflict(result.reason) : { balance: formatMoney(result.balance) };
}

export type Trial = { readonly ending: string; readonly operator: string; readonly amount: string | undefined };

/** Creates a recharge as a client's request would, without the gate. */
export async function rechargeSandbox(
  ctx: SandboxContext,
  sandboxId: string,
  trial: Trial,
  requestId: string,
): Promise<SandboxOrder | Refusal> {
  const account = ctx.accountById(sandboxId);
  const operator = ctx.catalogue.operator(trial.operator);
  if (!account) return conflict("The sandbox is being created. Try again in a moment.");
  if (!operator) return wrongFields({ operator: "There is no such operator." });
  const amount = trial.amount ?? formatMoney(operator.minAmount);
  if ((parseMoney(amount) ?? 0n) <= 0n) return wrongFields({ amount: "Must be an amount greater than zero such as 10 or 10.50." });
  const target = operator.accountExample.slice(0, -trial.ending.length) + trial.ending;
  const input = { account: target, operator: operator.operator, amount, urid: `SBX-${ctx.ids.entry(ctx.clock.now())}` };
  const answer = await createRecharge({ ...ctx.orders, catalogue: ctx.catalogue }).handle({ account, input, requestId });
  if (answer.kind === "refused") return clientRefusal(answer);
  if (answer.kind === "failed") return clientRefusal(answer.refusal);
  if (answer.kind !== "order") throw new Error(`A recharge was answered ${answer.kind}.`);
  answer.onSent?.(true);
  return await readSandboxOrder(ctx, sandboxId, answer.orderId);
}

export async function settleSandbox(
  ctx: SandboxContext,
  session: Session,
  orderId: string,
  to: FinalState,
): Promise<SandboxOrder | Refusal> {
  const operatorRef = to === "SUCCESS" ? `SBX${ctx.ids.request().slice(0, 12)}` : null;
  const reason = to === "SUCCESS" ? "Settled in the sandbox." : "Failed in the sandbox.";
  return await changeOrder(ctx, session, orderId, (actor) => settleManually(ctx.orders, actor, { orderId, to, operatorRef, reason }));
}

export async function reverseSandbox(ctx: SandboxContext, session: Session, orderId: string): Promise<SandboxOrder | Refusal> {
  return await changeOrder(ctx, session, orderId, (actor) =>
    reverseManually(ctx.orders, actor, { orderId, reason: "Reversed in the sandbox." }),
  );
}

/** An account may make manual changes only to orders of its own sandbox. */
async function changeOrder(
  ctx: SandboxContext,
  session: Session,
  orderId: string,
  change: (actor: string) => Promise<ManualChangeResult>,
): Promise<SandboxOrder | Refusal> {
  const sandboxAccount = await findSandboxAccount(ctx.sql, session.accountId);
  if (!sandboxAccount || !(await findById(ctx.sql, orderId, sandboxAccount.sandboxId))) return NO_SUCH_ORDER;
  const result = await change(actorOf(session));
  if (result.kind === "conflict") return conflict(result.reason);
  return result.kind === "done" ? await readSandboxOrder(ctx, sandboxAccount.sandboxId, orderId) : NO_SUCH_ORDER;
}

async function readSandboxOrder(ctx: SandboxContext, sandboxId: string, orderId: string): Promise<SandboxOrder | Refusal> {
  const order = await findById(ctx.sql, orderId, sandboxId);
  if (!order) return NO_SUCH_ORDER;
  const reversed = await findReversed(ctx.sql, sandboxId, [order]);
  return { transaction: transactionFields(ctx.catalogue, order, reversed.has(orderId)) };
}
