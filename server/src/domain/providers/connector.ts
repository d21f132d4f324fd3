import type { Money } from "../../platform/core/money.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { FailureCode } from "../shared/failure.ts";
import type { CallbackRefusal } from "./callbacks/refused-callback.ts";

/** A request to a provider. It contains no account, wallet or order state. */
export type ProviderRequest = {
  /** Our reference, unique forever; later status queries use it. */
  readonly reference: string;
  readonly service: string;
  /** The service's operation; empty for services with one operation. */
  readonly call: string;
  /** Our operator or biller code. */
  readonly operator: string;
  /** The number or account to serve. */
  readonly target: string;
  readonly amount: Money;
  readonly circle: string | null;
  /** When the order was created, in milliseconds since 1970. */
  readonly createdAt: number;
  /** Further details from the service. Passed to `send` only, never stored. */
  readonly details?: JsonObject;
};

/**
 * A fault on our side, which counts neither for the provider's breaker nor for its health. `order`: the order cannot be
 * expressed in the provider's format; `address`: the address rules refused the connection; `name`: the host name did not
 * resolve; `capacity`: all our connections to it were in use; `shutdown`: this process is stopping; `connector`: our code
 * failed; `credentials`: the provider does not accept ours.
 */
export type OwnFault = "order" | "address" | "name" | "capacity" | "shutdown" | "connector" | "credentials";

/** Why an order cannot be expressed in a provider's format. */
export type Unsuitable = { readonly why: string; readonly failure: FailureCode };

/**
 * The result of a request. `succeeded` and `declined` are final, because the provider's answer is declared final;
 * `not_sent` is proof that the provider never got the request. `pending` is the provider's answer; `unknown` is
 * everything else, because a missing answer is not a failure.
 */
export type Outcome =
  | {
      readonly kind: "succeeded";
      readonly operatorRef: string;
      /** When to poll again, because this provider may reverse a success. */
      readonly recheckAt?: number;
      /** Further data from the provider, for the service's part of the reply. */
      readonly result?: JsonObject;
    }
  /** `reason` is the provider's text, for staff; `failure` is the code that the client sees, `declined` by default. */
  | { readonly kind: "declined"; readonly reason: string; readonly failure?: FailureCode }
  | { readonly kind: "not_sent"; readonly why: string; readonly fault?: OwnFault; readonly failure?: FailureCode }
  | { readonly kind: "unknown"; readonly why: string; readonly fault?: OwnFault }
  | { readonly kind: "pending"; readonly why: string };

/** A provider's answer to a status query about an earlier request. */
export type Finding =
  | Outcome
  /** The provider has reversed a success. */
  | { readonly kind: "reversed"; readonly reason: string; readonly failure?: FailureCode }
  /** The provider has no such request. Counts only after the quiet time and twice in a row. */
  | { readonly kind: "not_found" };

/** An unsolicited status report from a provider. */
export type Report = { readonly reference: string; readonly finding: Finding };

export type Connector = {
  /** Decides before anything is charged whether the order can be expressed for the provider; null when it can. */
  readonly unsuitable?: (request: ProviderRequest) => Unsuitable | null;
  /** Sends a request once. Never throws: errors are outcomes. Must end soon after `signal` aborts. */
  readonly send: (request: ProviderRequest, signal: AbortSignal) => Promise<Outcome>;
  /** Queries the status of an earlier request by our reference. Never throws. */
  readonly ask: (request: ProviderRequest, signal: AbortSignal) => Promise<Finding>;
  /** How long after a request "not found" may still mean "not received yet". */
  readonly quietMilliseconds: number;
  /** How long `send` may take before its outcome is unknown. */
  readonly timeoutMilliseconds: number;
  /** Reads a message that arrived at /upstream/{provider}/callback. */
  readonly readCallback?: (message: ProviderMessage) => Report | CallbackRefusal;
  /** The query parameter that carries a callback's key, if there is one. */
  readonly callbackKeyName?: string;
  readonly close: () => Promise<void>;
};

export type ProviderMessage = {
  readonly method: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Passed to a connector at its creation, for status reports that it receives later. */
export type ReportTo = (report: Report) => void;
