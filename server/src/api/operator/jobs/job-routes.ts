import type { FastifyReply } from "fastify";
import { z } from "zod";
import { appendAudit } from "../../../domain/audit/append.ts";
import { fileOf, JOB_STATES, type Job } from "../../../domain/jobs/job.ts";
import { cancelJob, findJob, listJobs, readFile } from "../../../domain/jobs/store.ts";
import { timeListQuery, toPage, writeTimeCursor } from "../../sites/lists.ts";
import { sendWhileIn } from "../../sites/while-in.ts";
import { EVERYBODY, may, WORKERS } from "../access.ts";
import { actor, caller, isOneOf } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { notFound, refuse } from "../errors.ts";
import { noBody } from "../fields.ts";
import type { ZodApp } from "../zod-app.ts";
import { whoMay } from "./kinds.ts";
import { staffJobFields } from "./start-staff-job.ts";

const jobParams = z.object({ job_id: z.string().regex(/^[A-Z0-9]{1,64}$/) });
const jobsQuery = timeListQuery.extend({
  kind: z
    .string()
    .regex(/^[a-z_]{1,64}$/, "Must be a kind of job.")
    .optional(),
  state: z.enum(JOB_STATES).optional(),
});

/** Background jobs of staff. A job is started by the route that needs it, such as an export. */
export function jobRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.get("/jobs", { config: may(EVERYBODY), schema: { querystring: jobsQuery } }, async (request) => {
    const { limit, after, kind, state } = request.query;
    const jobs = await listJobs(deps.sql, "staff", { kind, state, before: after?.id ?? null, limit: limit + 1 });
    const now = deps.clock.now();
    return toPage(
      jobs,
      limit,
      (job) => staffJobFields(job, now),
      (job) => writeTimeCursor({ at: new Date(job.createdAt), id: job.jobId }),
    );
  });

  app.get("/jobs/:job_id", { config: may(EVERYBODY), schema: { params: jobParams } }, async (request, reply) => {
    return answerJob(deps, reply, await findJob(deps.sql, { owner: "staff", jobId: request.params.job_id }));
  });

  app.get("/jobs/:job_id/file", { config: may(EVERYBODY), schema: { params: jobParams } }, async (request, reply) => {
    const key = { owner: "staff" as const, jobId: request.params.job_id };
    const job = await findJob(deps.sql, key);
    const name = job && fileOf(job, deps.clock.now());
    if (!job || !name) return notFound(reply, "file");
    if (!isOneOf(caller(request), whoMay(job.kind))) return refuseRole(reply);
    reply.type("text/csv; charset=utf-8").header("content-disposition", `attachment; filename="${name}"`);
    return sendWhileIn(reply, caller(request).isStillAuthorized, () => readFile(deps.sql, key));
  });

  app.post("/jobs/:job_id/cancel", { config: may(WORKERS), schema: { params: jobParams, body: noBody } }, async (request, reply) => {
    const jobId = request.params.job_id;
    const job = await findJob(deps.sql, { owner: "staff", jobId });
    if (!job) return notFound(reply, "job");
    if (!isOneOf(caller(request), whoMay(job.kind))) return refuseRole(reply);
    return answerJob(deps, reply, await cancel(deps, actor(request), job, request.body.reason));
  });
}

/** Cancelling a finished job changes nothing and is not audited. */
async function cancel(deps: OperatorApiDependencies, by: string, { jobId, kind }: Job, reason: string | undefined): Promise<Job | null> {
  const at = new Date(deps.clock.now());
  return await deps.sql.begin(async (tx) => {
    const { changed, job } = await cancelJob(tx, { owner: "staff", jobId }, at);
    const subject = { kind: "job", id: jobId } as const;
    const details = { kind, ...(reason === undefined ? {} : { reason }) };
    if (changed) await appendAudit(tx, at, { actor: by, action: "job.cancelled", subject, details });
    return job;
  });
}

function answerJob(deps: OperatorApiDependencies, reply: FastifyReply, job: Job | null): FastifyReply {
  return job ? reply.send(staffJobFields(job, deps.clock.now())) : notFound(reply, "job");
}

function refuseRole(reply: FastifyReply): FastifyReply {
  return refuse(reply, "forbidden", "Your role does not allow this.");
}
