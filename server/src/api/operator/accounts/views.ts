import type { z } from "zod";
import type { Conflict, Done, NotFound } from "../../../domain/accounts/context.ts";
import { type AccountDetail, readAccount } from "../../../domain/accounts/read-account.ts";
import type { Catalogue } from "../../../domain/catalog/catalogue.ts";
import type { StatementRow } from "../../../domain/ledger/statement.ts";
import { entryId, readWallet, type WalletView } from "../../../domain/ledger/store.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { conflict, noSuch, type Refusal } from "../refusal.ts";
import type { AccountOutput, walletEntryOutput } from "./outputs.ts";

/** The account after a change, as `GET /accounts/:account_id` shows it. */
export async function changedAccount(
  deps: OperatorApiDependencies,
  accountId: string,
  result: Done | NotFound | Conflict,
): Promise<AccountOutput | Refusal> {
  if (result.kind === "conflict") return conflict(result.reason);
  return result.kind === "not_found" ? noSuch("account") : await accountOrRefusal(deps, accountId);
}

export async function accountOrRefusal(deps: OperatorApiDependencies, accountId: string): Promise<AccountOutput | Refusal> {
  const [detail, wallet] = await Promise.all([readAccount(deps, accountId), readWallet(deps.sql, accountId)]);
  return detail ? accountView(deps.catalogue, detail, wallet) : noSuch("account");
}

export function accountView(
  catalogue: Catalogue,
  { account, signingSecrets, callbackSecretSet }: AccountDetail,
  wallet: WalletView,
): AccountOutput {
  return {
    account_id: account.account_id,
    name: account.name,
    sandbox: account.sandbox,
    standing: account.standing,
    kyc: account.kyc,
    agreement: account.agreement,
    wallet: account.wallet,
    signing_required: account.signing_required,
    money_per_minute: account.money_per_minute,
    get_per_minute: account.get_per_minute,
    daily_limit: account.daily_limit === null ? null : formatMoney(account.daily_limit),
    services: Object.fromEntries(catalogue.services().map(({ service }) => [service, account.services.includes(service)])),
    allowlist: account.allowlist,
    callback_url: account.callback_url,
    complaint_callback_url: account.complaint_callback_url,
    callback_version: account.callback_version,
    callbacks_paused: account.callbacks_paused,
    signing_secrets: signingSecrets.map((secret) => ({
      credential_id: secret.credentialId,
      created_at: time(secret.createdAt),
      expires_at: secret.expiresAt === null ? null : time(secret.expiresAt),
    })),
    callback_secret_set: callbackSecretSet,
    balance: formatMoney(wallet.available),
    held: formatMoney(wallet.held),
    created_at: time(account.created_at),
    closed_at: account.closed_at && time(account.closed_at),
  };
}

/** A wallet entry as its owner sees it. */
export function walletEntryView(accountId: string, row: StatementRow): z.output<typeof walletEntryOutput> {
  return {
    entry_id: entryId(accountId, row.seq),
    kind: row.kind,
    amount: formatMoney(row.amount),
    balance_after: formatMoney(row.available_after),
    order_id: row.order_id,
    urid: row.urid,
    service: row.service,
    operator: row.operator,
    account: row.target,
    note: row.narration,
    at: time(row.at),
  };
}

function time(at: Date): string {
  return indiaDateTime(at.getTime());
}
