import type { Sql } from "../../platform/db/connection.ts";
import type { CallbackRow } from "../callbacks/read-callbacks.ts";
import { findById } from "./store.ts";

/** The order may have turned without a callback of its own, as a refunded transfer does in version 2. */
export async function isOutdated(sql: Sql, callback: CallbackRow): Promise<boolean> {
  if (callback.kind !== "status") return false;
  const order = await findById(sql, callback.order_id, callback.account_id);
  return order !== null && order.state !== callback.status;
}
