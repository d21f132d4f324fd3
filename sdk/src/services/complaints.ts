import type { Calls } from "../calls.js";
import { successFromWire } from "../codec.js";
import { UsageError } from "../errors.js";
import { List, type ListOptions } from "../list.js";
import type { CallOptions } from "../settings.js";
import type { DayRange, ExactlyOne, Open, ServiceName } from "./shared.js";

/** Every reason that a complaint can have. */
export const COMPLAINT_REASONS = [
  "not_credited",
  "wrong_number",
  "wrong_benefit",
  "wrong_amount",
  "duplicate_payment",
  "service_not_received",
  "beneficiary_not_credited",
  "debited_no_cash",
  "bus_not_provided",
  "refund_not_received",
  "other",
] as const;
export type ComplaintReason = (typeof COMPLAINT_REASONS)[number];

/** The transaction complained of, by exactly one of its references. */
export type ComplaintSubject =
  | ({ readonly service?: never } & ExactlyOne<"orderId" | "urid"> & { readonly requestId?: never })
  | { readonly requestId: string; readonly service?: ServiceName | undefined; readonly orderId?: never; readonly urid?: never };

export type ComplaintInput = ComplaintSubject & {
  readonly reason: ComplaintReason;
  /** 5 to 500 characters. */
  readonly description: string;
  /** Your reference of the complaint: a repeat gets the same record. Made for you unless set. */
  readonly complaintRequestId?: string | undefined;
};

export type ComplaintStatus = "OPEN" | "RESOLVED" | "REFUNDED";

export type Complaint = {
  readonly complaintRef: string;
  readonly orderId: string;
  readonly urid: string;
  readonly service: ServiceName;
  readonly reasonCode: ComplaintReason;
  readonly description: string;
  readonly status: ComplaintStatus;
  readonly stage: Open<"logged" | "with_operator" | "decided" | "refund_blocked">;
  readonly refundAmount: string;
  /** The decision in a sentence, or empty. */
  readonly reason: string;
  readonly transactionStatus: "SUCCESS" | "FAILED" | "pending";
  readonly raisedAt: string;
  readonly dueBy: string;
  readonly resolvedAt: string | null;
};

export type ComplaintFilter = DayRange & { readonly status?: ComplaintStatus | undefined };

const REFERENCE = /^[A-Za-z0-9-]{1,64}$/;

export class Complaints {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  async raise(input: ComplaintInput, options: CallOptions = {}): Promise<Complaint> {
    // Always sent, so that a retry finds the complaint that the first attempt raised.
    const complaintRequestId = input.complaintRequestId ?? this.#calls.newReference("sdk-");
    return successFromWire((await this.#calls.post("/complaints", { ...input, complaintRequestId }, options)).body) as Complaint;
  }

  /** The complaint, always authoritative over callbacks. */
  async get(complaintRef: string, options: CallOptions = {}): Promise<Complaint> {
    // The service takes no escapes in a path.
    if (!REFERENCE.test(complaintRef)) throw new UsageError("A complaint reference holds letters, digits and hyphens only.");
    return successFromWire((await this.#calls.get(`/complaints/${complaintRef}`, {}, options)).body) as Complaint;
  }

  list(filter: ComplaintFilter = {}, options: ListOptions = {}): List<Complaint> {
    return new List(this.#calls, "/complaints", filter, options);
  }
}
