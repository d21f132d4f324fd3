import { indiaDateTime } from "../../platform/core/india-time.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";

export const JOB_STATES = ["waiting", "running", "done", "failed", "cancelled"] as const;
export type JobState = (typeof JOB_STATES)[number];

/** Who started a job: a user of a client's portal, or staff and operator keys. Each owner has its own queues and runner. */
export type JobOwner = "client" | "staff";

export type Job = {
  /** One job of a queue runs at a time: an account at the portal, a kind at the console. */
  readonly queue: string;
  readonly jobId: string;
  /** A portal user, or an actor of the operator API. */
  readonly askedBy: string;
  readonly kind: string;
  readonly input: JsonObject;
  readonly state: JobState;
  readonly done: number;
  readonly total: number | null;
  /** The saved position; null before its first step. */
  readonly place: JsonObject | null;
  readonly result: JsonObject | null;
  readonly claims: number;
  readonly cancelAsked: boolean;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
};

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
export const FILE_MILLISECONDS = 7 * DAY_MILLISECONDS;
export const JOB_MILLISECONDS = 30 * DAY_MILLISECONDS;

/** The name of the file that it has written; null when there is none or it was deleted. */
export function fileOf(job: Job, now: number): string | null {
  const file = job.result?.["file"];
  return typeof file === "string" && job.finishedAt !== null && now - job.finishedAt < FILE_MILLISECONDS ? file : null;
}

export function jobFields(job: Job, now: number) {
  const rate = rateOf(job, now);
  const left = job.total === null ? null : Math.max(0, job.total - job.done);
  return {
    job_id: job.jobId,
    kind: job.kind,
    input: job.input,
    state: job.state,
    cancel_asked: job.cancelAsked,
    done: job.done,
    total: job.total,
    rate_per_second: rate,
    eta_seconds: job.state === "running" && left !== null && rate !== null && rate > 0 ? Math.ceil(left / rate) : null,
    created_at: indiaDateTime(job.createdAt),
    started_at: job.startedAt === null ? null : indiaDateTime(job.startedAt),
    finished_at: job.finishedAt === null ? null : indiaDateTime(job.finishedAt),
    result: job.result && { ...job.result, file: fileOf(job, now) },
  };
}

function rateOf(job: Job, now: number): number | null {
  if (job.startedAt === null || job.done === 0) return null;
  const seconds = ((job.finishedAt ?? now) - job.startedAt) / 1000;
  return Math.round((job.done / Math.max(seconds, 0.001)) * 10) / 10;
}
