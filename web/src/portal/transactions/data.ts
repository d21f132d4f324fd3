import { queryOptions } from "@tanstack/react-query";
import type { Schemas } from "../../portal-api.ts";
import { refreshAfter } from "../../transactions/transaction.ts";
import { get } from "../api.ts";

export type Transaction = Schemas["Transaction"];
export type OrderCallback = Schemas["TransactionCallback"];
export type Detail = Schemas["TransactionDetail"];

/** Reads a transaction and refreshes it until it is final. `base` is the API path of the account's transactions. */
export function transactionQuery(orderId: string, base: "/transactions" | "/sandbox/orders" = "/transactions") {
  return queryOptions({
    queryKey: [base, orderId],
    queryFn: ({ signal }) => get(`${base}/:order_id`, { order_id: orderId }, signal),
    refetchInterval: ({ state: { data } }) => data !== undefined && refreshAfter(data.transaction, data.callbacks),
  });
}
