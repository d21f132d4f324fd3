import { createBatcher, type ObserveBatch } from "../../../platform/db/batching/batcher.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import { type OrderSummary, readOrderSummaries, type SingleOperationReference } from "../store.ts";

/** Finds an order by its client reference. Concurrent lookups share one statement. */
export type FindOrderSummary = (reference: SingleOperationReference) => Promise<OrderSummary | null>;

export function createOrderSummaryFinder(sql: Sql, observe?: ObserveBatch): FindOrderSummary {
  const batcher = createBatcher<SingleOperationReference, OrderSummary | null>({
    run: (references) => readOrderSummaries(sql, references),
    maxItems: 500,
    maxInFlight: 2,
    observe,
  });
  return batcher.submit;
}

const MAX_ORDERS = 50;

/** Ids of the orders with this client reference, in any service and, without an account, in any account. */
export async function findByClientReference(sql: Sql, reference: string, accountId: string | null): Promise<readonly string[]> {
  const rows = await sql<{ order_id: string }[]>`
    select o.order_id from accounts a cross join services s
    cross join lateral (select left(order_reference_digest(a.account_id, s.service, ${reference}, '')::text, -8) as prefix offset 0) d
    cross join lateral (
      select k.order_id from order_references k
      where k.digest between (d.prefix || '00000000')::uuid and (d.prefix || 'ffffffff')::uuid limit ${MAX_ORDERS}) o
    ${accountId === null ? sql`` : sql`where a.account_id = ${accountId}`} limit ${MAX_ORDERS}`;
  return rows.map((row) => row.order_id);
}
