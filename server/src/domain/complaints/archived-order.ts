import type { Fragment } from "postgres";
import type { Queryable } from "../../platform/db/connection.ts";

// A complaint stays in the database when the month of its order leaves, and its record shows the order for ever.

/** Keeps with their complaints what these show of the orders of a month that leaves. */
export async function keepOrdersOfComplaints(sql: Queryable, firstOrderId: string, endOrderId: string): Promise<void> {
  await sql`
    update complaints c set archived_order = jsonb_build_object('reference', o.reference, 'service', o.service, 'state', o.state,
      'amount', o.amount, 'fee', o.fee, 'target', o.target, 'operator', o.operator, 'provider', o.provider)
    from orders o
    where o.account_id = c.account_id and o.order_id = c.order_id and o.order_id >= ${firstOrderId} and o.order_id < ${endOrderId}`;
}

/** Joins the order `o` of a complaint `c`. Orders are looked up by key, because there are few complaints and many orders. */
export function withOrder(sql: Queryable): Fragment {
  return sql`
    left join lateral (select * from orders o where o.account_id = c.account_id and o.order_id = c.order_id offset 0) present on true
    cross join lateral (
      select present.reference, present.service, present.state, present.amount, present.fee, present.target, present.operator,
        present.provider
      where present.order_id is not null
      union all
      select kept.* from jsonb_to_record(c.archived_order) as kept (reference text, service text, state smallint, amount bigint,
        fee bigint, target text, operator text, provider text)
      where present.order_id is null and c.archived_order is not null) o`;
}
