import { createBatcher, type ObserveBatch } from "../../../platform/db/batcher.ts";
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
