import { createBatcher, type ObserveBatch } from "../../platform/db/batcher.ts";
import type { Sql } from "../../platform/db/connection.ts";
import { type OnlyReference, type OrderSummary, readOrderSummaries } from "./store.ts";

/** Finds an order by its client's reference, together with all others that are asked for meanwhile. */
export type LookUp = (reference: OnlyReference) => Promise<OrderSummary | null>;

export function createLookUp(sql: Sql, observe?: ObserveBatch): LookUp {
  const batcher = createBatcher<OnlyReference, OrderSummary | null>({
    run: (references) => readOrderSummaries(sql, references),
    maxItems: 500,
    maxInFlight: 2,
    observe,
  });
  return batcher.submit;
}
