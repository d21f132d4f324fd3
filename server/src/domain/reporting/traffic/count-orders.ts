import type { Fragment } from "postgres";
import { orderIdAt } from "../../../platform/core/ids.ts";
import type { Queryable } from "../../../platform/db/connection.ts";
import { SPAN_MILLISECONDS } from "./spans.ts";

export const MINUTE = 60_000;

/** An attempt after which another provider was tried; counted beside the states of orders. */
export const PASSED_ON = 3;

/**
 * Counts the orders of some minutes as order_counts stores them. Order ids begin with their time, so a minute is a range
 * of one index.
 */
export function countedOrders(sql: Queryable, minutes: readonly number[]): Fragment {
  // A literal, because a parameter would be parsed again for every row.
  const bounds = sql.unsafe(`'{${SPAN_MILLISECONDS.join(",")}}'::float8[]`);
  const firstIds = minutes.map((minute) => orderIdAt(minute));
  const endIds = minutes.map((minute) => orderIdAt(minute + MINUTE));
  return sql`
    with stretches as (
      select minute::timestamptz as minute, first_id, end_id
      from unnest(${minutes.map((minute) => new Date(minute).toISOString())}::text[], ${firstIds}::text[], ${endIds}::text[])
        as m (minute, first_id, end_id)
    ), ended as materialized (
      select m.minute, m.first_id, m.end_id, o.* from stretches m cross join lateral (
        select s.sandbox, o.provider, o.operator, o.state, o.attempt > 1 as was_passed_on,
          -- Only a success gives an operator's reference: with one, a failure is the second end of its order.
          case when o.state = 1 or (o.state = 2 and o.operator_ref is null)
            then width_bucket(date_part('epoch', o.updated_at - o.created_at) * 1000, ${bounds}) else -1 end as span,
          count(*)::int as orders,
          sum(case when o.credit or (o.state <> 1 and o.refunded is null) then 0 else o.amount - coalesce(o.refunded, 0) end)::bigint as owed
        from orders o join accounts s on s.account_id = o.account_id where o.order_id >= m.first_id and o.order_id < m.end_id
        group by 1, 2, 3, 4, 5, 6) o
    )
    select minute, sandbox, provider, operator, state, span::smallint as span, sum(orders)::int as orders, sum(owed)::bigint as owed
    from ended group by 1, 2, 3, 4, 5, 6
    union all
    select m.minute, o.sandbox, o.provider, o.operator, ${PASSED_ON}::smallint, -1::smallint, o.orders, 0::bigint
    -- Seldom any: the orders are gone through once more only where there are.
    from (select distinct minute, first_id, end_id from ended where was_passed_on) m cross join lateral (
      select s.sandbox, a.provider, o.operator, count(*)::int as orders
      from orders o join accounts s on s.account_id = o.account_id cross join lateral (
        select a.provider from order_attempts a where a.account_id = o.account_id and a.order_id = o.order_id and a.attempt < o.attempt offset 0) a
      where o.order_id >= m.first_id and o.order_id < m.end_id and o.attempt > 1
      group by 1, 2, 3) o`;
}
