import { z } from "zod";
import { replaceToken } from "../../../domain/accounts/credentials/replace-token.ts";
import { readAccount } from "../../../domain/accounts/read-account.ts";
import { createSandboxAccount, findSandboxAccount } from "../../../domain/accounts/sandbox-account.ts";
import { readWallet } from "../../../domain/ledger/store.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { formatMoney, NO_MONEY, parseMoney } from "../../../platform/core/money.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { actorOf } from "../answers.ts";
import { BUILDERS, EVERYBODY, type Fault, fault, json, memberRoute, type PortalAnswer, type PortalRoute } from "../route.ts";
import { readTransaction } from "../transactions/transaction-routes.ts";
import {
  NO_SANDBOX,
  NO_SUCH_ORDER,
  rechargeSandbox,
  reverseSandbox,
  type SandboxContext,
  sandboxOrders,
  settleSandbox,
  takeSettingsOver,
  topUpSandbox,
} from "./sandbox.ts";
import { SIMULATED_RESULTS } from "./simulated-results.ts";

export function sandboxRoutes(ctx: SandboxContext): readonly PortalRoute[] {
  return [
    ...[showRoute(ctx), createRoute(ctx), tokenRoute(ctx), topUpRoute(ctx), rechargeRoute(ctx)],
    ...[settingsRoute(ctx), orderRoute(ctx), settleRoute(ctx), reverseRoute(ctx)],
  ];
}

function answer(result: JsonObject | Fault): PortalAnswer {
  return isFault(result) ? result : json(result);
}

function isFault(result: JsonObject | Fault): result is Fault {
  return result["kind" as keyof typeof result] === "fault";
}

function showRoute(ctx: SandboxContext): PortalRoute {
  return memberRoute({
    method: "GET",
    path: "/sandbox",
    does: "Shows the account's sandbox, its test numbers and its newest transactions",
    who: EVERYBODY,
    input: z.object({}),
    handle: async ({ session }) => {
      const found = await findSandboxAccount(ctx.sql, session.accountId);
      const endings = SIMULATED_RESULTS.map((ending) => ({ ...ending }));
      if (!found) return json({ sandbox_account: null, endings, orders: [] });
      const { sandboxId } = found;
      const [wallet, detail, orders] = await Promise.all([
        readWallet(ctx.sql, sandboxId),
        readAccount(ctx, sandboxId),
        sandboxOrders(ctx, sandboxId),
      ]);
      const sandboxAccount = {
        account_id: sandboxId,
        balance: formatMoney(wallet.available),
        held: formatMoney(wallet.held),
        callback_url: detail?.account.callback_url ?? null,
        complaint_callback_url: detail?.account.complaint_callback_url ?? null,
        allowlist: detail?.account.allowlist ?? [],
        created_at: indiaDateTime(found.createdAt.getTime()),
      };
      return json({ sandbox_account: sandboxAccount, endings, orders });
    },
  });
}

const builders = { method: "POST", who: BUILDERS } as const;

function createRoute(ctx: SandboxContext): PortalRoute {
  return memberRoute({
    ...builders,
    path: "/sandbox/create",
    does: "Creates the account's sandbox and shows its token once",
    stepUp: true,
    input: z.object({}),
    handle: async ({ session }) => {
      const account = ctx.accountById(session.accountId);
      if (!account) return fault("not_found", "There is no such account.");
      const made = await createSandboxAccount(ctx, actorOf(session), account);
      if (made.kind === "conflict") return fault("conflict", made.reason);
      return json({ account_id: made.sandboxId, api_token: made.apiToken });
    },
  });
}

function tokenRoute(ctx: SandboxContext): PortalRoute {
  return memberRoute({
    ...builders,
    path: "/sandbox/token",
    does: "Replaces the sandbox's token and shows the new one once",
    stepUp: true,
    input: z.object({}),
    handle: async ({ session }) => {
      const sandboxAccount = await findSandboxAccount(ctx.sql, session.accountId);
      if (!sandboxAccount) return NO_SANDBOX;
      const replaced = await replaceToken(ctx, actorOf(session), { accountId: sandboxAccount.sandboxId });
      return replaced.kind === "done" ? json({ api_token: replaced.apiToken }) : NO_SANDBOX;
    },
  });
}

