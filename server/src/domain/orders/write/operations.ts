import type { Money } from "../../../platform/core/money.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { AuditEntry } from "../../audit/append.ts";
import type { Failure } from "../../shared/failure.ts";
import type { AttemptRecord } from "../attempts/store.ts";
import type { FinalState, Order } from "../order.ts";

/** An operation of the writer. All operations go through one queue and are written in batches. */
export type Operation = Accept | Settle | SchedulePoll | Reverse | Cancel | TopUp | FailOver;

export type Accept = {
  readonly kind: "accept";
  readonly order: Order;
  /** The account's daily limit, for services that it applies to. */
  readonly dailyLimit: Money | null;
};

/** Ends a pending order. */
export type Settle = {
  readonly kind: "settle";
  readonly order: Order;
  readonly to: FinalState;
  readonly operatorRef: string | null;
  readonly failure: Failure | null;
  /** Further data from the provider, for the service's part of the reply. */
  readonly result?: JsonObject;
  /** The order may have a pending poll. */
  readonly hasPoll: boolean;
  /** The id of the callback, if this change needs one. */
  readonly callbackId: string;
  /** When to poll again, for providers that may reverse a success. */
  readonly recheckAt?: number;
  /** Applies to this attempt only: nothing changes when the order has moved to another provider meanwhile. */
  readonly ofAttempt?: number;
} & Audited &
  WithEvidence;

/** Keeps a pending order pending and schedules its next poll at `dueAt`. */
export type SchedulePoll = {
  readonly kind: "schedule poll";
  readonly order: Order;
  readonly why: string;
  readonly dueAt: number;
  /** A reply that says pending is about to be sent. */
  readonly answered: boolean;
} & WithEvidence;

/** Reverses a success. */
export type Reverse = {
  readonly kind: "reverse";
  readonly order: Order;
  readonly failure: Failure;
  readonly callbackId: string;
  /** A refund returns money that the client asked back; it is sent in other callback versions than a reversal. */
  readonly cause: "reversed" | "refunded";
} & Audited;

/** Cancels a success wholly or partly. The refund is limited to what earlier ones have left of the amount. */
export type Cancel = {
  readonly kind: "cancel";
  readonly order: Order;
  /** The cancellation's reference, unique in the account. */
  readonly cancelId: string;
  readonly refund: Money;
  /** Whether the whole order is cancelled. */
  readonly whole: boolean;
  readonly failure: Failure;
  readonly callbackId: string;
} & Audited;

/** A manual change writes its audit entry in the same transaction. */
export type Audited = { readonly audit?: AuditEntry };

/** What the provider was asked and answered, written in the same transaction, also when the order is found in another state. */
export type WithEvidence = { readonly evidence?: AttemptRecord | null };

export type TopUp = {
  readonly kind: "topup";
  readonly accountId: string;
  /** Negative for a debit. */
  readonly amount: Money;
  readonly reference: string;
  readonly note: string;
} & Audited;

/** Moves a pending order to another provider: closes the current attempt and records the next one before it starts. */
export type FailOver = {
  readonly kind: "fail over";
  readonly order: Order;
  readonly outcome: "declined" | "not_sent";
  readonly detail: string;
  readonly provider: string;
  readonly providerVersion: number | null;
} & WithEvidence;

/** The writer's result. `available` is the wallet's available balance after the batch. */
export type Written =
  | { readonly kind: "done"; readonly available: Money; readonly at: number }
  /** Accept: the reference already has an order. Settle, schedule poll, reverse: the order is in another state. */
  | { readonly kind: "found"; readonly order: Order; readonly available: Money }
  /** Accept: the reference belongs to an order whose month was archived and has left the database. */
  | { readonly kind: "archived"; readonly orderId: string }
  | { readonly kind: "insufficient funds" }
  | { readonly kind: "daily limit" }
  /** This operation cannot be written; the others of its batch were. */
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "topped up"; readonly available: Money; readonly entry: string; readonly sameAmount: boolean };

export function evidenceOf(operations: readonly Operation[]): readonly AttemptRecord[] {
  return operations.flatMap((one) => ("evidence" in one && one.evidence ? [one.evidence] : []));
}

export function accountOf(operation: Operation): string {
  return operation.kind === "topup" ? operation.accountId : operation.order.accountId;
}
