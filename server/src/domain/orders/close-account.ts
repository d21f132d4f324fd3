import { orderIdAt } from "../../platform/core/ids.ts";
import { formatMoney } from "../../platform/core/money.ts";
import type { Transaction } from "../../platform/db/connection.ts";
import { changeUnderLock } from "../accounts/account-change.ts";
import type { AccountsContext, Conflict, Done, NotFound, WithReason } from "../accounts/context.ts";
import { markClosed } from "../accounts/store.ts";
import { lockWallets } from "../ledger/store.ts";

export type CloseRequest = WithReason & { readonly accountId: string };

/** Closes an account for good. The wallet must be empty: pay the money out and end all orders first. */
export async function closeAccount(ctx: AccountsContext, actor: string, request: CloseRequest): Promise<Done | NotFound | Conflict> {
  return await changeUnderLock<Done | Conflict>(ctx, actor, request, async (tx, account, at) => {
    if (account.closed_at) return { result: { kind: "conflict", reason: "The account is closed already." }, audit: null };
    // The wallet lock keeps orders out until the account is inactive. After that the empty wallet cannot pay for one.
    const [wallet] = await lockWallets(tx, [account.account_id]);
    if (wallet && (wallet.available !== 0n || wallet.held !== 0n)) return { result: notEmpty(wallet), audit: null };
    const pending = await findPending(tx, account.account_id, at.getTime());
    if (pending !== null) return { result: { kind: "conflict", reason: stillPending(pending) }, audit: null };
    await markClosed(tx, account.account_id, at);
    return { result: { kind: "done" }, audit: { action: "account.closed", details: {} } };
  });
}

// A pending order that nobody works on has a poll by then.
const UNPOLLED_MILLISECONDS = 10 * 60 * 1000;

/** A pending order that holds no money, because its success credits the wallet. */
async function findPending(tx: Transaction, accountId: string, now: number): Promise<string | null> {
  const [row] = await tx<{ order_id: string }[]>`
    select order_id from orders
    where account_id = ${accountId} and order_id >= ${orderIdAt(now - UNPOLLED_MILLISECONDS)} and state = 0
    union all
    select o.order_id from pending_polls p join orders o on o.account_id = p.account_id and o.order_id = p.order_id
    where p.account_id = ${accountId} and o.state = 0
    limit 1`;
  return row?.order_id ?? null;
}

function stillPending(orderId: string): string {
  return `The order ${orderId} is pending and can still credit the wallet. Wait until it ends, or settle it.`;
}

function notEmpty(wallet: { readonly available: bigint; readonly held: bigint }): Conflict {
  const [available, held] = [formatMoney(wallet.available), formatMoney(wallet.held)];
  return { kind: "conflict", reason: `The wallet is not empty: ${available} available, ${held} held.` };
}
