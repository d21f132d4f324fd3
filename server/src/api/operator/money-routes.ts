import type { FastifyReply } from "fastify";
import { readAccount } from "../../domain/accounts/read-account.ts";
import { readStatement } from "../../domain/ledger/statement.ts";
import { readWallet } from "../../domain/ledger/store.ts";
import {
  type ManualChangeResult,
  refundConflict,
  refundManually,
  reverseConflict,
  reverseManually,
  settleConflict,
  settleManually,
} from "../../domain/orders/change-manually.ts";
import { closeAccount } from "../../domain/orders/close-account.ts";
import { topUp } from "../../domain/orders/top-up.ts";
import { cancelConflict, cancelManually } from "../../domain/services/bus/cancel-manually.ts";
import { formatMoney } from "../../platform/core/money.ts";
import { ADMINS, EVERYBODY, MONEY, may, SETTLERS } from "./access.ts";
import { answerChange } from "./account-routes.ts";
import { answerWithApproval, requireOrderApproval, requireWalletApproval } from "./approvals/require-approval.ts";
import { actor } from "./caller.ts";
import type { OperatorApiDependencies } from "./dependencies.ts";
import { notFound, refuse } from "./errors.ts";
import { accountParams, noBody, orderParams, reasonBody, settleBody, walletBody } from "./fields.ts";
import { answerOrder } from "./orders/answer-order.ts";
import { walletEntryView } from "./views.ts";
import type { ZodApp } from "./zod-app.ts";

const LAST_ENTRIES = 20;
// The clock of another process may be ahead.
const A_MINUTE = 60_000;

export function moneyRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.post(
    "/accounts/:account_id/wallet",
    { config: may(MONEY, "fresh"), schema: { params: accountParams, body: walletBody } },
    async (request, reply) => {
      const accountId = request.params.account_id;
      const found = await readAccount(deps, accountId);
      if (!found) return notFound(reply, "account");
      if (found.account.closed_at) return refuse(reply, "conflict", "The account is closed.");
      const { amount, reference, note, reason } = request.body;
      const held = await requireWalletApproval({ deps, request }, { accountId, amount, reference, note: note ?? "", reason });
      if (held) return await answerWithApproval({ deps, request }, reply, held);
      const result = await topUp(deps.orders, actor(request), { accountId, amount, reference, note: note ?? "", reason });
      if (result.kind === "conflict") return refuse(reply, "conflict", result.reason);
      return reply.send({ balance: formatMoney(result.balance), entry_id: result.entryId });
    },
  );

  app.get("/accounts/:account_id/wallet", { config: may(EVERYBODY), schema: { params: accountParams } }, async (request, reply) => {
    const accountId = request.params.account_id;
    if (!(await readAccount(deps, accountId))) return notFound(reply, "account");
    const period = { fromMilliseconds: 0, toMilliseconds: deps.clock.now() + A_MINUTE, isPast: false, before: null, limit: LAST_ENTRIES };
    const [wallet, entries] = await Promise.all([readWallet(deps.sql, accountId), readStatement(deps.sql, { accountId, ...period })]);
    const shown = entries.map((row) => walletEntryView(accountId, row));
    return reply.send({ balance: formatMoney(wallet.available), held: formatMoney(wallet.held), entries: shown });
  });

  app.post(
    "/accounts/:account_id/close",
    { config: may(ADMINS, "fresh"), schema: { params: accountParams, body: noBody } },
    async (request, reply) => {
      const accountId = request.params.account_id;
      const result = await closeAccount(deps, actor(request), { accountId, reason: request.body.reason });
      return await answerChange(deps, reply, accountId, result);
    },
  );

  orderRoutes(app, deps);
}

function orderRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.get("/orders/:order_id", { config: may(EVERYBODY), schema: { params: orderParams } }, async (request, reply) => {
    return await answerOrder(deps, reply, request.params.order_id);
  });

  app.post(
    "/orders/:order_id/settle",
    { config: may(SETTLERS, "fresh"), schema: { params: orderParams, body: settleBody } },
    async (request, reply) => {
      const { status, operator_ref, reason } = request.body;
      const orderId = request.params.order_id;
      const input = { status, operator_ref: operator_ref ?? null, reason };
      const held = await requireOrderApproval({ deps, request }, { kind: "settle", orderId, input, against: settleConflict });
      if (held) return await answerWithApproval({ deps, request }, reply, held);
      const result = await settleManually(deps.orders, actor(request), { orderId, to: status, operatorRef: operator_ref ?? null, reason });
      return await answerChanged(deps, reply, orderId, result);
    },
  );

  app.post(
    "/orders/:order_id/reverse",
    { config: may(SETTLERS, "fresh"), schema: { params: orderParams, body: reasonBody } },
    async (request, reply) => {
      const orderId = request.params.order_id;
      const { reason } = request.body;
      const held = await requireOrderApproval({ deps, request }, { kind: "reverse", orderId, input: { reason }, against: reverseConflict });
      if (held) return await answerWithApproval({ deps, request }, reply, held);
      return await answerChanged(deps, reply, orderId, await reverseManually(deps.orders, actor(request), { orderId, reason }));
    },
  );

  app.post(
    "/orders/:order_id/refund",
    { config: may(SETTLERS, "fresh"), schema: { params: orderParams, body: reasonBody } },
    async (request, reply) => {
      const orderId = request.params.order_id;
      const { reason } = request.body;
      const held = await requireOrderApproval({ deps, request }, { kind: "refund", orderId, input: { reason }, against: refundConflict });
      if (held) return await answerWithApproval({ deps, request }, reply, held);
      const result = await refundManually(deps.orders, actor(request), { orderId, reason });
      return await answerChanged(deps, reply, orderId, result);
    },
  );

  app.post(
    "/orders/:order_id/cancel",
    { config: may(SETTLERS, "fresh"), schema: { params: orderParams, body: reasonBody } },
    async (request, reply) => {
      const orderId = request.params.order_id;
      const { reason } = request.body;
      const held = await requireOrderApproval({ deps, request }, { kind: "cancel", orderId, input: { reason }, against: cancelConflict });
      if (held) return await answerWithApproval({ deps, request }, reply, held);
      const ctx = { ...deps.orders, providerServices: deps.providerServices };
      const result = await cancelManually(ctx, actor(request), { orderId, reason });
      return await answerChanged(deps, reply, orderId, result);
    },
  );
}

async function answerChanged(
  deps: OperatorApiDependencies,
  reply: FastifyReply,
  orderId: string,
  result: ManualChangeResult,
): Promise<FastifyReply> {
  if (result.kind === "not_found") return notFound(reply, "order");
  if (result.kind === "conflict") return refuse(reply, "conflict", result.reason);
  return await answerOrder(deps, reply, orderId);
}
