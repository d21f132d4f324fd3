import { readRules } from "@corprail/server/domain/approvals/rules-store";
import { findTopUps, readWallet } from "@corprail/server/domain/ledger/store";
import { topUp } from "@corprail/server/domain/orders/top-up";
import { createWriter } from "@corprail/server/domain/orders/write/writer";
import { formatMoney, type Money, parseMoney } from "@corprail/server/platform/core/money";
import { isReference } from "@corprail/server/platform/core/reference";
import { createLog } from "@corprail/server/platform/observability/log";
import { actor } from "../shared/actor.ts";
import { confirmed } from "../shared/confirm.ts";
import { type Installation, withInstallation } from "../shared/load-installation.ts";
import { done, failed, type Outcome, UsageFault } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { findAccount, noSuchAccount } from "./installed-account.ts";

export type TopUpOptions = { readonly reference: string; readonly note?: string; readonly yes?: boolean };

const MOST_NOTE = 500;

/** Adds money to a wallet, once for each reference. */
export async function topUpWallet(ctx: CommandContext, accountId: string, amountText: string, options: TopUpOptions): Promise<Outcome> {
  const { reference, note = "", yes = false } = options;
  const amount = readAmount(amountText);
  if (!isReference(reference)) throw new UsageFault("--reference takes 1 to 64 characters of A-Z a-z 0-9 . _ : -");
  if (note.length > MOST_NOTE) throw new UsageFault(`--note takes ${MOST_NOTE} characters at most.`);
  return await withInstallation(
    ctx,
    async (installation) => {
      const { sql } = installation;
      const account = await findAccount(installation, accountId);
      if (!account) return noSuchAccount(accountId);
      if (account.closed_at !== null) return failed(`The account ${accountId} is closed.`);
      const isKnown = (await findTopUps(sql, [{ accountId, reference }])).length > 0;
      const refusal = isKnown ? null : await refuseAlone(installation);
      if (refusal) return refusal;
      const { available } = await readWallet(sql, accountId);
      const question = `This adds ${formatMoney(amount)} rupees to the wallet of ${account.name} (${accountId}), which holds ${formatMoney(available)}.`;
      if (!isKnown) await confirmed(ctx, { question, yes });
      return await add(installation, { accountId, name: account.name, amount, reference, note, isKnown });
    },
    { accountId },
  );
}

function readAmount(text: string): Money {
  const amount = parseMoney(text);
  if (amount === null || amount === 0n) throw new UsageFault("The amount must be rupees greater than zero, such as 5000 or 5000.00.");
  return amount;
}

// A command is run by one person, and several small top-ups could bypass the threshold, so all top-ups are refused.
async function refuseAlone({ sql }: Installation): Promise<Outcome | null> {
  const { walletThreshold } = await readRules(sql);
  if (walletThreshold === null) return null;
  return failed(
    `Four eyes are on: top-ups from ${formatMoney(walletThreshold)} need a second person, and a command has only one. ` +
      "Top up at the console, or with POST /api/operator/v1/accounts/{id}/wallet.",
  );
}

type Adding = {
  readonly accountId: string;
  readonly name: string;
  readonly amount: Money;
  readonly reference: string;
  readonly note: string;
  readonly isKnown: boolean;
};

async function add({ sql, clock, ids }: Installation, { name, isKnown, ...request }: Adding): Promise<Outcome> {
  const writer = createWriter({ connection: sql, sql, clock, processId: ids.entry(clock.now()), log: createLog("silent") });
  const result = await topUp({ writer }, actor(), request);
  if (result.kind === "conflict") return failed(result.reason);
  const balance = formatMoney(result.balance);
  const words = isKnown
    ? `The reference ${request.reference} was used for this before: nothing was added. ${name} has ${balance} rupees.`
    : `${formatMoney(request.amount)} rupees were added. ${name} now has ${balance} rupees.`;
  return done(words, { account_id: request.accountId, balance, entry_id: result.entryId, already_done: isKnown });
}
