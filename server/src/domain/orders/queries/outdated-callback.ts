import type { Sql } from "../../../platform/db/connection.ts";
import { type Preview, type PreviewContext, previewCallback } from "../../callbacks/queries/preview-callback.ts";
import type { CallbackRow } from "../../callbacks/queries/read-callbacks.ts";
import { findById } from "../store.ts";

export const OUTDATED = "The order's status has changed since this callback.";

/** Refuses to sign an outdated callback: anybody could present an old, validly signed SUCCESS to the receiver. */
export async function previewUnlessOutdated(ctx: PreviewContext, callback: CallbackRow): Promise<Preview> {
  if (callback.state === "delivered" && (await isOutdated(ctx.sql, callback))) return { request: null, why: OUTDATED };
  return await previewCallback(ctx, callback.account_id, callback.callback_id);
}

/** Whether the order's status differs from the callback's. Some changes send no callback, such as a refund in version 2. */
export async function isOutdated(sql: Sql, callback: CallbackRow): Promise<boolean> {
  if (callback.kind !== "status") return false;
  const order = await findById(sql, callback.order_id, callback.account_id);
  return order !== null && order.state !== callback.status;
}
