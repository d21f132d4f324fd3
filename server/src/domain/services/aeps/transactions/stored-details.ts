import type { JsonObject } from "../../../../platform/core/strict-json.ts";
import type { Queryable } from "../../../../platform/db/connection.ts";
import type { Order } from "../../../orders/order.ts";

type Stored = { readonly outlet_id: string; readonly agent_code: string | null; readonly outlet_mobile: string };

/** What a provider's status operation may need of an AEPS order, as far as it is stored. */
export async function storedAepsDetails(sql: Queryable, order: Pick<Order, "accountId" | "orderId" | "operator">): Promise<JsonObject> {
  const [row] = await sql<Stored[]>`
    select t.outlet_id, o.agent_code, o.mobile as outlet_mobile from aeps_transactions t
    join aeps_outlets o on o.account_id = t.account_id and o.outlet_id = t.outlet_id
    where t.account_id = ${order.accountId} and t.order_id = ${order.orderId}`;
  return { ...row, bank_iin: order.operator };
}
