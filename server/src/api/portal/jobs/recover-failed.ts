import { z } from "zod";
import { recoverSince } from "../../../domain/callbacks/actions/recover-callbacks.ts";
import type { Job } from "../../../domain/jobs/job.ts";
import type { JobControl } from "../../../domain/jobs/kind.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { WorkContext } from "./kinds.ts";

const recoverInput = z.object({ since: z.string(), since_milliseconds: z.number() });
export type RecoverInput = z.infer<typeof recoverInput>;

/** Makes all callbacks undelivered since a time due at once. Safe to run again after a crash. */
export async function recoverFailed(ctx: WorkContext, job: Job, hand: JobControl): Promise<JsonObject> {
  const { queue: accountId, askedBy: userId } = job;
  const { since_milliseconds: since } = recoverInput.parse(job.input);
  const result = await recoverSince(ctx, {
    actor: `user:${userId}`,
    accountId,
    since,
    onProgress: (done, total) => hand.save({ done, total }),
    cancelled: hand.stopped,
  });
  await ctx.callbacks.makeDue([accountId]);
  const count = result?.recovered ?? 0;
  return { rows: count, message: count === 1 ? "1 callback is being sent again." : `${count} callbacks are being sent again.` };
}
