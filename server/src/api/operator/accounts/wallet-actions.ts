import { z } from "zod";
import { readAccount } from "../../../domain/accounts/read-account.ts";
import { readStatement } from "../../../domain/ledger/statement.ts";
import { readWallet } from "../../../domain/ledger/store.ts";
import { topUp } from "../../../domain/orders/top-up.ts";
import { formatMoney, type Money } from "../../../platform/core/money.ts";
import { moneyText } from "../../sites/outputs/output-fields.ts";
import { EVERYBODY, MONEY } from "../access.ts";
import { type Action, action } from "../action.ts";
import { askForWallet } from "../approvals/ask-for-money.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { accountParams, walletBody } from "../fields.ts";
import { conflict, noSuch, type Refusal } from "../refusal.ts";
import { walletEntryOutput } from "./outputs.ts";
import { walletEntryView } from "./views.ts";

const LAST_ENTRIES = 20;
// The clock of another process may be ahead.
const MINUTE_MILLISECONDS = 60_000;

const changeWallet = action({
  path: "POST /accounts/:account_id/wallet",
  summary: "Adds money to a wallet, or takes it out if the amount is negative. The reference makes it idempotent.",
  roles: MONEY,
  proof: "recent",
  params: accountParams,
  body: walletBody,
  output: z.strictObject({ balance: moneyText, entry_id: z.string() }).meta({ id: "WalletChange" }),
  approval: {
    kinds: ["wallet"],
    ask: async ({ deps, caller, params: { account_id: accountId }, body: { amount, reference, note = "", reason } }) =>
      (await closedWallet(deps, accountId, amount)) ?? (await askForWallet(deps, caller, { accountId, amount, reference, note, reason })),
  },
  handler: async ({ deps, actor, params: { account_id: accountId }, body: { amount, reference, note = "", reason } }) => {
    const result = await topUp(deps.orders, actor, { accountId, amount, reference, note, reason });
    if (result.kind === "conflict") return conflict(result.reason);
    return { balance: formatMoney(result.balance), entry_id: result.entryId };
  },
});

/** What a reversal returned to the wallet of a closed account can be paid out. */
async function closedWallet(deps: OperatorApiDependencies, accountId: string, amount: Money): Promise<Refusal | null> {
  const found = await readAccount(deps, accountId);
  if (!found) return noSuch("account");
  return found.account.closed_at && amount > 0n ? conflict("The account is closed.") : null;
}

const showWallet = action({
  path: "GET /accounts/:account_id/wallet",
  summary: "Shows a wallet's balance and its newest entries.",
  roles: EVERYBODY,
  params: accountParams,
  output: z.strictObject({ balance: moneyText, held: moneyText, entries: z.array(walletEntryOutput).readonly() }).meta({ id: "Wallet" }),
  handler: async ({ deps, params: { account_id: accountId } }) => {
    if (!(await readAccount(deps, accountId))) return noSuch("account");
    const toMilliseconds = deps.clock.now() + MINUTE_MILLISECONDS;
    const period = { fromMilliseconds: 0, toMilliseconds, isPast: false, before: null, limit: LAST_ENTRIES };
    const [wallet, entries] = await Promise.all([readWallet(deps.sql, accountId), readStatement(deps.sql, { accountId, ...period })]);
    const shown = entries.map((row) => walletEntryView(accountId, row));
    return { balance: formatMoney(wallet.available), held: formatMoney(wallet.held), entries: shown };
  },
});

/** An account's wallet. */
export const walletActions: readonly Action[] = [changeWallet, showWallet];
