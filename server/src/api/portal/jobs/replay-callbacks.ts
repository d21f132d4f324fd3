import type { BulkInput } from "../../../domain/bulk/bulk-job.ts";
import { resendCallbacks } from "../../../domain/bulk/resend-callbacks.ts";
import type { Job } from "../../../domain/jobs/job.ts";
import type { JobControl } from "../../../domain/jobs/kind.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { WorkContext } from "./kinds.ts";

export type ReplayInput = BulkInput;

/** Sends the callbacks of a preview again. A job that continues after a crash sends what is still waiting. */
export async function replayCallbacks(ctx: WorkContext, job: Job, control: JobControl): Promise<JsonObject> {
  const { done, skipped } = await resendCallbacks(ctx, { ...job, askedBy: `user:${job.askedBy}` }, control);
  const count = Number(done);
  const sent = count === 1 ? "1 callback is being sent again." : `${count} callbacks are being sent again.`;
  return { rows: count, message: Number(skipped) === 0 ? sent : `${sent} ${String(skipped)} were left out.` };
}
