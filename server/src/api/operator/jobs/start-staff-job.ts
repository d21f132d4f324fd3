import type { z } from "zod";
import type { AuditEntry } from "../../../domain/audit/append.ts";
import { type Job, jobFields } from "../../../domain/jobs/job.ts";
import { MOST_OPEN, startJob } from "../../../domain/jobs/start-job.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { conflict, type Refusal } from "../refusal.ts";
import type { jobFieldsOutput, jobOutput } from "./outputs.ts";

export type NewStaffJob = {
  /** A name of `STAFF_KINDS`. */
  readonly kind: string;
  readonly input: JsonObject;
  /** The action in the audit log, such as `orders.exported`. */
  readonly action: string;
  readonly subject?: AuditEntry["subject"];
  /** One job per queue runs at a time. Default: the kind. */
  readonly queue?: string;
};

/** Creates a job for the caller; a conflict while too many jobs of its queue are unfinished. */
export async function startStaffJob(
  deps: OperatorApiDependencies,
  actor: string,
  { kind, input, action, subject = { kind: "installation", id: "jobs" }, queue = kind }: NewStaffJob,
): Promise<z.output<typeof jobOutput> | Refusal> {
  const job = await startJob(deps, { owner: "staff", queue, askedBy: actor, kind, input, audit: { actor, action, subject } });
  return job ? { job: staffJobFields(job, deps.clock.now()) } : TOO_MANY_JOBS;
}

export const TOO_MANY_JOBS = conflict(`There are ${MOST_OPEN} such jobs that are not finished. Wait for one of them, or cancel it.`);

export function staffJobFields(job: Job, now: number): z.output<typeof jobFieldsOutput> {
  return { ...jobFields(job, now), asked_by: job.askedBy };
}
