import { queryOptions } from "@tanstack/react-query";
import type { Posting } from "../../orders/postings.tsx";
import type { TimelineEvent } from "../../orders/timeline.tsx";
import { get } from "../../ui/api.ts";

export type Transaction = {
  readonly order_id: string;
  readonly urid: string;
  readonly service: string;
  readonly operator: string;
  readonly operator_name: string;
  readonly account: string;
  readonly amount: string;
  readonly fee: string;
  /** Commission earned when the order succeeds. */
  readonly commission: string;
  /** True when the transaction credits the wallet. */
  readonly credit: boolean;
  readonly refunded: string | null;
  readonly status: "SUCCESS" | "FAILED" | "pending";
  /** The status that pages show. FAILED after SUCCESS is "Reversed". */
  readonly shown: "SUCCESS" | "FAILED" | "pending" | "Reversed";
  readonly operator_ref: string | null;
  readonly reason: string | null;
  readonly created_at: string;
  readonly updated_at: string;
};

export type Attempt = {
  readonly attempt: number;
  readonly at: string;
  readonly url: string;
  readonly version: number;
  readonly http_status: number | null;
  readonly error: string | null;
  readonly milliseconds: number;
};

export type OrderCallback = {
  readonly callback_id: string;
  readonly kind: "status" | "complaint";
  readonly status: string;
  readonly complaint_ref: string | null;
  readonly version: number;
  readonly state: string;
  readonly next_at: string | null;
  readonly created_at: string;
  readonly delivered_at: string | null;
  readonly attempts: readonly Attempt[];
};

export type TransactionDetail = {
  readonly transaction: Transaction & {
    readonly circle: string | null;
    readonly answered_pending: boolean;
    readonly waiting: { readonly why: string; readonly polls: number; readonly next_at: string; readonly needs_human: boolean } | null;
  };
  readonly timeline: readonly TimelineEvent[];
  readonly ledger: readonly Posting[];
  readonly complaints: readonly {
    readonly complaint_ref: string;
    readonly status: string;
    readonly reason_code: string;
    readonly raised_at: string;
  }[];
  readonly callbacks: readonly OrderCallback[];
};

const REFRESH_MILLISECONDS = 3000;

/** Reads a transaction and refreshes it until it is final. `base` is the API path of the account's transactions. */
export function transactionQuery(orderId: string, base = "/transactions") {
  return queryOptions({
    queryKey: [base, orderId],
    queryFn: ({ signal }) => get<TransactionDetail>(`${base}/${encodeURIComponent(orderId)}`, {}, signal),
    refetchInterval: ({ state }) => (state.data !== undefined && isInProgress(state.data) ? REFRESH_MILLISECONDS : false),
  });
}

function isInProgress({ transaction, callbacks }: TransactionDetail): boolean {
  return transaction.status === "pending" || callbacks.some((callback) => callback.state === "waiting");
}
