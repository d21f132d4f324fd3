import type { FastifyReply, FastifyRequest } from "fastify";
import type { Asked, AskedWithPayload } from "../../../domain/approvals/approval.ts";
import { askIfNeeded } from "../../../domain/approvals/ask-approval.ts";
import { startJob } from "../../../domain/jobs/start-job.ts";
import { findItem, listSettleable, type SettleableOrder } from "../../../domain/reconciliation/item.ts";
import type { Reconciliation } from "../../../domain/reconciliation/reconciliation.ts";
import { NOTHING_TO_SETTLE, settleable, settleItem } from "../../../domain/reconciliation/settle-item.ts";
import { type SettleInput, settleJob } from "../../../domain/reconciliation/settle-items.ts";
import { findReconciliation } from "../../../domain/reconciliation/store.ts";
import type { Money } from "../../../platform/core/money.ts";
import { may, SETTLERS } from "../access.ts";
import { answerWithApproval } from "../approvals/require-approval.ts";
import { actor, caller } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { notFound, refuse } from "../errors.ts";
import { staffJobFields, TOO_MANY_JOBS } from "../jobs/start-staff-job.ts";
import { sendResult } from "../register-actions.ts";
import type { ZodApp } from "../zod-app.ts";
import { itemParams, reconciliationParams, settleAllBody, settleItemBody } from "./fields.ts";
import { answerItem } from "./item-routes.ts";

/** Settles orders as the provider's file says. Above the threshold a second person must approve it. */
export function settleRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.post(
    "/reconciliations/:reconciliation_id/items/:item/settle",
    { config: may(SETTLERS, "fresh"), schema: { params: itemParams, body: settleItemBody } },
    async (request, reply) => {
      const { reconciliation_id: id, item: number } = request.params;
      const { reason } = request.body;
      const [of, item] = [await findReconciliation(deps.sql, id), await findItem(deps.sql, id, number)];
      if (!of || !item) return notFound(reply, "line");
      if (!settleable(item) || item.hereAmount === null) return refuse(reply, "conflict", NOTHING_TO_SETTLE);
      const asked: Asked = {
        kind: "reconcile",
        about: aboutOrder(item.orderId ?? ""),
        input: inputOf(of, { reason, item: number, status: null, search: null }),
        ...{ amount: item.hereAmount, accountId: item.accountId, orderId: item.orderId },
      };
      const held = await askIfNeeded(deps.approvals, caller(request), asked);
      if (held) return await answerWithApproval({ deps, request }, reply, held);
      const result = await settleItem(deps, actor(request), { reconciliationId: id, item: number, reason });
      if (result.kind === "not_found") return notFound(reply, "line");
      if (result.kind === "conflict") return refuse(reply, "conflict", result.reason);
      return await answerItem(deps, reply, id, number);
    },
  );

  app.post(
    "/reconciliations/:reconciliation_id/settle-all",
    { config: may(SETTLERS, "fresh"), schema: { params: reconciliationParams, body: settleAllBody } },
    async (request, reply) => {
      const of = await findReconciliation(deps.sql, request.params.reconciliation_id);
      if (!of) return notFound(reply, "reconciliation");
      if (of.state !== "done") return refuse(reply, "conflict", "The reconciliation has no finished run.");
      const { reason, status, search } = request.body;
      const orders = await listSettleable(deps.sql, of.reconciliationId, { status, search });
      if (orders.length === 0) return refuse(reply, "conflict", "This reconciliation has no orders to settle.");
      const input = inputOf(of, { reason, item: null, status: status ?? null, search: search ?? null });
      return await settleAll(deps, request, reply, { of, input, orders });
    },
  );
}

type All = { readonly of: Reconciliation; readonly input: SettleInput; readonly orders: readonly SettleableOrder[] };

/** One approval for all orders. Each order counts towards its own account's threshold, as if it were settled alone. */
async function settleAll(deps: OperatorApiDependencies, request: FastifyRequest, reply: FastifyReply, all: All): Promise<FastifyReply> {
  const { of, input, orders } = all;
  const asked: AskedWithPayload = {
    kind: "reconcile",
    about: `reconciliation ${of.reconciliationId}`,
    input: { ...input, count: orders.length },
    amount: orders.reduce((sum, order) => sum + order.amount, 0n) as Money,
    ...{ accountId: null, orderId: null },
    acts: orders.map(({ accountId, orderId, amount }) => ({ accountId, about: aboutOrder(orderId), amount })),
  };
  const held = await askIfNeeded(deps.approvals, caller(request), asked);
  if (held) return await answerWithApproval({ deps, request }, reply, held);
  const job = await startJob(deps, settleJob(input, actor(request)));
  return job ? reply.send({ job: staffJobFields(job, deps.clock.now()) }) : sendResult(reply, TOO_MANY_JOBS);
}

function aboutOrder(orderId: string): string {
  return `order ${orderId}`;
}

function inputOf(of: Reconciliation, more: Pick<SettleInput, "reason" | "item" | "status" | "search">): SettleInput {
  const { reconciliationId, jobId } = of;
  return { reconciliation_id: reconciliationId, run: jobId ?? "", ...more, approval_id: null, made_by: null };
}
