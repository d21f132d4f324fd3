import { queryOptions } from "@tanstack/react-query";
import type { Posting } from "../../orders/postings.tsx";
import type { TimelineEvent } from "../../orders/timeline.tsx";
import { get } from "../../ui/api.ts";

type OrderStatus = "SUCCESS" | "FAILED" | "pending";

/** An order in the list. */
export type Order = {
  readonly order_id: string;
  readonly account_id: string;
  readonly account_name: string;
  readonly service: string;
  readonly urid: string;
  readonly status: OrderStatus;
  /** The status that pages show. FAILED after SUCCESS is "Reversed". */
  readonly shown: OrderStatus | "Reversed";
  readonly amount: string;
  readonly fee: string;
  readonly account: string;
  readonly operator: string;
  readonly operator_name: string;
  readonly provider: string;
  readonly operator_ref: string | null;
  readonly reason: string | null;
  readonly created_at: string;
  readonly updated_at: string;
};

export type Attempt = {
  readonly attempt: number;
  readonly provider: string;
  readonly outcome: string | null;
  readonly detail: string | null;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly asked: {
    readonly reference: string;
    readonly service: string;
    readonly operator: string;
    readonly account: string;
    readonly amount: string;
    readonly circle: string | null;
  };
};

export type OrderCallback = {
  readonly callback_id: string;
  readonly kind: "status" | "complaint";
  readonly status: string;
  readonly version: number;
  readonly state: string;
  readonly attempts: number;
  readonly next_at: string | null;
  readonly last_http_status: number | null;
  readonly last_error: string | null;
};

export type OrderDetail = {
  readonly order: Order & {
    /** With four decimals; `amount` is as the client sent it. */
    readonly amount_exact: string;
    readonly circle: string | null;
    readonly call: string;
    readonly credit: boolean;
    readonly refunded: string | null;
    readonly answered_pending: boolean;
    readonly waiting: { readonly why: string; readonly polls: number; readonly next_at: string; readonly needs_human: boolean } | null;
  };
  readonly postings: readonly (Omit<Posting, "entry_id"> & { readonly seq: number })[];
  readonly attempts: readonly Attempt[];
  readonly callbacks: readonly OrderCallback[];
  readonly complaints: readonly { readonly complaint_ref: string; readonly status: string; readonly reason_code: string }[];
  readonly timeline: readonly TimelineEvent[];
};

/** The provider's response to a manual requery. */
export type Finding = { readonly provider: string; readonly said: string; readonly detail: string; readonly applied: boolean };

const REFRESH_MILLISECONDS = 3_000;

/** Reads an order and refreshes it until it is final. */
export function orderQuery(orderId: string) {
  return queryOptions({
    queryKey: ["/orders", orderId],
    queryFn: ({ signal }) => get<OrderDetail>(`/orders/${encodeURIComponent(orderId)}`, {}, signal),
    refetchInterval: ({ state }) => (state.data !== undefined && isInProgress(state.data) ? REFRESH_MILLISECONDS : false),
  });
}

function isInProgress({ order, callbacks }: OrderDetail): boolean {
  return order.status === "pending" || callbacks.some((callback) => callback.state === "waiting");
}