function settingsRoute(ctx: SandboxContext): PortalRoute {
  return memberRoute({
    ...builders,
    path: "/sandbox/settings",
    does: "Copies the account's current allowlist and callback URLs to the sandbox",
    stepUp: true,
    input: z.object({}),
    handle: async ({ session }) => {
      const sandboxAccount = await findSandboxAccount(ctx.sql, session.accountId);
      return sandboxAccount ? answer(await takeSettingsOver(ctx, session, sandboxAccount.sandboxId)) : NO_SANDBOX;
    },
  });
}

function topUpRoute(ctx: SandboxContext): PortalRoute {
  return memberRoute({
    ...builders,
    path: "/sandbox/top-up",
    does: "Adds test money to the sandbox's wallet",
    input: z.object({
      amount: z
        .string()
        .refine((text) => (parseMoney(text) ?? 0n) > 0n, "Must be an amount greater than zero such as 500 or 500.50.")
        .transform((text) => parseMoney(text) ?? NO_MONEY),
    }),
    handle: async ({ session, input }) => {
      const sandboxAccount = await findSandboxAccount(ctx.sql, session.accountId);
      return sandboxAccount ? answer(await topUpSandbox(ctx, session, sandboxAccount.sandboxId, input.amount)) : NO_SANDBOX;
    },
  });
}

const DIGITS = SIMULATED_RESULTS.map((ending) => ending.digits);

function rechargeRoute(ctx: SandboxContext): PortalRoute {
  return memberRoute({
    ...builders,
    path: "/sandbox/recharge",
    does: "Creates a recharge in the sandbox with the chosen result",
    input: z.object({
      ending: z.enum(DIGITS, `Must be one of ${DIGITS.join(", ")}.`),
      operator: z.string().max(32).default("AT"),
      amount: z.string().max(32).optional(),
    }),
    handle: async ({ session, input: { ending, operator, amount }, requestId }) => {
      const sandboxAccount = await findSandboxAccount(ctx.sql, session.accountId);
      return sandboxAccount
        ? answer(await rechargeSandbox(ctx, sandboxAccount.sandboxId, { ending, operator, amount }, requestId))
        : NO_SANDBOX;
    },
  });
}

const orderInput = z.object({ order_id: z.string().max(64) });

function orderRoute(ctx: SandboxContext): PortalRoute {
  return memberRoute({
    method: "GET",
    path: "/sandbox/orders/{order_id}",
    does: "Shows a transaction of the sandbox with its history",
    who: EVERYBODY,
    input: orderInput,
    handle: async ({ session, input }) => {
      const sandboxAccount = await findSandboxAccount(ctx.sql, session.accountId);
      const found = sandboxAccount && (await readTransaction(ctx, sandboxAccount.sandboxId, input.order_id));
      return found ? json(found) : NO_SUCH_ORDER;
    },
  });
}

function settleRoute(ctx: SandboxContext): PortalRoute {
  return memberRoute({
    ...builders,
    path: "/sandbox/orders/{order_id}/settle",
    does: "Settles a pending transaction of the sandbox",
    input: orderInput.extend({ status: z.enum(["SUCCESS", "FAILED"]) }),
    handle: async ({ session, input }) => answer(await settleSandbox(ctx, session, input.order_id, input.status)),
  });
}

function reverseRoute(ctx: SandboxContext): PortalRoute {
  return memberRoute({
    ...builders,
    path: "/sandbox/orders/{order_id}/reverse",
    does: "Reverses a successful transaction of the sandbox",
    input: orderInput,
    handle: async ({ session, input }) => answer(await reverseSandbox(ctx, session, input.order_id)),
  });
}
