import type { z } from "zod";
import { findJob } from "../../../domain/jobs/store.ts";
import { deleteReconciliation } from "../../../domain/reconciliation/delete-reconciliation.ts";
import { EXPORT_KIND } from "../../../domain/reconciliation/export-items.ts";
import { sumItems } from "../../../domain/reconciliation/item.ts";
import type { Reconciliation } from "../../../domain/reconciliation/reconciliation.ts";
import { startRun } from "../../../domain/reconciliation/start-run.ts";
import { findReconciliation, lastMapping, listReconciliations } from "../../../domain/reconciliation/store.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import { toPage, writeTimeCursor } from "../../sites/lists.ts";
import { pageOf } from "../../sites/outputs/output-fields.ts";
import { EVERYBODY, SETTLERS } from "../access.ts";
import { type Action, action } from "../action.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { noBody } from "../fields.ts";
import { jobOutput } from "../jobs/outputs.ts";
import { staffJobFields, startStaffJob, TOO_MANY_JOBS } from "../jobs/start-staff-job.ts";
import { conflict, noSuch, type Refusal, wrongFields } from "../refusal.ts";
import { exportBody, reconciliationParams, reconciliationsQuery, runBody } from "./fields.ts";
import { deletedOutput, reconciliationDetailOutput, reconciliationOutput, reconciliationPreviewOutput } from "./outputs.ts";
import { previewView, reconciliationView } from "./views.ts";

const listAllReconciliations = action({
  path: "GET /reconciliations",
  summary: "Lists the reconciliations, newest first.",
  roles: EVERYBODY,
  query: reconciliationsQuery,
  output: pageOf(reconciliationOutput),
  handler: async ({ deps, query: { limit, after, provider, state } }) => {
    const found = await listReconciliations(deps.sql, { provider, state, before: after?.id ?? null, limit: limit + 1 });
    const cursor = (one: Reconciliation) => writeTimeCursor({ at: new Date(one.createdAt), id: one.reconciliationId });
    return toPage(found, limit, reconciliationView, cursor);
  },
});

const showReconciliation = action({
  path: "GET /reconciliations/:reconciliation_id",
  summary: "Shows a reconciliation with its job and the orders that it could settle.",
  roles: EVERYBODY,
  params: reconciliationParams,
  output: reconciliationDetailOutput,
  handler: async ({ deps, params }) => await readReconciliation(deps, params.reconciliation_id),
});

const previewReconciliation = action({
  path: "GET /reconciliations/:reconciliation_id/preview",
  summary: "Shows the file's first rows and a proposed mapping of its columns.",
  roles: EVERYBODY,
  params: reconciliationParams,
  output: reconciliationPreviewOutput,
  handler: async ({ deps, params }) => {
    const one = await findReconciliation(deps.sql, params.reconciliation_id);
    return one ? previewView(one, await lastMapping(deps.sql, one.provider)) : noSuch("reconciliation");
  },
});

const runReconciliation = action({
  path: "POST /reconciliations/:reconciliation_id/run",
  summary: "Starts a job that compares the file with our orders.",
  roles: SETTLERS,
  params: reconciliationParams,
  body: runBody,
  output: reconciliationDetailOutput,
  handler: async ({ deps, actor, params: { reconciliation_id: id }, body }) => {
    const started = await startRun(deps, actor, id, body);
    if (started.kind === "not_found") return noSuch("reconciliation");
    if (started.kind === "too_many") return TOO_MANY_JOBS;
    if (started.kind === "conflict") return conflict(started.reason);
    if (started.kind === "invalid") return wrongFields(started.fields);
    return await readReconciliation(deps, id);
  },
});

const exportReconciliation = action({
  path: "POST /reconciliations/:reconciliation_id/export",
  summary: "Starts a job that writes the result to a CSV file.",
  roles: SETTLERS,
  params: reconciliationParams,
  body: exportBody,
  output: jobOutput,
  handler: async ({ deps, actor, params: { reconciliation_id: id }, body }) => {
    const one = await findReconciliation(deps.sql, id);
    if (!one) return noSuch("reconciliation");
    if (one.state !== "done") return conflict("The reconciliation has no finished run.");
    const input = { reconciliation_id: id, outcome: body.outcome ?? null };
    const subject = { kind: "reconciliation", id } as const;
    return await startStaffJob(deps, actor, { kind: EXPORT_KIND, input, action: "reconciliation.exported", subject });
  },
});

const removeReconciliation = action({
  path: "POST /reconciliations/:reconciliation_id/delete",
  summary: "Deletes a reconciliation with its file.",
  roles: SETTLERS,
  params: reconciliationParams,
  body: noBody,
  output: deletedOutput,
  handler: async ({ deps, actor, params, body: { reason } }) => {
    const result = await deleteReconciliation(deps, actor, { reconciliationId: params.reconciliation_id, reason });
    if (result.kind === "not_found") return noSuch("reconciliation");
    return result.kind === "conflict" ? conflict(result.reason) : { deleted: true as const };
  },
});

type ReconciliationDetail = z.output<typeof reconciliationDetailOutput>;

/** Reads a reconciliation with its job and the orders that it could settle. */
async function readReconciliation(deps: OperatorApiDependencies, id: string): Promise<ReconciliationDetail | Refusal> {
  const one = await findReconciliation(deps.sql, id);
  if (!one) return noSuch("reconciliation");
  const [job, toSettle] = await Promise.all([
    one.jobId === null ? null : findJob(deps.sql, { owner: "staff", jobId: one.jobId }),
    sumItems(deps.sql, id, { canSettle: true }),
  ]);
  return {
    ...reconciliationView(one),
    job: job && staffJobFields(job, deps.clock.now()),
    to_settle: { count: toSettle.count, amount: formatMoney(toSettle.hereSum) },
  };
}

/** Reconciliations of providers' daily files. Their upload is a route of its own, because its body is the file. */
export const reconciliationActions: readonly Action[] = [
  listAllReconciliations,
  showReconciliation,
  previewReconciliation,
  runReconciliation,
  exportReconciliation,
  removeReconciliation,
];
