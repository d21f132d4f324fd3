import type { JsonObject } from "../../../../platform/core/strict-json.ts";
import type { Queryable } from "../../../../platform/db/connection.ts";
import type { OrderKey } from "../../../orders/store.ts";

/** What is stored of a booking, for the provider's status query. */
export async function storedBusDetails(sql: Queryable, key: OrderKey): Promise<JsonObject | null> {
  const [row] = await sql<JsonObject[]>`
    select b.block_ref, b.provider_ref as block_provider_ref, coalesce(t.provider_trip_id, b.trip_id) as trip_id,
      (select coalesce(json_agg(s.seat order by s.seat), '[]') from bus_block_seats s
       where s.account_id = b.account_id and s.block_ref = b.block_ref) as seats
    from bus_blocks b left join bus_trips t on t.provider = b.provider and t.trip_id = b.trip_id
    where b.account_id = ${key.accountId} and b.order_id = ${key.orderId}`;
  return row ?? null;
}
