import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { APPROVAL_KINDS, APPROVAL_STATES, type Approval } from "../../../domain/approvals/approval.ts";
import { approve, type Decided, type DecisionRequest, reject, withdraw } from "../../../domain/approvals/decide-approval.ts";
import { findApproval, listApprovals } from "../../../domain/approvals/store.ts";
import { timeListQuery, toPage, writeTimeCursor } from "../../sites/lists.ts";
import { EVERYBODY, may, SETTLERS } from "../access.ts";
import { type Caller, caller } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { notFound, refuse } from "../errors.ts";
import { id, noBody, reasonBody } from "../fields.ts";
import type { ZodApp } from "../zod-app.ts";
import { approvalDetail, approvalViews, mayDecide } from "./view.ts";

const params = z.object({ approval_id: id });
const query = timeListQuery.extend({
  state: z.enum([...APPROVAL_STATES, "decided"]).optional(),
  kind: z.enum(APPROVAL_KINDS).optional(),
  account_id: id.optional(),
});

export function approvalRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.get("/approvals", { config: may(EVERYBODY), schema: { querystring: query } }, async (request) => {
    const { limit, after, state = null, kind = null, account_id: accountId = null } = request.query;
    const rows = await listApprovals(deps.sql, { state, kind, accountId, after: after ?? null, limit: limit + 1 });
    const views = await approvalViews(deps.sql, rows, viewer(deps, request));
    const cursor = (one: Approval) => writeTimeCursor({ at: new Date(one.createdAt), id: one.approvalId });
    return toPage(rows, limit, (one) => views[rows.indexOf(one)], cursor);
  });

  app.get("/approvals/:approval_id", { config: may(EVERYBODY), schema: { params } }, async (request, reply) => {
    const one = await findApproval(deps.sql, request.params.approval_id);
    return one ? reply.send(await approvalDetail(deps.sql, one, viewer(deps, request))) : notFound(reply, "approval");
  });

  app.post(
    "/approvals/:approval_id/approve",
    { config: may(SETTLERS, "fresh"), schema: { params, body: noBody } },
    async (request, reply) => {
      const decision = { approvalId: request.params.approval_id, reason: request.body.reason ?? null };
      return await answerDecided(deps, request, reply, await byChecker(deps, caller(request), approve, decision));
    },
  );

  app.post("/approvals/:approval_id/reject", { config: may(SETTLERS), schema: { params, body: reasonBody } }, async (request, reply) => {
    const decision = { approvalId: request.params.approval_id, reason: request.body.reason };
    return await answerDecided(deps, request, reply, await byChecker(deps, caller(request), reject, decision));
  });

  app.post("/approvals/:approval_id/withdraw", { config: may(SETTLERS), schema: { params, body: noBody } }, async (request, reply) => {
    const { approval_id: approvalId } = request.params;
    const withdrawn = await withdraw(deps.approvals, caller(request), { approvalId, reason: request.body.reason ?? null });
    return await answerDecided(deps, request, reply, withdrawn);
  });
}

function viewer(deps: OperatorApiDependencies, request: FastifyRequest) {
  return { caller: caller(request), now: deps.clock.now() };
}

type Answer = Decided | { readonly kind: "forbidden" };

/** The role is checked before the decision. That is safe, because an approval's kind never changes. */
async function byChecker(
  deps: OperatorApiDependencies,
  checker: Caller,
  decide: typeof approve,
  decision: DecisionRequest,
): Promise<Answer> {
  const one = await findApproval(deps.sql, decision.approvalId);
  if (!one) return { kind: "not_found" };
  return mayDecide(checker, one.kind) ? await decide(deps.approvals, checker, decision) : { kind: "forbidden" };
}

async function answerDecided(
  deps: OperatorApiDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  decided: Answer,
): Promise<FastifyReply> {
  if (decided.kind === "forbidden")
    return refuse(reply, "forbidden", "Your role cannot approve this, because it cannot make this change itself.");
  if (decided.kind === "not_found") return notFound(reply, "approval");
  if (decided.kind === "conflict") return refuse(reply, "conflict", decided.reason);
  return reply.send(await approvalDetail(deps.sql, decided.approval, viewer(deps, request)));
}
