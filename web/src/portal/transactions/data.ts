import { queryOptions } from "@tanstack/react-query";
import type { Schemas } from "../../portal-api.ts";
import { get } from "../api.ts";

export type Transaction = Schemas["Transaction"];
export type OrderCallback = Schemas["TransactionCallback"];
export type Attempt = OrderCallback["attempts"][number];
export type TransactionDetail = Schemas["TransactionDetail"];

const REFRESH_MILLISECONDS = 3000;

/** Reads a transaction and refreshes it until it is final. `base` is the API path of the account's transactions. */
export function transactionQuery(orderId: string, base: "/transactions" | "/sandbox/orders" = "/transactions") {
  return queryOptions({
    queryKey: [base, orderId],
    queryFn: ({ signal }) => get(`${base}/:order_id`, { order_id: orderId }, signal),
    refetchInterval: ({ state }) => (state.data !== undefined && isInProgress(state.data) ? REFRESH_MILLISECONDS : false),
  });
}

function isInProgress({ transaction, callbacks }: TransactionDetail): boolean {
  return transaction.status === "pending" || callbacks.some((callback) => callback.state === "waiting");
}
