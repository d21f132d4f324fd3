import { type Preview, type PreviewContext, previewCallback } from "../callbacks/preview-callback.ts";
import type { CallbackRow } from "../callbacks/read-callbacks.ts";
import { isOutdated } from "./outdated-callback.ts";

export const OUTDATED = "The order has another status since.";

/** What is never sent again is not signed again either: anybody could hand an old SUCCESS to the receiver with it. */
export async function previewUnlessOver(ctx: PreviewContext, callback: CallbackRow): Promise<Preview> {
  if (callback.state === "delivered" && (await isOutdated(ctx.sql, callback))) return { request: null, why: OUTDATED };
  return await previewCallback(ctx, callback.account_id, callback.callback_id);
}
