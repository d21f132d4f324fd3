import type { Money } from "../../platform/core/money.ts";
import type { Transaction } from "../../platform/db/connection.ts";

// Outbox rows are written in the transaction of the change that they report. Accounts without a URL get none.

type CallbackSubject = {
  readonly accountId: string;
  /** Begins with its time: the callbacks of an order are sent in the order of their ids. */
  readonly callbackId: string;
  readonly orderId: string;
  readonly urid: string;
};

export type StatusFacts = CallbackSubject & {
  readonly status: "SUCCESS" | "FAILED";
  readonly amount: Money;
  readonly target: string;
  readonly operatorRef: string | null;
};

/** Inserts the row for both versions. The caller decides whether a change is reported in the account's version. */
export async function insertStatusCallback(tx: Transaction, facts: StatusFacts, at: number): Promise<void> {
  const { accountId, callbackId, orderId, urid, status, amount, target, operatorRef } = facts;
  await tx`
    insert into callbacks (account_id, callback_id, kind, order_id, urid, status, amount, target, operator_ref, next_at, settings_version, created_at)
    select account_id, next_callback_id(for_account => account_id, for_order => ${orderId}, proposed => ${callbackId}), 'status', ${orderId}, ${urid}, ${status}, ${amount}, ${target}, ${operatorRef}, ${new Date(at)},
      callback_settings_version, ${new Date(at)}
    from accounts where account_id = ${accountId} and callback_url is not null`;
}

export type ComplaintFacts = CallbackSubject & {
  readonly complaintRef: string;
  readonly status: "RESOLVED" | "REFUNDED";
  readonly refundAmount: Money;
  readonly reason: string;
  readonly resolvedAt: number;
};

export async function insertComplaintCallback(tx: Transaction, facts: ComplaintFacts, at: number): Promise<void> {
  const { accountId, callbackId, orderId, urid, status, complaintRef, refundAmount, reason, resolvedAt } = facts;
  await tx`
    insert into callbacks (account_id, callback_id, kind, order_id, urid, status, complaint_ref, refund_amount, reason, resolved_at,
      next_at, settings_version, created_at)
    select account_id, next_callback_id(for_account => account_id, for_order => ${orderId}, proposed => ${callbackId}), 'complaint', ${orderId}, ${urid}, ${status}, ${complaintRef}, ${refundAmount}, ${reason},
      ${new Date(resolvedAt)}, ${new Date(at)}, callback_settings_version, ${new Date(at)}
    from accounts where account_id = ${accountId} and complaint_callback_url is not null`;
}
