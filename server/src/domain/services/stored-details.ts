import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Queryable, Sql } from "../../platform/db/connection.ts";
import type { OrdersContext } from "../orders/context.ts";
import type { Order } from "../orders/order.ts";
import { SERVICE as AEPS } from "./aeps/context.ts";
import { storedAepsDetails } from "./aeps/transactions/stored-details.ts";
import { SERVICE as BILLS } from "./bills/context.ts";
import { storedBillDetails } from "./bills/payments/stored-details.ts";
import { storedBusDetails } from "./bus/bookings/stored-details.ts";
import { SERVICE as BUS } from "./bus/context.ts";
import { SERVICE as TRANSFERS } from "./transfers/context.ts";
import { storedTransferDetails } from "./transfers/transactions/stored-details.ts";

type ReadDetails = (sql: Queryable, order: Order) => Promise<JsonObject | null>;

const BY_SERVICE: ReadonlyMap<string, ReadDetails> = new Map<string, ReadDetails>([
  [BILLS, storedBillDetails],
  [BUS, storedBusDetails],
  [TRANSFERS, storedTransferDetails],
  [AEPS, storedAepsDetails],
]);

/** What a service has stored of an order, for the provider's status query. */
export function storedDetailsReader(sql: Sql): OrdersContext["readStoredDetails"] {
  return async (order) => (await BY_SERVICE.get(order.service)?.(sql, order)) ?? null;
}
