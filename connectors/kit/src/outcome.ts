import type { Json, JsonObject } from "./json.ts";

/**
 * What a decline says about other providers. `final`: about this customer or number, so nobody else is tried. `provider`:
 * about this provider, so the next one is tried. `float`: the provider holds too little of our money; staff are alerted
 * and the next one is tried. `busy`: the provider has no capacity now; it is left alone for a while.
 */
export const DECLINE_CLASSES = ["final", "provider", "float", "busy"] as const;
export type DeclineClass = (typeof DECLINE_CLASSES)[number];

/** Reasons that a client may see. The provider's own words are for staff only. */
export const DECLINE_REASONS = [
  "number_not_valid",
  "amount_not_accepted",
  "circle_not_served",
  "customer_blocked",
  "limit_reached",
  "duplicate",
  "operator_down",
  "declined",
] as const;
export type DeclineReason = (typeof DECLINE_REASONS)[number];

/** What an answer may carry whatever its outcome. Amounts are decimals in rupees, such as "10.5". */
export type AnswerFacts = {
  /** The provider's own id of the transaction. The status operation gets it. */
  readonly providerRef?: string;
  /** Our balance at the provider after the transaction. */
  readonly balance?: string;
  /** What the provider charged us. */
  readonly cost?: string;
};

/**
 * The result of a transaction. `succeeded` and `declined` are final because the provider said so. `not_sent` is proof that
 * the provider never received the request. `pending` is the provider's answer. Everything else is `unknown`: a missing
 * answer is not a failure.
 */
export type Outcome = AnswerFacts &
  (
    | {
        readonly kind: "succeeded";
        /** The operator's, biller's or bank's reference: UTR, RRN, PNR, BBPS reference. */
        readonly operatorRef: string;
        /** What the operation adds to the reply; see the operation's result schema. */
        readonly result?: JsonObject;
        /** When to ask again, in milliseconds since 1970, because the provider may still reverse it. */
        readonly recheckAt?: number;
      }
    | {
        readonly kind: "declined";
        /** The provider's words, for staff. */
        readonly reason: string;
        /** `provider` by default. */
        readonly decline?: DeclineClass;
        /** `declined` by default. */
        readonly failure?: DeclineReason;
      }
    | { readonly kind: "not_sent" | "unknown" | "pending"; readonly why: string }
  );

/** The answer of a status operation. */
export type StatusFinding =
  | Outcome
  /** The provider took a success back. */
  | (AnswerFacts & { readonly kind: "reversed"; readonly reason: string; readonly failure?: DeclineReason })
  /** The provider has no such transaction. Counts only after the quiet time, and twice in a row. */
  | { readonly kind: "not_found" };

/** The answer of a query. `refused` is the provider's decision; `unavailable` means that there was no usable answer. */
export type QueryResult<Value = Json> =
  | { readonly kind: "answered"; readonly value: Value }
  | { readonly kind: "refused"; readonly reason: string; readonly code?: RefusalCode }
  | { readonly kind: "unavailable"; readonly why: string };

/** Refusals of queries that a service tells apart. */
export const REFUSAL_CODES = [
  "no_bill_due",
  "seat_unavailable",
  "trip_not_found",
  "not_cancellable",
  "otp_invalid",
  "otp_expired",
  "no_match",
  "rejected",
  "blocked",
  "not_found",
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];
