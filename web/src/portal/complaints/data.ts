export type Complaint = {
  readonly complaint_ref: string;
  readonly order_id: string;
  readonly urid: string;
  readonly service: string;
  readonly reason_code: string;
  readonly description: string;
  readonly status: "OPEN" | "RESOLVED" | "REFUNDED";
  readonly stage: string;
  readonly refund_amount: string;
  readonly reason: string;
  readonly transaction_status: "SUCCESS" | "FAILED" | "pending";
  readonly raised_at: string;
  readonly due_by: string;
  readonly resolved_at: string | null;
};
