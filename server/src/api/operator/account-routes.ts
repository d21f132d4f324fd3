import type { FastifyReply } from "fastify";
import { changeAccount } from "../../domain/accounts/change-account.ts";
import type { Conflict, Done, NotFound } from "../../domain/accounts/context.ts";
import { createAccount } from "../../domain/accounts/create-account.ts";
import { type AccountDetail, listAccounts, readAccount } from "../../domain/accounts/read-account.ts";
import { replaceAllowlist } from "../../domain/accounts/replace-allowlist.ts";
import { switchServices } from "../../domain/accounts/switch-services.ts";
import { readWallet, readWallets, type WalletView } from "../../domain/ledger/store.ts";
import { closeAccount } from "../../domain/orders/close-account.ts";
import { NO_MONEY } from "../../platform/core/money.ts";
import { timeListQuery, toPage, writeTimeCursor } from "../sites/lists.ts";
import { ADMINS, EVERYBODY, may, OPERATIONS } from "./access.ts";
import { actor } from "./caller.ts";
import type { OperatorApiDependencies } from "./dependencies.ts";
import { notFound, refuse, refuseFields } from "./errors.ts";
import {
  type AccountBody,
  accountBody,
  accountFilter,
  accountParams,
  allowlistBody,
  newAccountBody,
  noBody,
  servicesBody,
} from "./fields.ts";
import { accountView } from "./views.ts";
import type { ZodApp } from "./zod-app.ts";

const accountsQuery = timeListQuery.extend(accountFilter);
const NO_WALLET: WalletView = { available: NO_MONEY, held: NO_MONEY };

export function accountRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.post("/accounts", { config: may(OPERATIONS), schema: { body: newAccountBody } }, async (request, reply) => {
    const created = await createAccount(deps, actor(request), request.body);
    if (created.kind === "invalid_name") return refuseFields(reply, { name: "Cannot be a name." });
    return reply.code(201).send({ account_id: created.accountId, api_token: created.apiToken });
  });

  app.get("/accounts", { config: may(EVERYBODY), schema: { querystring: accountsQuery } }, async (request) => {
    const { limit, after, search, standing, sandbox } = request.query;
    const cursor = after ? { createdAt: after.at, accountId: after.id } : null;
    const rows = await listAccounts(deps, { search, standing, sandbox, after: cursor, limit: limit + 1 });
    const wallets = await readWallets(
      deps.sql,
      rows.map((row) => row.account.account_id),
    );
    const view = (row: AccountDetail) => accountView(deps.catalogue, row, wallets.get(row.account.account_id) ?? NO_WALLET);
    return toPage(rows, limit, view, ({ account }) => writeTimeCursor({ at: account.created_at, id: account.account_id }));
  });

  app.get("/accounts/:account_id", { config: may(EVERYBODY), schema: { params: accountParams } }, async (request, reply) => {
    return await answerAccount(deps, reply, request.params.account_id);
  });

  app.post(
    "/accounts/:account_id",
    { config: may(OPERATIONS, "fresh"), schema: { params: accountParams, body: accountBody } },
    async (request, reply) => {
      const wrong = await wrongUrls(deps, request.body);
      if (Object.keys(wrong).length > 0) return refuseFields(reply, wrong);
      const accountId = request.params.account_id;
      return await answerChange(
        deps,
        reply,
        accountId,
        await changeAccount(deps, actor(request), { accountId, ...toChange(request.body) }),
      );
    },
  );

  app.post(
    "/accounts/:account_id/services",
    { config: may(OPERATIONS), schema: { params: accountParams, body: servicesBody } },
    async (request, reply) => {
      const accountId = request.params.account_id;
      const { reason, ...services } = request.body;
      const unknown = Object.keys(services).filter((name) => !deps.catalogue.hasService(name));
      if (unknown.length > 0) return refuseFields(reply, Object.fromEntries(unknown.map((name) => [name, "Is not a service."])));
      return await answerChange(deps, reply, accountId, await switchServices(deps, actor(request), { accountId, services, reason }));
    },
  );

  app.post(
    "/accounts/:account_id/allowlist",
    { config: may(OPERATIONS, "fresh"), schema: { params: accountParams, body: allowlistBody } },
    async (request, reply) => {
      const accountId = request.params.account_id;
      const result = await replaceAllowlist(deps, actor(request), { accountId, ...request.body });
      if (result.kind === "invalid_entry")
        return refuseFields(reply, { entries: `"${result.entry}" is neither an address nor a CIDR range.` });
      return await answerChange(deps, reply, accountId, result);
    },
  );
}

/** Closes an account for ever. */
export function closeRoute(app: ZodApp, deps: OperatorApiDependencies): void {
  app.post(
    "/accounts/:account_id/close",
    { config: may(ADMINS, "fresh"), schema: { params: accountParams, body: noBody } },
    async (request, reply) => {
      const accountId = request.params.account_id;
      const result = await closeAccount(deps, actor(request), { accountId, reason: request.body.reason });
      return await answerChange(deps, reply, accountId, result);
    },
  );
}

/** Answers a change with the account as its GET shows it. */
export async function answerChange(
  deps: OperatorApiDependencies,
  reply: FastifyReply,
  accountId: string,
  result: Done | NotFound | Conflict,
): Promise<FastifyReply> {
  if (result.kind === "conflict") return refuse(reply, "conflict", result.reason);
  return result.kind === "not_found" ? notFound(reply, "account") : await answerAccount(deps, reply, accountId);
}

async function answerAccount(deps: OperatorApiDependencies, reply: FastifyReply, accountId: string): Promise<FastifyReply> {
  const [detail, wallet] = await Promise.all([readAccount(deps, accountId), readWallet(deps.sql, accountId)]);
  return detail ? reply.send(accountView(deps.catalogue, detail, wallet)) : notFound(reply, "account");
}

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
