import { z } from "zod";
import { changeAccount } from "../../../domain/accounts/change-account.ts";
import { createAccount } from "../../../domain/accounts/create-account.ts";
import { type AccountDetail, listAccounts } from "../../../domain/accounts/read-account.ts";
import { replaceAllowlist } from "../../../domain/accounts/replace-allowlist.ts";
import { switchServices } from "../../../domain/accounts/switch-services.ts";
import { readWallets, type WalletView } from "../../../domain/ledger/store.ts";
import { refuseDirectApproval } from "../../../domain/onboarding/review-onboarding.ts";
import { closeAccount } from "../../../domain/orders/close-account.ts";
import { NO_MONEY } from "../../../platform/core/money.ts";
import type { Transaction } from "../../../platform/db/connection.ts";
import { timeListQuery, toPage, writeTimeCursor } from "../../sites/lists.ts";
import { pageOf } from "../../sites/outputs/output-fields.ts";
import { ADMINS, EVERYBODY, OPERATIONS } from "../access.ts";
import { type Action, action } from "../action.ts";
import { MERGED_LIST } from "../cell-rules.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import {
  type AccountBody,
  accountBody,
  accountFilter,
  accountParams,
  allowlistBody,
  newAccountBody,
  noBody,
  servicesBody,
} from "../fields.ts";
import { wrongFields } from "../refusal.ts";
import { accountOutput } from "./outputs.ts";
import { accountOrRefusal, accountView, changedAccount } from "./views.ts";

const NO_WALLET: WalletView = { available: NO_MONEY, held: NO_MONEY };

const addAccount = action({
  path: "POST /accounts",
  summary: "Creates an account. The reply shows its token, once.",
  roles: OPERATIONS,
  inTestMode: true,
  body: newAccountBody,
  output: z.strictObject({ account_id: z.string(), api_token: z.string() }).meta({ id: "CreatedAccount" }),
  status: 201,
  cells: "new account",
  handler: async ({ deps, caller: { mode }, actor, body }) => {
    if (mode !== null && body.sandbox !== (mode === "test")) return wrongFields({ sandbox: `Must be ${mode === "test"} in ${mode} mode.` });
    const created = await createAccount(deps, actor, body);
    if (created.kind === "invalid_name") return wrongFields({ name: "Cannot be a name." });
    return { account_id: created.accountId, api_token: created.apiToken };
  },
});

const browseAccounts = action({
  path: "GET /accounts",
  summary: "Lists the accounts, newest first.",
  roles: EVERYBODY,
  query: timeListQuery.extend(accountFilter),
  output: pageOf(accountOutput),
  cells: MERGED_LIST,
  handler: async ({ deps, caller: { mode }, query: { limit, after, search, standing, sandbox: asked } }) => {
    const sandbox = mode === null ? asked : mode === "test";
    const cursor = after ? { createdAt: after.at, accountId: after.id } : null;
    const rows = await listAccounts(deps, { search, standing, sandbox, after: cursor, limit: limit + 1 });
    const accountIds = rows.map((row) => row.account.account_id);
    const wallets = await readWallets(deps.sql, accountIds);
    const view = (row: AccountDetail) => accountView(deps.catalogue, row, wallets.get(row.account.account_id) ?? NO_WALLET);
    return toPage(rows, limit, view, ({ account }) => writeTimeCursor({ at: account.created_at, id: account.account_id }));
  },
});

const showAccount = action({
  path: "GET /accounts/:account_id",
  summary: "Shows an account with its settings and its balance.",
  roles: EVERYBODY,
  params: accountParams,
  output: accountOutput,
  handler: async ({ deps, params }) => await accountOrRefusal(deps, params.account_id),
});

const updateAccount = action({
  path: "POST /accounts/:account_id",
  summary: "Changes settings of an account. Fields that are absent stay unchanged.",
  roles: OPERATIONS,
  proof: "recent",
  params: accountParams,
  body: accountBody,
  output: accountOutput,
  handler: async ({ deps, actor, params: { account_id: accountId }, body }) => {
    const wrong = await wrongUrls(deps, body);
    if (Object.keys(wrong).length > 0) return wrongFields(wrong);
    const guard = (tx: Transaction) => refuseDirectApproval(tx, accountId, body);
    return await changedAccount(deps, accountId, await changeAccount(deps, actor, { accountId, ...toChange(body), guard }));
  },
});

const setServices = action({
  path: "POST /accounts/:account_id/services",
  summary: "Switches services of an account on or off, by their names.",
  roles: OPERATIONS,
  params: accountParams,
  body: servicesBody,
  output: accountOutput,
  handler: async ({ deps, actor, params: { account_id: accountId }, body: { reason, ...services } }) => {
    const unknown = Object.keys(services).filter((name) => !deps.catalogue.hasService(name));
    if (unknown.length > 0) return wrongFields(Object.fromEntries(unknown.map((name) => [name, "Is not a service."])));
    return await changedAccount(deps, accountId, await switchServices(deps, actor, { accountId, services, reason }));
  },
});

const setAllowlist = action({
  path: "POST /accounts/:account_id/allowlist",
  summary: "Replaces the addresses from which an account may call the client API.",
  roles: OPERATIONS,
  proof: "recent",
  params: accountParams,
  body: allowlistBody,
  output: accountOutput,
  handler: async ({ deps, actor, params: { account_id: accountId }, body }) => {
    const result = await replaceAllowlist(deps, actor, { accountId, ...body });
    if (result.kind === "invalid_entry") return wrongFields({ entries: `"${result.entry}" is neither an address nor a CIDR range.` });
    return await changedAccount(deps, accountId, result);
  },
});

const close = action({
  path: "POST /accounts/:account_id/close",
  summary: "Closes an account for ever.",
  roles: ADMINS,
  proof: "recent",
  params: accountParams,
  body: noBody,
  output: accountOutput,
  handler: async ({ deps, actor, params: { account_id: accountId }, body: { reason } }) =>
    await changedAccount(deps, accountId, await closeAccount(deps, actor, { accountId, reason })),
});

// Checked before the transaction, because DNS may be slow.
async function wrongUrls(deps: OperatorApiDependencies, body: AccountBody): Promise<Record<string, string>> {
  const names = ["callback_url", "complaint_callback_url"] as const;
  const checked = await Promise.all(
    names.map(async (name) => {
      const url = body[name];
      return [name, typeof url === "string" ? await deps.checkCallbackUrl(url) : null] as const;
    }),
  );
  return Object.fromEntries(checked.flatMap(([name, why]) => (why === null ? [] : [[name, why]])));
}

function toChange(body: AccountBody) {
  return {
    standing: body.standing,
    kyc: body.kyc,
    agreement: body.agreement,
    wallet: body.wallet,
    signingRequired: body.signing_required,
    moneyPerMinute: body.money_per_minute,
    getPerMinute: body.get_per_minute,
    dailyLimit: body.daily_limit,
    callbackUrl: body.callback_url,
    complaintCallbackUrl: body.complaint_callback_url,
    callbackVersion: body.callback_version,
    reason: body.reason,
  };
}

/** Accounts and their settings. */
export const accountActions: readonly Action[] = [addAccount, browseAccounts, showAccount, updateAccount, setServices, setAllowlist, close];
