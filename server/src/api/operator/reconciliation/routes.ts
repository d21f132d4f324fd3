import type { FastifyReply } from "fastify";
import { findJob } from "../../../domain/jobs/store.ts";
import { deleteReconciliation } from "../../../domain/reconciliation/delete-reconciliation.ts";
import { EXPORT_KIND } from "../../../domain/reconciliation/export-items.ts";
import { sumItems } from "../../../domain/reconciliation/item.ts";
import type { Reconciliation } from "../../../domain/reconciliation/reconciliation.ts";
import { startRun } from "../../../domain/reconciliation/start-run.ts";
import { findReconciliation, lastMapping, listReconciliations } from "../../../domain/reconciliation/store.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import { toPage, writeTimeCursor } from "../../sites/lists.ts";
import { EVERYBODY, may, SETTLERS } from "../access.ts";
import { actor } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { notFound, refuse, refuseFields } from "../errors.ts";
import { noBody } from "../fields.ts";
import { staffJobFields, startStaffJob, TOO_MANY_JOBS } from "../jobs/start-staff-job.ts";
import { sendResult } from "../register-actions.ts";
import type { ZodApp } from "../zod-app.ts";
import { exportBody, reconciliationParams, reconciliationsQuery, runBody } from "./fields.ts";
import { itemRoutes } from "./item-routes.ts";
import { settleRoutes } from "./settle-routes.ts";
import { uploadRoute } from "./upload-route.ts";
import { previewView, reconciliationView } from "./views.ts";

/** Reconciliation of a provider's daily file with our orders. */
export function reconciliationRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  readRoutes(app, deps);
  uploadRoute(app, deps);
  changeRoutes(app, deps);
  itemRoutes(app, deps);
  settleRoutes(app, deps);
}

function readRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.get("/reconciliations", { config: may(EVERYBODY), schema: { querystring: reconciliationsQuery } }, async (request) => {
    const { limit, after, provider, state } = request.query;
    const found = await listReconciliations(deps.sql, { provider, state, before: after?.id ?? null, limit: limit + 1 });
    const cursor = (one: Reconciliation) => writeTimeCursor({ at: new Date(one.createdAt), id: one.reconciliationId });
    return toPage(found, limit, reconciliationView, cursor);
  });

  const schema = { params: reconciliationParams };
  app.get("/reconciliations/:reconciliation_id", { config: may(EVERYBODY), schema }, async (request, reply) => {
    return await answerReconciliation(deps, reply, request.params.reconciliation_id);
  });

  app.get("/reconciliations/:reconciliation_id/preview", { config: may(EVERYBODY), schema }, async (request, reply) => {
    const one = await findReconciliation(deps.sql, request.params.reconciliation_id);
    if (!one) return notFound(reply, "reconciliation");
    return reply.send(previewView(one, await lastMapping(deps.sql, one.provider)));
  });
}

function changeRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  const params = reconciliationParams;

  app.post(
    "/reconciliations/:reconciliation_id/run",
    { config: may(SETTLERS), schema: { params, body: runBody } },
    async (request, reply) => {
      const id = request.params.reconciliation_id;
      const started = await startRun(deps, actor(request), id, request.body);
      if (started.kind === "not_found") return notFound(reply, "reconciliation");
      if (started.kind === "too_many") return sendResult(reply, TOO_MANY_JOBS);
      if (started.kind === "conflict") return refuse(reply, "conflict", started.reason);
      if (started.kind === "invalid") return refuseFields(reply, started.fields);
      return await answerReconciliation(deps, reply, id);
    },
  );

  app.post(
    "/reconciliations/:reconciliation_id/export",
    { config: may(SETTLERS), schema: { params, body: exportBody } },
    async (request, reply) => {
      const id = request.params.reconciliation_id;
      const one = await findReconciliation(deps.sql, id);
      if (!one) return notFound(reply, "reconciliation");
      if (one.state !== "done") return refuse(reply, "conflict", "The reconciliation has no finished run.");
      const input = { reconciliation_id: id, outcome: request.body.outcome ?? null };
      const subject = { kind: "reconciliation", id } as const;
      return sendResult(
        reply,
        await startStaffJob(deps, actor(request), { kind: EXPORT_KIND, input, action: "reconciliation.exported", subject }),
      );
    },
  );

  app.post(
    "/reconciliations/:reconciliation_id/delete",
    { config: may(SETTLERS), schema: { params, body: noBody } },
    async (request, reply) => {
      const reconciliationId = request.params.reconciliation_id;
      const result = await deleteReconciliation(deps, actor(request), { reconciliationId, reason: request.body.reason });
      if (result.kind === "not_found") return notFound(reply, "reconciliation");
      if (result.kind === "conflict") return refuse(reply, "conflict", result.reason);
      return reply.send({ deleted: true });
    },
  );
}

/** Answers with a reconciliation, its job and the orders it could settle. */
export async function answerReconciliation(deps: OperatorApiDependencies, reply: FastifyReply, id: string): Promise<FastifyReply> {
  const one = await findReconciliation(deps.sql, id);
  if (!one) return notFound(reply, "reconciliation");
  const [job, toSettle] = await Promise.all([
    one.jobId === null ? null : findJob(deps.sql, { owner: "staff", jobId: one.jobId }),
    sumItems(deps.sql, id, { canSettle: true }),
  ]);
  return reply.send({
    ...reconciliationView(one),
    job: job && staffJobFields(job, deps.clock.now()),
    to_settle: { count: toSettle.count, amount: formatMoney(toSettle.hereSum) },
  });
}
