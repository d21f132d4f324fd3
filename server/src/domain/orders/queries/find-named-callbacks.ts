import type { Sql } from "../../../platform/db/connection.ts";
import type { CallbackQuery } from "../../callbacks/queries/read-callbacks.ts";
import { findByClientReference } from "./find-orders.ts";

/** The callbacks that a search names: by their id, or by their order's id or the client's reference. */
export async function findNamedCallbacks(sql: Sql, search: string, accountId: string | null): Promise<NonNullable<CallbackQuery["named"]>> {
  return { callbackId: search, orderIds: [search, ...(await findByClientReference(sql, search, accountId))] };
}
