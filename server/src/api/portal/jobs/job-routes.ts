import { z } from "zod";
import { fileOf, type Job, jobFields } from "../../../domain/jobs/job.ts";
import { MOST_OPEN, startJob } from "../../../domain/jobs/start-job.ts";
import { cancelJob, findJob, type JobKey, listJobs, readFile } from "../../../domain/jobs/store.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { dayField } from "../../sites/days.ts";
import { idListQuery, writeIdCursor } from "../../sites/lists.ts";
import { actorOf } from "../answers.ts";
import type { PortalContext } from "../context.ts";
import { EVERYBODY, type Fault, fault, json, memberRoute, type PortalRoute, WORKERS } from "../route.ts";
import type { Session } from "../session.ts";
import { readDayRange } from "../transactions/day-range.ts";
import { type ExportInput, SHOWN_STATUSES } from "./export-transactions.ts";

type JobContext = Pick<PortalContext, "sql" | "clock" | "ids" | "catalogue">;

export function jobRoutes(ctx: JobContext): readonly PortalRoute[] {
  return [exportRoute(ctx), listRoute(ctx), readRoute(ctx), fileRoute(ctx), cancelRoute(ctx)];
}

const NO_SUCH_JOB = fault("not_found", "There is no such job.");
const MOST_EXPORT_MILLISECONDS = 366 * 24 * 60 * 60 * 1000;

export type Started = { readonly kind: "started"; readonly job: Job };
export type NewJob = { readonly kind: string; readonly input: JsonObject; readonly action: string };

/** Creates a job that a background runner picks up. It is audited like any other change. */
export async function startPortalJob(ctx: JobContext, session: Session, { kind, input, action }: NewJob): Promise<Started | Fault> {
  const { accountId, userId } = session;
  const audit = { actor: actorOf(session), action, subject: { kind: "account", id: accountId } } as const;
  const job = await startJob(ctx, { owner: "client", queue: accountId, askedBy: userId, kind, input, audit });
  if (!job) return fault("conflict", `The account has ${MOST_OPEN} jobs that are not finished. Wait for one of them, or cancel it.`);
  return { kind: "started", job };
}

function exportRoute(ctx: JobContext): PortalRoute {
  return memberRoute({
    method: "POST",
    path: "/exports",
    does: "Starts an export of transactions as CSV",
    who: WORKERS,
    input: z.object({
      from: dayField,
      to: dayField,
      status: z.enum(SHOWN_STATUSES).nullish(),
      service: z.string().max(64).nullish(),
    }),
    handle: async ({ session, input: { from, to, status, service } }) => {
      const now = ctx.clock.now();
      const days = readDayRange({ from, to }, now);
      if ("kind" in days) return days;
      if (days.toMilliseconds - days.fromMilliseconds > MOST_EXPORT_MILLISECONDS)
        return fault("invalid_request", "Not valid: from.", { fields: { from: "Must be at most 366 days before the last day." } });
      if (typeof service === "string" && !ctx.catalogue.hasService(service))
        return fault("invalid_request", "Not valid: service.", { fields: { service: "There is no such service." } });
      const input: ExportInput = {
        ...{ from, to, status: status ?? null, service: service ?? null },
        from_milliseconds: days.fromMilliseconds,
        to_milliseconds: Math.min(days.toMilliseconds, now),
      };
      const started = await startPortalJob(ctx, session, { kind: "export", input, action: "transactions.exported" });
      return started.kind === "fault" ? started : json({ job: jobFields(started.job, ctx.clock.now()) });
    },
  });
}

function listRoute(ctx: JobContext): PortalRoute {
  return memberRoute({
    method: "GET",
    path: "/jobs",
    does: "Lists the account's jobs, newest first",
    who: EVERYBODY,
    input: idListQuery,
    handle: async ({ session, input: { after, limit } }) => {
      const jobs = await listJobs(ctx.sql, "client", { queue: session.accountId, before: after ?? null, limit: limit + 1 });
      const shown = jobs.slice(0, limit);
      const last = shown.at(-1);
      const next = last !== undefined && jobs.length > limit ? writeIdCursor(last.jobId) : null;
      return json({ items: shown.map((job) => jobFields(job, ctx.clock.now())), next });
    },
  });
}

const jobInput = z.object({ job_id: z.string().max(64) });

function keyOf({ accountId }: Session, jobId: string): JobKey {
  return { owner: "client", queue: accountId, jobId };
}

function readRoute(ctx: JobContext): PortalRoute {
  return memberRoute({
    method: "GET",
    path: "/jobs/{job_id}",
    does: "Shows a job's progress",
    who: EVERYBODY,
    input: jobInput,
    handle: async ({ session, input }) => {
      const job = await findJob(ctx.sql, keyOf(session, input.job_id));
      return job ? json(jobFields(job, ctx.clock.now())) : NO_SUCH_JOB;
    },
  });
}

function fileRoute(ctx: JobContext): PortalRoute {
  return memberRoute({
    method: "GET",
    path: "/jobs/{job_id}/file",
    does: "Downloads the file of a job",
    who: WORKERS,
    input: jobInput,
    handle: async ({ session, input }) => {
      const key = keyOf(session, input.job_id);
      const job = await findJob(ctx.sql, key);
      const name = job && fileOf(job, ctx.clock.now());
      if (!name) return fault("not_found", "There is no such file. Files are kept for seven days.");
      return { kind: "file", name, type: "text/csv; charset=utf-8", content: readFile(ctx.sql, key) };
    },
  });
}

function cancelRoute(ctx: JobContext): PortalRoute {
  return memberRoute({
    method: "POST",
    path: "/jobs/{job_id}/cancel",
    does: "Cancels a job",
    who: WORKERS,
    input: jobInput,
    handle: async ({ session, input }) => {
      const now = ctx.clock.now();
      const { job } = await cancelJob(ctx.sql, keyOf(session, input.job_id), new Date(now));
      return job ? json(jobFields(job, now)) : NO_SUCH_JOB;
    },
  });
}
