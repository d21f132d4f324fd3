import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { findKnown } from "../../orders/find-known.ts";
import type { Order } from "../../orders/order.ts";
import { findById, type OrderKey } from "../../orders/store.ts";
import type { SignedContext } from "./context.ts";

/** Finds an order of this service and account by its id. */
export async function findOrderById(ctx: SignedContext, service: string, accountId: string, orderId: string): Promise<Order | null> {
  const order = await findById(ctx.sql, orderId, accountId);
  return order?.service === service ? order : null;
}

/** Whether a reference of the service's operation has an order; for `Route.knows`. */
export function knowsReference(ctx: SignedContext, service: string, operation = "") {
  return async (accountId: string, reference: string): Promise<boolean> =>
    (await findKnown(ctx.sql, { accountId, service, reference, operation })) !== null;
}

/** The provider's further data about an order. */
export async function readResult(ctx: SignedContext, key: OrderKey): Promise<JsonObject> {
  const [row] = await ctx.sql<{ result: JsonObject }[]>`
    select result from order_results where account_id = ${key.accountId} and order_id = ${key.orderId}`;
  return row?.result ?? {};
}
