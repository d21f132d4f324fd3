import type { Queryable } from "../../../../platform/db/connection.ts";
import { stateNumber } from "../../../orders/order.ts";
import type { OrderKey } from "../../../orders/store.ts";

/** The AEPS details of an order. */
export type AepsTransaction = OrderKey & {
  readonly outletId: string;
  readonly operation: string;
  readonly bankName: string;
  readonly customerDigest: Buffer;
  readonly customerLast4: string;
  /** The day in India. */
  readonly day: string;
};

export async function insertTransaction(sql: Queryable, one: AepsTransaction): Promise<void> {
  await sql`
    insert into aeps_transactions (account_id, order_id, outlet_id, operation, bank_name, customer_digest, customer_last4, day)
    values (${one.accountId}, ${one.orderId}, ${one.outletId}, ${one.operation}, ${one.bankName}, ${one.customerDigest},
      ${one.customerLast4}, ${one.day})`;
}

export type AepsTransactionSummary = Pick<AepsTransaction, "outletId" | "bankName" | "customerLast4">;

export async function findTransaction(sql: Queryable, key: OrderKey): Promise<AepsTransactionSummary | null> {
  const [row] = await sql<{ outlet_id: string; bank_name: string; customer_last4: string }[]>`
    select outlet_id, bank_name, customer_last4 from aeps_transactions
    where account_id = ${key.accountId} and order_id = ${key.orderId}`;
  return row ? { outletId: row.outlet_id, bankName: row.bank_name, customerLast4: row.customer_last4 } : null;
}

export type CustomerDay = Pick<AepsTransaction, "accountId" | "outletId" | "customerDigest" | "day">;

/** A customer's withdrawals at an outlet on a day, except those that FAILED. */
export async function countWithdrawals(sql: Queryable, of: CustomerDay): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from aeps_transactions t
    join orders o on o.account_id = t.account_id and o.order_id = t.order_id
    where t.account_id = ${of.accountId} and t.outlet_id = ${of.outletId} and t.customer_digest = ${of.customerDigest}
      and t.day = ${of.day} and t.operation = 'cash_withdrawal' and o.state <> ${stateNumber("FAILED")}`;
  return row?.count ?? 0;
}
