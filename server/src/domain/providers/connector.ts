import type { AnswerFacts, DeclineClass, OperationName, QueryInput, QueryName, QueryResult, QueryValue } from "@corprail/connector";
import type { Money } from "../../platform/core/money.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { FailureCode } from "../shared/failure.ts";
import type { CallbackRefusal } from "./callbacks/refused-callback.ts";
import type { Exchange } from "./wire/call.ts";

/** A request to a provider. It contains no account, wallet or order state. */
export type ProviderRequest = {
  /** Our reference, unique forever; later status queries use it. */
  readonly reference: string;
  readonly service: string;
  /** The service's operation; empty for services with one operation. */
  readonly operation: string;
  /** Our operator or biller code. */
  readonly operator: string;
  /** The number or account to serve. */
  readonly target: string;
  readonly amount: Money;
  readonly circle: string | null;
  /** When the order was created, in milliseconds since 1970. */
  readonly createdAt: number;
  /** What the service adds. `send` gets all of it; a status query gets only what the service has stored for the order. */
  readonly details?: JsonObject;
  /** The provider's own id of the transaction, if an earlier answer had one. Only in status queries. */
  readonly providerRef?: string;
};

/**
 * A fault on our side, which counts neither for the provider's breaker nor for its health. `order`: the order cannot be
 * expressed in the provider's format; `address`: the address rules refused the connection; `name`: the host name did not
 * resolve; `capacity`: all our connections to it were in use; `shutdown`: this process is stopping; `connector`: our code
 * failed; `credentials`: the provider does not accept ours; `proxy`: our egress proxy made no connection.
 */
export type OwnFault = "order" | "address" | "name" | "capacity" | "shutdown" | "connector" | "credentials" | "proxy";

/** Why an order cannot be expressed in a provider's format. */
export type Unsuitable = { readonly why: string; readonly failure: FailureCode };

/**
 * The result of a request. `succeeded` and `declined` are final, because the provider's answer is declared final;
 * `not_sent` is proof that the provider never got the request. `pending` is the provider's answer; `unknown` is
 * everything else, because a missing answer is not a failure.
 */
export type Outcome = AnswerFacts & OutcomeKind;

/** The service of an order with its operator, biller or bank. */
export type ServedPart = { readonly service: string; readonly operator: string };

type OutcomeKind =
  | {
      readonly kind: "succeeded";
      readonly operatorRef: string;
      /** When to poll again, because this provider may reverse a success. */
      readonly recheckAt?: number;
      /** Further data from the provider, for the service's part of the reply. */
      readonly result?: JsonObject;
    }
  /**
   * `reason` is the provider's text, for staff; `failure` is the code that the client sees, `declined` by default; `decline`
   * says whether another provider may be tried, `provider` by default.
   */
  | { readonly kind: "declined"; readonly reason: string; readonly failure?: FailureCode; readonly decline?: DeclineClass }
  | { readonly kind: "not_sent"; readonly why: string; readonly fault?: OwnFault; readonly failure?: FailureCode }
  | { readonly kind: "unknown"; readonly why: string; readonly fault?: OwnFault }
  | { readonly kind: "pending"; readonly why: string };

/** A provider's answer to a status query about an earlier request. */
export type Finding =
  | Outcome
  /** The provider has reversed a success. */
  | (AnswerFacts & { readonly kind: "reversed"; readonly reason: string; readonly failure?: FailureCode })
  /** The provider has no such request. Counts only after the quiet time and twice in a row. */
  | { readonly kind: "not_found" };

/** An unsolicited status report from a provider. */
export type Report = {
  /** Our reference as the provider got it, or the provider's own id when `referenceIs` says so. */
  readonly reference: string;
  readonly referenceIs?: "provider_ref";
  /** `ask`: the report proves nothing, for example because it is not signed, and only makes us ask the provider. */
  readonly finding: Finding | { readonly kind: "ask" };
  /** Why a reported success is not about this order, for example because of another amount; null when it is. */
  readonly differs?: (order: ProviderRequest) => string | null;
  /** The version of the description by which it was read; absent for a provider without versions. */
  readonly version?: number;
  /** Reads the same message by another version, or by the current one when it is null. */
  readonly readAs?: (version: number | null) => Report | CallbackRefusal;
};

/** One exchange with a provider, as evidence: masked and of bounded size. */
export type ProviderExchange = {
  readonly operation: string;
  readonly startedAt: number;
  readonly milliseconds: number;
  readonly request: string;
  /** Null when there was no answer; `problem` then says why. */
  readonly reply: string | null;
  readonly problem: string | null;
};

