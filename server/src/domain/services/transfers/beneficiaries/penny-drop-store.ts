import type { Queryable, Transaction } from "../../../../platform/db/connection.ts";
import { stateNumber } from "../../../orders/order.ts";
import type { OrderKey } from "../../../orders/store.ts";

export async function insertPennyDrop(tx: Transaction, order: OrderKey, beneficiaryId: string): Promise<void> {
  await tx`
    insert into transfer_penny_drops (account_id, order_id, beneficiary_id)
    values (${order.accountId}, ${order.orderId}, ${beneficiaryId})`;
}

/** The beneficiary's given name, and the name at the bank. */
export type PennyDropSummary = { readonly givenName: string; readonly verifiedName: string };

export async function readPennyDrop(sql: Queryable, key: OrderKey): Promise<PennyDropSummary | null> {
  const [row] = await sql<{ name: string; verified_name: string | null }[]>`
    select b.name, r.result ->> 'verified_name' as verified_name from transfer_penny_drops p
    join transfer_beneficiaries b on b.account_id = p.account_id and b.beneficiary_id = p.beneficiary_id
    left join order_results r on r.account_id = p.account_id and r.order_id = p.order_id
    where p.account_id = ${key.accountId} and p.order_id = ${key.orderId}`;
  return row ? { givenName: row.name, verifiedName: row.verified_name ?? "" } : null;
}

/** Keeps the names that the penny drops of a month have found, because their orders and results leave the database. */
export async function keepVerifiedNames(sql: Queryable, firstOrderId: string, endOrderId: string): Promise<void> {
  await sql`
    update transfer_penny_drops p set archived_name = r.result ->> 'verified_name'
    from orders o join order_results r on r.account_id = o.account_id and r.order_id = o.order_id
    where o.account_id = p.account_id and o.order_id = p.order_id and o.state = ${stateNumber("SUCCESS")}
      and p.order_id >= ${firstOrderId} and p.order_id < ${endOrderId}`;
}
