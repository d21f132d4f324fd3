import type { Money } from "../../platform/core/money.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { FailureCode } from "../shared/failure.ts";
import type { CallbackRefusal } from "./refused-callback.ts";

/** What a provider is asked to do. It never sees an account of ours, a wallet or an order's state. */
export type ProviderRequest = {
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
 * A fault on our side. It says nothing about the provider, so it counts neither in its breaker nor in its health.
 * `order`: the order cannot be written in the provider's form; `address`: the address guard refused the connection;
 * `name`: its host name did not resolve; `capacity`: our own connections to it were all in use; `shutdown`: this process
 * is stopping; `connector`: our code failed; `credentials`: the provider answered that it does not accept ours.
 */
export type OwnFault = "order" | "address" | "name" | "capacity" | "shutdown" | "connector" | "credentials";

/** Why an order cannot be written for a provider. */
export type Unsuitable = { readonly why: string; readonly failure: FailureCode };

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
  /** `reason` is in the provider's words, for the staff; `failure` is what the client is told, `declined` when not given. */
  | { readonly kind: "declined"; readonly reason: string; readonly failure?: FailureCode }
  | { readonly kind: "not_sent"; readonly why: string; readonly fault?: OwnFault; readonly failure?: FailureCode }
  | { readonly kind: "unknown"; readonly why: string; readonly fault?: OwnFault }
  | { readonly kind: "pending"; readonly why: string };

/** What a provider says about an earlier request. */
export type Finding =
  | Outcome
  /** It took back a success. */
  | { readonly kind: "reversed"; readonly reason: string; readonly failure?: FailureCode }
  /** It has no such request; believed only after the quiet time, and twice in a row. */
  | { readonly kind: "not_found" };

/** Something a provider told us without being asked. */
export type Report = { readonly reference: string; readonly finding: Finding };

export type Connector = {
  /** Says before anything is charged or sent that this order cannot be written for the provider; null when it can. */
  readonly unsuitable?: (request: ProviderRequest) => Unsuitable | null;
  /** Sends a request once. Never throws: what goes wrong is an outcome. Must end soon after `signal` aborts. */
  readonly send: (request: ProviderRequest, signal: AbortSignal) => Promise<Outcome>;
  /** Asks about an earlier request by our reference. Never throws. */
  readonly ask: (request: ProviderRequest, signal: AbortSignal) => Promise<Finding>;
  /** How long after a request "not found" may still mean "not there yet". */
  readonly quietMilliseconds: number;
  /** How long `send` may take before its outcome is unknown. */
  readonly timeoutMilliseconds: number;
  /** Reads a message that arrived at /upstream/{provider}/callback. */
  readonly readCallback?: (message: ProviderMessage) => Report | CallbackRefusal;
  /** The query parameter that a callback's key is sent in, where there is one. */
  readonly callbackKeyName?: string;
  readonly close: () => Promise<void>;
};

export type ProviderMessage = {
  readonly method: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Given to a connector when it is opened, for results that it learns by itself. */
export type ReportTo = (report: Report) => void;
