import type { Queryable } from "../../../../platform/db/connection.ts";
import type { Row } from "../../../../platform/db/schema/row-types.ts";
import type { OrderKey } from "../../../orders/store.ts";

/** The details of a bill payment, as its reply shows them. */
export type Payment = {
  /** Null for a biller that is paid directly. */
  readonly fetchRef: string | null;
  readonly billerId: string;
  readonly billerName: string;
  readonly category: string;
  readonly billNumber: string;
  readonly customerName: string;
  readonly dueDate: string;
  readonly paymentMode: string;
};

/** Returns false when the fetch was already used for another payment. */
export async function insertPayment(sql: Queryable, key: OrderKey, payment: Payment): Promise<boolean> {
  const { count } = await sql`
    insert into bill_payments (account_id, order_id, fetch_ref, biller_id, biller_name, category, bill_number, customer_name, due_date,
      payment_mode)
    values (${key.accountId}, ${key.orderId}, ${payment.fetchRef}, ${payment.billerId}, ${payment.billerName}, ${payment.category},
      ${payment.billNumber}, ${payment.customerName}, ${payment.dueDate}, ${payment.paymentMode})
    on conflict (account_id, fetch_ref) do nothing`;
  return count > 0;
}

/** The order that paid a fetch; null when none did. A payment stays when its fetch is deleted because of its age. */
export async function findPayingOrderId(sql: Queryable, accountId: string, fetchRef: string): Promise<string | null> {
  const [row] = await sql<Pick<Row<"bill_payments">, "order_id">[]>`
    select order_id from bill_payments where account_id = ${accountId} and fetch_ref = ${fetchRef}`;
  return row?.order_id ?? null;
}

type PaymentRow = Pick<
  Row<"bill_payments">,
  "fetch_ref" | "biller_id" | "biller_name" | "category" | "bill_number" | "customer_name" | "due_date" | "payment_mode"
>;

export async function readPayment(sql: Queryable, key: OrderKey): Promise<Payment> {
  const [row] = await sql<PaymentRow[]>`
    select fetch_ref, biller_id, biller_name, category, bill_number, customer_name, due_date, payment_mode from bill_payments
    where account_id = ${key.accountId} and order_id = ${key.orderId}`;
  if (!row) throw new Error(`The order ${key.orderId} has no bill payment.`);
  return {
    fetchRef: row.fetch_ref,
    billerId: row.biller_id,
    billerName: row.biller_name,
    category: row.category,
    billNumber: row.bill_number,
    customerName: row.customer_name,
    dueDate: row.due_date,
    paymentMode: row.payment_mode,
  };
}
