import { z } from "zod";
import { replaceToken } from "../../../domain/accounts/credentials/replace-token.ts";
import { readAccount } from "../../../domain/accounts/read-account.ts";
import { createSandboxAccount, findSandboxAccount } from "../../../domain/accounts/sandbox-account.ts";
import { readWallet } from "../../../domain/ledger/store.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { formatMoney, NO_MONEY, parseMoney } from "../../../platform/core/money.ts";
import { conflict, noSuch } from "../../sites/actions/refusal.ts";
import { BUILDERS, EVERYBODY } from "../access.ts";
import { action, type PortalAction } from "../action.ts";
import { actorOf } from "../answers.ts";
import { urlRefusal } from "../integration/callback-settings-actions.ts";
import { newTokenOutput } from "../integration/outputs.ts";
import { transactionDetailOutput } from "../transactions/outputs.ts";
import { readTransaction } from "../transactions/transaction-actions.ts";
import { DIGITS, newSandboxOutput, sandboxOrderOutput, sandboxOutput, sandboxSettingsOutput, sandboxTopUpOutput } from "./outputs.ts";
import {
  copyAllowlistToSandbox,
  FIRST_TEST_MONEY,
  NO_SANDBOX,
  NO_SUCH_ORDER,
  rechargeSandbox,
  reverseSandbox,
  sandboxOrders,
  setSandboxUrls,
  settleSandbox,
  topUpSandbox,
} from "./sandbox.ts";
import { SIMULATED_RESULTS } from "./simulated-results.ts";

