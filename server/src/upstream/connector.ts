import type { Money } from "../kernel/money.ts";
import type { JsonObject } from "../kernel/strict-json.ts";

/** What a provider is asked to do. It never sees an account of ours, a wallet or an order's state. */
export type UpstreamRequest = {
  /** Ours, unique for ever; what the provider is asked about later. */
  readonly reference: string;
  readonly service: string;
  /** Which of the service's transactions; empty where there is only one. */
  readonly call: string;
  /** Our operator or biller code. */
  readonly operator: string;
  /** The number or account to serve. */
  readonly target: string;
  readonly amount: Money;
  readonly circle: string | null;
  /** Milliseconds since 1970 at which the order was made. */
  readonly createdAt: number;
  /** What else the service knows of it. Given with `send` only, never kept. */
  readonly details?: JsonObject;
};

/**
 * What became of a request. `succeeded` and `declined` are final because the provider said so in words
 * that it has declared final; `not_sent` is proof that it never saw the request. Everything else is
 * `pending` (it said so) or `unknown` (nobody can say): no answer is not a failure.
 */
export type Outcome =
  | {
      readonly kind: "succeeded";
      readonly operatorRef: string;
      /** Ask again then: this provider takes some successes back. */
      readonly recheckAt?: number;
      /** What else it told, for the service's own part of the reply. */
      readonly result?: JsonObject;
    }
  | { readonly kind: "declined"; readonly reason: string }
  | { readonly kind: "pending" | "not_sent" | "unknown"; readonly why: string };

/** What a provider says about an earlier request. */
export type Finding =
  | Outcome
  /** It took back a success. */
  | { readonly kind: "reversed"; readonly reason: string }
  /** It has no such request; believed only after the quiet time, and twice in a row. */
  | { readonly kind: "not_found" };

/** Something a provider told us without being asked. */
export type Report = { readonly reference: string; readonly finding: Finding };

export type Connector = {
  /** Sends a request once. Never throws: what goes wrong is an outcome. Must end soon after `signal` aborts. */
  readonly send: (request: UpstreamRequest, signal: AbortSignal) => Promise<Outcome>;
  /** Asks about an earlier request by our reference. Never throws. */
  readonly ask: (request: UpstreamRequest, signal: AbortSignal) => Promise<Finding>;
  /** How long after a request "not found" may still mean "not there yet". */
  readonly quietMilliseconds: number;
  /** How long `send` may take before its outcome is unknown. */
  readonly timeoutMilliseconds: number;
  /** Reads a message that arrived at /upstream/{provider}/callback; null when it is none of this provider's. */
  readonly readCallback?: (message: UpstreamMessage) => Report | null;
  readonly close: () => Promise<void>;
};

export type UpstreamMessage = {
  readonly method: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Given to a connector when it is opened, for results that it learns by itself. */
export type ReportTo = (report: Report) => void;
