import type { Money } from "../../platform/core/money.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { AuditEntry } from "../audit/append.ts";
import type { Failure } from "../shared/failure.ts";
import type { FinalState, Order, OrderState } from "./order.ts";

/** What can be asked of the writer. All of them go through one queue, in batches. */
export type Operation = Accept | Settle | Watch | Reverse | Cancel | TopUp | FailOver;

export type Accept = {
  readonly kind: "accept";
  readonly order: Order;
  /** The account's daily limit, for services that it applies to. */
  readonly dailyLimit: Money | null;
};

/** A pending order ends. */
export type Settle = {
  readonly kind: "settle";
  readonly order: Order;
  readonly to: FinalState;
  readonly operatorRef: string | null;
  readonly failure: Failure | null;
  /** What else the provider told of it, for the service's own part of the reply. */
  readonly result?: JsonObject;
  /** It may have a row among the watched ones. */
  readonly watched: boolean;
  /** For the callback that its end may need. */
  readonly callbackId: string;
  /** The provider takes some successes back: ask again then. */
  readonly recheckAt?: number;
  /** Said of this attempt only: it ends nothing when the order has gone on to another provider meanwhile. */
  readonly ofAttempt?: number;
} & ByHand;

/** A pending order stays so for now: somebody will ask about it at `dueAt`. */
export type Watch = {
  readonly kind: "watch";
  readonly order: Order;
  readonly why: string;
  readonly dueAt: number;
  /** A reply that says pending is about to go out. */
  readonly answered: boolean;
};

/** A success is taken back. */
export type Reverse = {
  readonly kind: "reverse";
  readonly order: Order;
  readonly failure: Failure;
  readonly callbackId: string;
  /** In which versions the client is told. */
  readonly notify: "always" | "version 3";
} & ByHand;

/** A success is cancelled, wholly or in part, for less than it cost. */
export type Cancel = {
  readonly kind: "cancel";
  readonly order: Order;
  /** Its own reference, unique in the account. */
  readonly cancelId: string;
  readonly refund: Money;
  /** Nothing is left of it. */
  readonly whole: boolean;
  readonly failure: Failure;
  readonly callbackId: string;
} & ByHand;

/** What a person did is audited in the same transaction. */
export type ByHand = { readonly audit?: AuditEntry };

export type TopUp = {
  readonly kind: "topup";
  readonly accountId: string;
  /** Negative for a debit. */
  readonly amount: Money;
  readonly reference: string;
  readonly note: string;
} & ByHand;

/** A pending order goes to another provider: the attempt before is closed, the next is on record before it starts. */
export type FailOver = {
  readonly kind: "fail over";
  readonly order: Order;
  readonly outcome: "declined" | "not_sent";
  readonly detail: string;
  readonly provider: string;
};

/** What the writer answers. `available` is the wallet's spendable money once the batch is written. */
export type Written =
  | { readonly kind: "done"; readonly available: Money; readonly at: number }
  /** Accept: the reference has an order already. Settle, watch, reverse: the order is in another state. */
  | { readonly kind: "found"; readonly order: Order; readonly available: Money }
  | { readonly kind: "thin" }
  | { readonly kind: "daily limit" }
  /** This operation cannot be written at all; the others of its batch were. */
  | { readonly kind: "broken"; readonly error: unknown }
  | { readonly kind: "topped up"; readonly available: Money; readonly entry: string; readonly sameAmount: boolean };

export function accountOf(operation: Operation): string {
  return operation.kind === "topup" ? operation.accountId : operation.order.accountId;
}

/** The state an operation assumes its order to be in. */
export function assumedState(operation: Settle | Watch | Reverse | Cancel | FailOver): OrderState {
  return operation.kind === "reverse" || operation.kind === "cancel" ? "SUCCESS" : "pending";
}
