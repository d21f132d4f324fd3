import type { FastifyReply, FastifyRequest } from "fastify";
import type { AuditEntry } from "../../../domain/audit/append.ts";
import { type Job, jobFields } from "../../../domain/jobs/job.ts";
import { MOST_OPEN, startJob } from "../../../domain/jobs/start-job.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { actor } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { refuse } from "../errors.ts";

export type NewStaffJob = {
  /** A name of `STAFF_KINDS`. */
  readonly kind: string;
  readonly input: JsonObject;
  /** The action in the audit trail, such as `orders.exported`. */
  readonly action: string;
  readonly subject?: AuditEntry["subject"];
  /** One job per queue runs at a time. Default: the kind. */
  readonly queue?: string;
};

/** Creates a job for the caller and answers `{job}`; 409 while too many jobs of its queue are unfinished. */
export async function startStaffJob(
  deps: OperatorApiDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  { kind, input, action, subject = { kind: "installation", id: "jobs" }, queue = kind }: NewStaffJob,
): Promise<FastifyReply> {
  const askedBy = actor(request);
  const job = await startJob(deps, { owner: "staff", queue, askedBy, kind, input, audit: { actor: askedBy, action, subject } });
  if (!job) return refuseJob(reply);
  return reply.send({ job: staffJobFields(job, deps.clock.now()) });
}

export function refuseJob(reply: FastifyReply): FastifyReply {
  return refuse(reply, "conflict", `There are ${MOST_OPEN} such jobs that are not finished. Wait for one of them, or cancel it.`);
}

export function staffJobFields(job: Job, now: number): JsonObject {
  return { ...jobFields(job, now), asked_by: job.askedBy };
}
