import { z } from "zod";
import { fileOf, jobFields } from "../../../domain/jobs/job.ts";
import { cancelJob, findJob, type JobKey, listJobs, readFile } from "../../../domain/jobs/store.ts";
import { noSuch, Refusal, wrongFields } from "../../sites/actions/refusal.ts";
import { dayField } from "../../sites/days.ts";
import { idListQuery, toPage, writeIdCursor } from "../../sites/lists.ts";
import { listOf } from "../../sites/outputs/output-fields.ts";
import { EVERYBODY, WORKERS } from "../access.ts";
import { action, type PortalAction, streamAction } from "../action.ts";
import type { Session } from "../session.ts";
import { readDayRange } from "../transactions/day-range.ts";
import { type ExportInput, SHOWN_STATUSES } from "./export-transactions.ts";
import { jobOutput, startedJobOutput, startPortalJob } from "./start-portal-job.ts";

const MOST_EXPORT_MILLISECONDS = 366 * 24 * 60 * 60 * 1000;

const startExport = action({
  path: "POST /exports",
  summary: "Starts an export of transactions as CSV.",
  roles: WORKERS,
  input: z.object({
    from: dayField,
    to: dayField,
    status: z.enum(SHOWN_STATUSES).nullish(),
    service: z.string().max(64).nullish(),
    operator: z.string().max(32).nullish(),
    circle: z.string().max(64).nullish(),
    reason: z.string().max(64).nullish(),
    search: z.string().trim().max(64).nullish(),
  }),
  output: startedJobOutput,
  handler: async ({ deps, session, input: { from, to, status, service, operator, circle, reason, search } }) => {
    const now = deps.clock.now();
    const days = readDayRange({ from, to }, now);
    if (days instanceof Refusal) return days;
    if (days.toMilliseconds - days.fromMilliseconds > MOST_EXPORT_MILLISECONDS)
      return wrongFields({ from: "Must be at most 366 days before the last day." });
    if (typeof service === "string" && !deps.catalogue.hasService(service)) return wrongFields({ service: "There is no such service." });
    const input: ExportInput = {
      ...{ from, to, status: status ?? null, service: service ?? null, operator: operator ?? null, search: search || null },
      ...{ circle: circle ?? null, reason: reason ?? null },
      from_milliseconds: days.fromMilliseconds,
      to_milliseconds: Math.min(days.toMilliseconds, now),
    };
    return await startPortalJob(deps, session, { kind: "export", input, action: "transactions.exported" });
  },
});

const browseJobs = action({
  path: "GET /jobs",
  summary: "Lists the account's jobs, newest first.",
  roles: EVERYBODY,
  input: idListQuery,
  output: listOf(jobOutput),
  handler: async ({ deps, session, input: { after, limit } }) => {
    const jobs = await listJobs(deps.sql, "client", { queue: session.accountId, before: after ?? null, limit: limit + 1 });
    const { items, next } = toPage(
      jobs,
      limit,
      (job) => jobFields(job, deps.clock.now()),
      (job) => writeIdCursor(job.jobId),
    );
    return { items, next };
  },
});

const jobInput = z.object({ job_id: z.string().max(64) });

function keyOf({ accountId }: Session, jobId: string): JobKey {
  return { owner: "client", queue: accountId, jobId };
}

const showJob = action({
  path: "GET /jobs/:job_id",
  summary: "Shows a job's progress.",
  roles: EVERYBODY,
  input: jobInput,
  output: jobOutput,
  handler: async ({ deps, session, input }) => {
    const job = await findJob(deps.sql, keyOf(session, input.job_id));
    return job ? jobFields(job, deps.clock.now()) : noSuch("job");
  },
});

const downloadFile = streamAction({
  path: "GET /jobs/:job_id/file",
  summary: "Downloads the file of a job.",
  roles: WORKERS,
  input: jobInput,
  mediaType: "text/csv",
  handler: async ({ deps, session, input }) => {
    const key = keyOf(session, input.job_id);
    const job = await findJob(deps.sql, key);
    const name = job && fileOf(job, deps.clock.now());
    if (!name) return new Refusal("not_found", "There is no such file. Files are kept for seven days.");
    return { kind: "file", name, content: readFile(deps.sql, key) };
  },
});

const cancel = action({
  path: "POST /jobs/:job_id/cancel",
  summary: "Cancels a job.",
  roles: WORKERS,
  input: jobInput,
  output: jobOutput,
  handler: async ({ deps, session, input }) => {
    const now = deps.clock.now();
    const { job } = await cancelJob(deps.sql, keyOf(session, input.job_id), new Date(now));
    return job ? jobFields(job, now) : noSuch("job");
  },
});

/** Background jobs of the account. */
export const jobActions: readonly PortalAction[] = [startExport, browseJobs, showJob, downloadFile, cancel];
