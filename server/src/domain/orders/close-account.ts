import { formatMoney } from "../../platform/core/money.ts";
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
    await markClosed(tx, account.account_id, at);
    return { result: { kind: "done" }, audit: { action: "account.closed", details: {} } };
  });
}

function notEmpty(wallet: { readonly available: bigint; readonly held: bigint }): Conflict {
  const [available, held] = [formatMoney(wallet.available), formatMoney(wallet.held)];
  return { kind: "conflict", reason: `The wallet is not empty: ${available} available, ${held} held.` };
}
