import type { Fragment } from "postgres";
import type { Queryable } from "../../../platform/db/connection.ts";
import { LATENCY_BOUNDS_MILLISECONDS, LATENCY_BUCKETS } from "./latency.ts";

/** What a day's roll-ups are kept by, one at a time. */
export const DIMENSIONS = ["service", "operator", "circle", "provider", "reason"] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** The state of an order that FAILED after SUCCESS, in roll-ups. */
export const REVERSED = 3;

const PLACES = Array.from({ length: LATENCY_BUCKETS }, (_, place) => place);
/** India's hours begin half an hour after those of UTC. */
export const HOUR = "to_timestamp(floor((extract(epoch from o.created_at) + 1800) / 3600) * 3600 - 1800)";
// Only a success gives an operator's reference: with one, a failure is the second end of its order.
const STATE = `(case when o.state = 2 and o.operator_ref is not null then ${REVERSED} else o.state end)::smallint`;
const REASON = `case when o.state = 2 then coalesce(substring(o.reason from '^\\[([a-z_]{1,40})\\]'), 'other') else '' end`;
const BUCKET = `case when o.state = 1 or (o.state = 2 and o.operator_ref is null)
  then width_bucket(extract(epoch from o.updated_at - o.created_at)::float8 * 1000, '{${LATENCY_BOUNDS_MILLISECONDS.join(",")}}'::float8[]) end`;

/** Counts orders as order_rollups stores them. */
export function countedByHour(sql: Queryable, condition: Fragment): Fragment {
  const latency = PLACES.map((place) => `(count(*) filter (where bucket = ${place}))::int`).join(", ");
  return sql`
    select account_id, hour, service, operator, circle, provider, state, reason, count(*)::int as orders, sum(amount)::bigint as amount,
      array[${sql.unsafe(latency)}] as latency
    from (
      select o.account_id, ${sql.unsafe(HOUR)} as hour, o.service, o.operator, coalesce(o.circle, '') as circle, o.provider,
        ${sql.unsafe(STATE)} as state, ${sql.unsafe(REASON)} as reason, ${sql.unsafe(BUCKET)} as bucket, o.amount
      from orders o where ${condition}) o
    group by 1, 2, 3, 4, 5, 6, 7, 8`;
}

/** Sums rows like those of order_rollups as order_rollup_days stores them. */
export function summedByDay(sql: Queryable, hours: Fragment): Fragment {
  const latency = PLACES.map((place) => `sum(latency[${place + 1}])::int`).join(", ");
  const grouped = DIMENSIONS.map((one) => `(account_id, day, state, ${one})`).join(", ");
  const names = DIMENSIONS.map((one) => `when grouping(${one}) = 0 then '${one}'`).join(" ");
  return sql`
    select account_id, day, case ${sql.unsafe(names)} else 'all' end as dimension, coalesce(${sql.unsafe(DIMENSIONS.join(", "))}, '') as name, state,
      sum(orders)::int as orders, sum(amount)::bigint as amount, array[${sql.unsafe(latency)}] as latency
    from (select h.*, (h.hour at time zone 'Asia/Kolkata')::date as day from (${hours}) h) h
    group by grouping sets ((account_id, day, state), ${sql.unsafe(grouped)})`;
}

/** The part of an upsert that adds to a row which exists. `table` is the table's name. */
export function added(sql: Queryable, table: string): Fragment {
  const latency = PLACES.map((place) => `${table}.latency[${place + 1}] + excluded.latency[${place + 1}]`).join(", ");
  return sql.unsafe(
    `orders = ${table}.orders + excluded.orders, amount = ${table}.amount + excluded.amount, latency = array[${latency}]`,
  ) as unknown as Fragment;
}

/** The columns that a reader sums. `l1` and so on are the latency buckets. */
export function sums(sql: Queryable): Fragment {
  const latency = PLACES.map((place) => `sum(latency[${place + 1}])::int`).join(", ");
  return sql`sum(orders)::int as orders, sum(amount)::bigint as amount, array[${sql.unsafe(latency)}] as latency`;
}

/** A row of order_rollups with this before its account's id is the sum of a day of the account, by everything. */
export const ACCOUNT_DAY = "@";

/** Sums rows like those of order_rollups by account and day. */
export function accountDays(sql: Queryable, hours: Fragment, sign: 1 | -1 = 1): Fragment {
  return sql`
    select ${ACCOUNT_DAY} || account_id as account_id, ${dayOf(sql)} as hour, service, operator, circle, provider, state, reason, ${signedSums(sql, sign)}
    from (${hours}) h group by 1, 2, 3, 4, 5, 6, 7, 8`;
}

/** The rows of order_rollups that are sums over all accounts of a mode: of a day by everything, and of an hour in all. */
export const POOLED_DAYS = { live: "*live", test: "*test" } as const;
export const POOLED_HOURS = { live: "#live", test: "#test" } as const;
export const POOLED: readonly string[] = [...Object.values(POOLED_DAYS), ...Object.values(POOLED_HOURS)];

/** Sums rows like those of order_rollups over all accounts of a day. With `sign` -1 the sums are taken away when they are added. */
export function pooledDays(sql: Queryable, hours: Fragment, sign: 1 | -1 = 1): Fragment {
  return sql`
    select '*' || mode as account_id, ${dayOf(sql)} as hour, service, operator, circle, provider, state, reason, ${signedSums(sql, sign)}
    from (${withMode(sql, hours)}) h group by 1, 2, 3, 4, 5, 6, 7, 8`;
}

/** The same of an hour, in all. */
export function pooledHours(sql: Queryable, hours: Fragment, sign: 1 | -1 = 1): Fragment {
  return sql`
    select '#' || mode as account_id, hour, '' as service, '' as operator, '' as circle, '' as provider, state, '' as reason,
      ${signedSums(sql, sign)}
    from (${withMode(sql, hours)}) h group by 1, 2, state`;
}

function dayOf(sql: Queryable): Fragment {
  return sql.unsafe("date_trunc('day', hour at time zone 'Asia/Kolkata') at time zone 'Asia/Kolkata'") as unknown as Fragment;
}

function withMode(sql: Queryable, hours: Fragment): Fragment {
  return sql`
    select h.*, case when a.sandbox then 'test' else 'live' end as mode from (${hours}) h join accounts a on a.account_id = h.account_id`;
}

function signedSums(sql: Queryable, sign: 1 | -1): Fragment {
  const latency = PLACES.map((place) => `(${sign} * sum(latency[${place + 1}]))::int`).join(", ");
  return sql.unsafe(
    `(${sign} * sum(orders))::int as orders, (${sign} * sum(amount))::bigint as amount, array[${latency}] as latency`,
  ) as unknown as Fragment;
}
