import type { JsonObject } from "../../../../platform/core/strict-json.ts";
import type { Queryable } from "../../../../platform/db/connection.ts";
import type { OrderKey } from "../../../orders/store.ts";

/** What is stored of a bill payment, for the provider's status query. */
export async function storedBillDetails(sql: Queryable, key: OrderKey): Promise<JsonObject | null> {
  const [row] = await sql<JsonObject[]>`
    select p.fetch_ref, coalesce(f.provider_ref, '') as fetch_provider_ref, f.params, f.customer_mobile, p.bill_number,
      p.customer_name, p.due_date, p.payment_mode
    from bill_payments p left join bill_fetches f on f.account_id = p.account_id and f.fetch_ref = p.fetch_ref
    where p.account_id = ${key.accountId} and p.order_id = ${key.orderId}`;
  return row ? withoutNulls(row) : null;
}

// A biller that is paid directly has no fetch.
function withoutNulls(row: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
