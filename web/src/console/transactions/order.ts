import { queryOptions } from "@tanstack/react-query";
import type { Schemas } from "../../operator-api.ts";
import { refreshAfter } from "../../transactions/transaction.ts";
import { get } from "../api.ts";

/** An order in the list. */
export type Order = Schemas["OrderRow"];

export type Attempt = Schemas["OrderDetail"]["attempts"][number];

export type Exchange = Schemas["ProviderExchange"];

export type OrderCallback = Schemas["Callback"];

export type OrderDetail = Schemas["OrderDetail"];

/** The provider's response to a manual requery. */
export type Finding = Schemas["RequeriedOrder"]["finding"];

/** Reads an order and refreshes it until it is final. */
export function orderQuery(orderId: string) {
  return queryOptions({
    queryKey: ["/orders", orderId],
    queryFn: ({ signal }) => get("/orders/:order_id", { order_id: orderId }, signal),
    refetchInterval: ({ state: { data } }) => data !== undefined && refreshAfter(data.order, data.callbacks),
  });
}