/** Collects the exchanges of one call. */
export type Recorder = (exchange: ProviderExchange) => void;

/** The form of references that a provider demands. References of this form are stored, so that callbacks find their order. */
export type ReferenceForm = {
  readonly characters: "digits" | "capitals_and_digits";
  readonly length: number;
  /** The day in India that precedes the rest. */
  readonly date: "none" | "yyMMdd" | "yyyyMMdd";
  readonly prefix: string;
};

/** When the status of a transaction in doubt is queried: after the first delay, then at the interval. */
export type PollingPolicy = { readonly firstMilliseconds: number; readonly everyMilliseconds: number };

/** When an order may be sent again, to a provider that carries the same reference out once. */
type ResendPolicy = { readonly afterMilliseconds: number; readonly times: number };

/** What a connector says of one operation; what is absent is as the connector says of all. */
export type OperationPolicy = {
  readonly polling?: PollingPolicy;
  readonly quietMilliseconds?: number;
  readonly resend?: ResendPolicy;
};

export type Connector = {
  /** Every operation that it can carry out. */
  readonly operations: ReadonlySet<OperationName>;
  /** Decides before anything is charged whether the order can be expressed for the provider; null when it can. */
  readonly unsuitable?: (request: ProviderRequest) => Unsuitable | null;
  /** Sends a request once. Never throws: errors are outcomes. Must end soon after `signal` aborts. */
  readonly send: (request: ProviderRequest, signal: AbortSignal, record?: Recorder) => Promise<Outcome>;
  /** Queries the status of an earlier request by our reference, the provider's, or both. Never throws. */
  readonly ask: (request: ProviderRequest, signal: AbortSignal, record?: Recorder) => Promise<Finding>;
  /** Asks for data. Never throws, and the value has the operation's schema. */
  readonly query: <Name extends QueryName>(
    name: Name,
    input: QueryInput<Name>,
    signal: AbortSignal,
    record?: Recorder,
  ) => Promise<QueryResult<QueryValue<Name>>>;
  /** Logs in anew, for a check of the connection; null when that worked, else why not. Absent: there is no login of its own. */
  readonly logIn?: (record?: Recorder) => Promise<string | null>;
  /** Absent: the provider takes our references as they are. */
  readonly referenceForm?: ReferenceForm;
  /** Absent: the usual schedule. */
  readonly polling?: PollingPolicy;
  /** What differs for the operation of an order. */
  readonly policyOf?: (order: Pick<ProviderRequest, "service" | "operation">) => OperationPolicy;
  /** The shortest time between two balance queries. Absent: as often as the service asks all providers. */
  readonly balanceMilliseconds?: number;
  /** How long after a request "not found" may still mean "not received yet". */
  readonly quietMilliseconds: number;
  /** How long `send` may take before its outcome is unknown. */
  readonly timeoutMilliseconds: number;
  /** How long a query may take before it ends without an answer. Absent: as long as `send`. */
  readonly queryMilliseconds?: (name: QueryName) => number;
  /** Reads a message that arrived at /upstream/{provider}/callback. */
  readonly readCallback?: (message: ProviderMessage) => Report | CallbackRefusal;
  /** The query parameter that carries a callback's key, if there is one. */
  readonly callbackKeyName?: string;
  /** What an accepted callback is answered, if the provider expects a certain text. */
  readonly callbackReply?: (message: ProviderMessage) => CallbackReply;
  /** Reads the answers of another version's call as this version would. Sends nothing. Absent: there are no versions. */
  readonly readAgain?: (call: ReadCall) => Promise<Finding>;
  readonly close: () => Promise<void>;
};

/** A call of an order with what the provider answered to each of its requests. */
export type ReadCall = {
  readonly part: "send" | "status";
  readonly request: ProviderRequest;
  readonly exchanges: readonly Exchange[];
};

/** Takes a call of an order and what it was understood as. Never throws and never waits. */
export type Shadow = (call: ReadCall, finding: Finding) => void;

export type CallbackReply = { readonly status: number; readonly contentType: string; readonly body: string };

export type ProviderMessage = {
  readonly method: string;
  /** What follows /upstream/{provider}/callback, such as `/payment/status`; empty for the address itself. */
  readonly path: string;
  /** The sender's address. */
  readonly source: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Passed to a connector at its creation, for status reports that it receives later. */
export type ReportTo = (report: Report) => void;
