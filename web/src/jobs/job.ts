import { jobsText } from "../messages/en/jobs.ts";
import { fill } from "../messages/fill.ts";
import { serverText } from "../messages/server-text.ts";
import type { Schemas as OperatorSchemas } from "../operator-api.ts";
import type { Schemas } from "../portal-api.ts";
import { countText, durationText } from "../ui/formats/format.ts";

/** A background job of an account or of the platform. */
export type Job = Schemas["Job"] | OperatorSchemas["Job"];

export function isOpen({ state }: Pick<Job, "state">): boolean {
  return state === "waiting" || state === "running";
}

/** Whether the job made a file that can be downloaded. */
export function hasFile({ state, result }: Pick<Job, "state" | "result">): boolean {
  return state === "done" && typeof result?.["file"] === "string";
}

/** What the service says about the job's end, if anything. */
export function messageOf({ result }: Pick<Job, "result">): string | null {
  const message = result?.["message"];
  return typeof message === "string" ? serverText(message) : null;
}

/** How far a job is, or what came of it. */
export function progressText(job: Job): string {
  if (job.state === "failed") return messageOf(job) ?? jobsText.theJobFailedAndMade;
  if (job.state === "done") {
    const rows = job.result?.["rows"];
    return messageOf(job) ?? fill(jobsText.done, { count: countText(typeof rows === "number" ? rows : job.done) });
  }
  const done = countText(job.done);
  const progress = job.total === null ? done : fill(jobsText.doneOfTotal, { done, total: countText(job.total) });
  if (!isOpen(job)) return progress;
  const rate = job.rate_per_second === null ? [] : [fill(jobsText.aSecond, { count: countText(job.rate_per_second) })];
  const left = job.eta_seconds === null ? [] : [fill(jobsText.left, { duration: durationText(job.eta_seconds) })];
  return [progress, ...rate, ...left].join(" · ");
}
