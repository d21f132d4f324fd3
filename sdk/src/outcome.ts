import type { CorprailError, CustomerRefund } from "./errors.js";

/** What every reply about a transaction says. Amounts are decimal texts, never numbers. */
export type TransactionFacts = {
  /** Your own reference: the `urid`, on the signed services the `request_id`. */
  readonly urid: string;
  readonly amount: string;
  readonly account: string;
  readonly code: number;
  readonly message: string;
};

export type OrderFacts = TransactionFacts & {
  readonly orderId: string;
  readonly operatorRef: string | null;
  /** Spendable at the moment of the reply; null while an account reason stands. */
  readonly balance: string | null;
};

/** Final, unless it is reversed later: then a FAILED callback comes, and it must be applied. */
export type Succeeded<Extra = unknown> = OrderFacts &
  Extra & { readonly outcome: "succeeded"; readonly final: true; readonly customerRefund: "not_due" };

export type Failed<Extra = unknown, Refund extends CustomerRefund = "due"> = OrderFacts &
  Extra & { readonly outcome: "failed"; readonly final: true; readonly customerRefund: Refund };

export type Pending<Extra = unknown> = OrderFacts &
  Extra & { readonly outcome: "pending"; readonly final: false; readonly customerRefund: "wait" };

/** Refused for an account or service reason: no order exists and nothing was charged. */
export type NotCreated<Refund extends CustomerRefund = "due"> = TransactionFacts & {
  readonly outcome: "not_created";
  readonly final: true;
  readonly customerRefund: Refund;
  /** Such as `kyc_not_verified`; null on recharge's own refusals, which say why in `message` only. */
  readonly error: string | null;
};

/** No answer came, and no look-up could tell: the transaction may exist. Look it up later, or send it again with the same reference. */
export type Unknown = {
  readonly outcome: "unknown";
  readonly final: false;
  readonly customerRefund: "wait";
  readonly urid: string;
  readonly message: string;
  readonly cause: CorprailError;
};

/** A transaction that exists. */
export type Order<Extra = unknown, Refund extends CustomerRefund = "due"> = Succeeded<Extra> | Failed<Extra, Refund> | Pending<Extra>;

/** What a call that makes a transaction comes to. */
export type Outcome<Extra = unknown, Refund extends CustomerRefund = "due"> = Order<Extra, Refund> | NotCreated<Refund> | Unknown;
