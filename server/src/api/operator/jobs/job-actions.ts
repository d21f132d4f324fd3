import { z } from "zod";
import { appendAudit } from "../../../domain/audit/append.ts";
import { fileOf, JOB_STATES, type Job } from "../../../domain/jobs/job.ts";
import { cancelJob, findJob, listJobs, readFile } from "../../../domain/jobs/store.ts";
import { timeListQuery, toPage, writeTimeCursor } from "../../sites/lists.ts";
import { pageOf } from "../../sites/outputs/output-fields.ts";
import { EVERYBODY, WORKERS } from "../access.ts";
import { type Action, action, streamAction } from "../action.ts";
import { isOneOf } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { CSV, download } from "../download.ts";
import { noBody } from "../fields.ts";
import { noSuch, Refusal } from "../refusal.ts";
import { jobFieldsOutput } from "./outputs.ts";
import { whoMay } from "./staff-jobs.ts";
import { staffJobFields } from "./start-staff-job.ts";

const jobParams = z.object({ job_id: z.string().regex(/^[A-Z0-9]{1,64}$/) });
const jobsQuery = timeListQuery.extend({
  kind: z
    .string()
    .regex(/^[a-z_]{1,64}$/, "Must be a kind of job.")
    .optional(),
  state: z.enum(JOB_STATES).optional(),
});
const WRONG_ROLE = new Refusal("forbidden", "Your role does not allow this.");

const browseJobs = action({
  path: "GET /jobs",
  summary: "Lists the background jobs of staff, newest first.",
  roles: EVERYBODY,
  query: jobsQuery,
  output: pageOf(jobFieldsOutput),
  handler: async ({ deps, query: { limit, after, kind, state } }) => {
    const jobs = await listJobs(deps.sql, "staff", { kind, state, before: after?.id ?? null, limit: limit + 1 });
    const now = deps.clock.now();
    return toPage(
      jobs,
      limit,
      (job) => staffJobFields(job, now),
      (job) => writeTimeCursor({ at: new Date(job.createdAt), id: job.jobId }),
    );
  },
});

const showJob = action({
  path: "GET /jobs/:job_id",
  summary: "Shows a background job and its progress.",
  roles: EVERYBODY,
  params: jobParams,
  output: jobFieldsOutput,
  handler: async ({ deps, params }) => jobOrRefusal(deps, await findJob(deps.sql, { owner: "staff", jobId: params.job_id })),
});

const downloadFile = streamAction({
  path: "GET /jobs/:job_id/file",
  summary: "Downloads the file that a job has written.",
  roles: EVERYBODY,
  params: jobParams,
  mediaType: "text/csv",
  handler: async ({ deps, caller, params }, reply) => {
    const key = { owner: "staff" as const, jobId: params.job_id };
    const job = await findJob(deps.sql, key);
    const name = job && fileOf(job, deps.clock.now());
    if (!job || !name) return noSuch("file");
    if (!isOneOf(caller, whoMay(job.kind))) return WRONG_ROLE;
    return download(deps, caller, reply, { name, mediaType: CSV, content: readFile(deps.sql, key) });
  },
});

const cancel = action({
  path: "POST /jobs/:job_id/cancel",
  summary: "Cancels a background job. A finished job stays as it is.",
  roles: WORKERS,
  inTestMode: true,
  params: jobParams,
  body: noBody,
  output: jobFieldsOutput,
  handler: async ({ deps, caller, actor, params, body: { reason } }) => {
    const job = await findJob(deps.sql, { owner: "staff", jobId: params.job_id });
    if (!job) return noSuch("job");
    return isOneOf(caller, whoMay(job.kind)) ? jobOrRefusal(deps, await cancelAudited(deps, actor, job, reason)) : WRONG_ROLE;
  },
});

/** Cancelling a finished job changes nothing and is not audited. */
async function cancelAudited(
  deps: OperatorApiDependencies,
  actor: string,
  { jobId, kind }: Job,
  reason: string | undefined,
): Promise<Job | null> {
  const at = new Date(deps.clock.now());
  return await deps.sql.begin(async (tx) => {
    const { changed, job } = await cancelJob(tx, { owner: "staff", jobId }, at);
    const subject = { kind: "job", id: jobId } as const;
    const details = { kind, ...(reason === undefined ? {} : { reason }) };
    if (changed) await appendAudit(tx, at, { actor, action: "job.cancelled", subject, details });
    return job;
  });
}

function jobOrRefusal(deps: OperatorApiDependencies, job: Job | null): z.output<typeof jobFieldsOutput> | Refusal {
  return job ? staffJobFields(job, deps.clock.now()) : noSuch("job");
}

/** Background jobs of staff. A job is started by the action that needs it, such as an export. */
export const jobActions: readonly Action[] = [browseJobs, showJob, downloadFile, cancel];
