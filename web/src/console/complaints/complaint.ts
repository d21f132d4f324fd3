import { queryOptions } from "@tanstack/react-query";
import { get } from "../../ui/api.ts";

export type Complaint = {
  readonly complaint_ref: string;
  readonly order_id: string;
  readonly account_id: string;
  readonly account_name: string;
  readonly urid: string;
  readonly service: string;
  readonly operator: string;
  readonly provider: string;
  readonly account: string;
  readonly amount: string;
  readonly fee: string;
  readonly reason_code: string;
  readonly description: string;
  readonly status: "OPEN" | "RESOLVED" | "REFUNDED";
  readonly stage: string;
  readonly blocked_by: string | null;
  readonly refund_amount: string;
  /** The reason for the decision. */
  readonly reason: string;
  readonly transaction_status: "SUCCESS" | "FAILED" | "pending";
  readonly raised_at: string;
  readonly due_by: string;
  readonly resolved_at: string | null;
};

export type ViewCounts = { readonly due: number; readonly overdue: number; readonly open: number; readonly refund_blocked: number };

const REFRESH_MILLISECONDS = 15_000;

export function complaintQuery(complaintRef: string) {
  return queryOptions({
    queryKey: ["/complaints", complaintRef],
    queryFn: ({ signal }) => get<Complaint>(`/complaints/${encodeURIComponent(complaintRef)}`, {}, signal),
    refetchInterval: ({ state }) => (state.data?.status === "OPEN" ? REFRESH_MILLISECONDS : false),
  });
}

export const viewsQuery = queryOptions({
  queryKey: ["/complaints", "views"],
  queryFn: ({ signal }) => get<ViewCounts>("/complaints/views", {}, signal),
  refetchInterval: REFRESH_MILLISECONDS,
});
