import { z } from "zod";
import { recoverSince } from "../../callbacks/recover-callbacks.ts";
import type { JsonObject } from "../../kernel/strict-json.ts";
import type { Job } from "./job.ts";
import type { JobHand, WorkContext } from "./kinds.ts";

const input = z.object({ since_milliseconds: z.number() });

/** Makes an account's undelivered callbacks due. Doing it twice does no harm, so it has no place: it begins anew. */
export async function recoverCallbacks(ctx: WorkContext, job: Job, hand: JobHand): Promise<JsonObject> {
  const { since_milliseconds: since } = input.parse(job.input);
  let [done, total] = [0, 0];
  const result = await recoverSince(ctx, {
    ...{ actor: `user:${job.userId}`, accountId: job.accountId, since },
    onProgress: async (recovered, ofAll) => {
      [done, total] = [recovered, ofAll];
      await hand.progress(recovered, ofAll);
    },
    cancelled: hand.stopped,
  });
  if (!hand.stopped()) await hand.save({ done, total });
  return { recovered: result?.recovered ?? 0 };
}