const showSandbox = action({
  path: "GET /sandbox",
  summary: "Shows the account's sandbox, its test numbers and its newest transactions.",
  ofClient: true,
  roles: EVERYBODY,
  input: z.object({}),
  output: sandboxOutput,
  handler: async ({ deps, session }) => {
    const found = await findSandboxAccount(deps.sql, session.accountId);
    const endings = SIMULATED_RESULTS.map((ending) => ({ ...ending }));
    if (!found) return { sandbox_account: null, endings, orders: [] };
    const { sandboxId } = found;
    const [wallet, detail, orders] = await Promise.all([
      readWallet(deps.sql, sandboxId),
      readAccount(deps, sandboxId),
      sandboxOrders(deps, sandboxId),
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
    return { sandbox_account: sandboxAccount, endings, orders };
  },
});

const createSandbox = action({
  path: "POST /sandbox/create",
  summary: "Creates the account's sandbox and shows its token once.",
  ofClient: true,
  roles: BUILDERS,
  proof: "recent",
  input: z.object({}),
  output: newSandboxOutput,
  handler: async ({ deps, session }) => {
    const account = deps.accountById(session.accountId);
    if (!account) return noSuch("account");
    const made = await createSandboxAccount(deps, actorOf(session), account);
    if (made.kind === "conflict") return conflict(made.reason);
    await topUpSandbox(deps, session, made.sandboxId, FIRST_TEST_MONEY);
    return { account_id: made.sandboxId, api_token: made.apiToken };
  },
});

const replaceSandboxToken = action({
  path: "POST /sandbox/token",
  summary: "Replaces the sandbox's token and shows the new one once.",
  ofClient: true,
  roles: BUILDERS,
  proof: "recent",
  input: z.object({}),
  output: newTokenOutput,
  handler: async ({ deps, session }) => {
    const sandboxAccount = await findSandboxAccount(deps.sql, session.accountId);
    if (!sandboxAccount) return NO_SANDBOX;
    const replaced = await replaceToken(deps, actorOf(session), { accountId: sandboxAccount.sandboxId });
    return replaced.kind === "done" ? { api_token: replaced.apiToken } : NO_SANDBOX;
  },
});

const copyAllowlist = action({
  path: "POST /sandbox/allowlist",
  summary: "Copies the account's current allowlist to the sandbox.",
  ofClient: true,
  roles: BUILDERS,
  proof: "recent",
  input: z.object({}),
  output: sandboxSettingsOutput,
  handler: async ({ deps, session }) => {
    const sandboxAccount = await findSandboxAccount(deps.sql, session.accountId);
    return sandboxAccount ? await copyAllowlistToSandbox(deps, session, sandboxAccount.sandboxId) : NO_SANDBOX;
  },
});

const sandboxUrl = z.string().max(2_000).nullable();

const setUrls = action({
  path: "POST /sandbox/urls",
  summary: "Sets or removes the URLs that the sandbox's callbacks go to.",
  ofClient: true,
  roles: BUILDERS,
  proof: "recent",
  input: z.strictObject({ callback_url: sandboxUrl, complaint_callback_url: sandboxUrl }),
  output: sandboxSettingsOutput,
  handler: async ({ deps, session, input }) => {
    const sandboxAccount = await findSandboxAccount(deps.sql, session.accountId);
    if (!sandboxAccount) return NO_SANDBOX;
    return (await urlRefusal(deps, input)) ?? (await setSandboxUrls(deps, session, sandboxAccount.sandboxId, input));
  },
});

const topUp = action({
  path: "POST /sandbox/top-up",
  summary: "Adds test money to the sandbox's wallet.",
  ofClient: true,
  roles: BUILDERS,
  input: z.object({
    amount: z
      .string()
      .refine((text) => (parseMoney(text) ?? 0n) > 0n, "Must be an amount greater than zero such as 500 or 500.50.")
      .transform((text) => parseMoney(text) ?? NO_MONEY),
  }),
  output: sandboxTopUpOutput,
  handler: async ({ deps, session, input }) => {
    const sandboxAccount = await findSandboxAccount(deps.sql, session.accountId);
    return sandboxAccount ? await topUpSandbox(deps, session, sandboxAccount.sandboxId, input.amount) : NO_SANDBOX;
  },
});

const recharge = action({
  path: "POST /sandbox/recharge",
  summary: "Creates a recharge in the sandbox with the chosen result.",
  ofClient: true,
  roles: BUILDERS,
  input: z.object({
    ending: z.enum(DIGITS, `Must be one of ${DIGITS.join(", ")}.`),
    operator: z.string().max(32).default("AT"),
    amount: z.string().max(32).optional(),
  }),
  output: sandboxOrderOutput,
  handler: async ({ deps, session, input: { ending, operator, amount }, requestId }) => {
    const sandboxAccount = await findSandboxAccount(deps.sql, session.accountId);
    return sandboxAccount ? await rechargeSandbox(deps, sandboxAccount.sandboxId, { ending, operator, amount }, requestId) : NO_SANDBOX;
  },
});

const orderInput = z.object({ order_id: z.string().max(64) });

const showOrder = action({
  path: "GET /sandbox/orders/:order_id",
  summary: "Shows a transaction of the sandbox with its history.",
  ofClient: true,
  roles: EVERYBODY,
  input: orderInput,
  output: transactionDetailOutput,
  handler: async ({ deps, session, input }) => {
    const sandboxAccount = await findSandboxAccount(deps.sql, session.accountId);
    const found = sandboxAccount && (await readTransaction(deps, sandboxAccount.sandboxId, input.order_id));
    return found ?? NO_SUCH_ORDER;
  },
});

const settle = action({
  path: "POST /sandbox/orders/:order_id/settle",
  summary: "Settles a pending transaction of the sandbox.",
  ofClient: true,
  roles: BUILDERS,
  input: orderInput.extend({ status: z.enum(["SUCCESS", "FAILED"]) }),
  output: sandboxOrderOutput,
  handler: async ({ deps, session, input }) => await settleSandbox(deps, session, input.order_id, input.status),
});

const reverse = action({
  path: "POST /sandbox/orders/:order_id/reverse",
  summary: "Reverses a successful transaction of the sandbox.",
  ofClient: true,
  roles: BUILDERS,
  input: orderInput,
  output: sandboxOrderOutput,
  handler: async ({ deps, session, input }) => await reverseSandbox(deps, session, input.order_id),
});

/** The account's sandbox, in which no real money moves. */
export const sandboxActions: readonly PortalAction[] = [
  ...[showSandbox, createSandbox, replaceSandboxToken, topUp, recharge],
  ...[copyAllowlist, setUrls, showOrder, settle, reverse],
];
