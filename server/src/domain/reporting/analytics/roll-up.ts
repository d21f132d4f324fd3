import { setTimeout as wait } from "node:timers/promises";
import type { Fragment } from "postgres";
import { orderIdAt } from "../../../platform/core/ids.ts";
import type { Sql, Transaction } from "../../../platform/db/connection.ts";
import type { OverviewContext } from "../context.ts";
import { ACCOUNT_DAY, accountDays, added, countedByHour, POOLED, pooledDays, pooledHours, summedByDay } from "./roll-up-sql.ts";

export const ROLL_UP_MILLISECONDS = 5_000;
/**
 * Orders are rolled up when they are this old. By then their transactions have begun, and so have those of their quick
 * changes: write_orders records the changes of orders that are older than 30 seconds.
 */
const LAG_MILLISECONDS = 120_000;
const ORDERS_A_STEP = 20_000;
const CHANGES_A_STEP = 500;
const BUDGET_MILLISECONDS = 500;
const WRITER_TRIES = 20;
const WRITER_WAIT_MILLISECONDS = 50;

/** Rolls up the orders that are old enough, and corrects hours in which orders changed later. Returns the number of orders. */
export async function rollUpOrders({ sql, clock }: Pick<OverviewContext, "sql" | "clock">): Promise<number> {
  const ends = performance.now() + BUDGET_MILLISECONDS;
  let orders = 0;
  for (;;) {
    const step = await rollUpStep(sql, clock.now());
    orders += step.orders;
    if (!step.isMore || performance.now() > ends) return orders;
  }
}

type Step = { readonly orders: number; readonly isMore: boolean };

/** One step in one transaction, so that after a crash every order is still counted exactly once. */
export async function rollUpStep(sql: Sql, now: number): Promise<Step> {
  const until = orderIdAt(now - LAG_MILLISECONDS);
  if (!(await awaitWriters(sql))) return { orders: 0, isMore: false };
  // One snapshot for the orders and their changes: a change is either in the counted row or in order_rollup_changes.
  return await sql.begin("isolation level repeatable read", async (tx) => {
    const [position] = await tx<{ next_order_id: string }[]>`
      select next_order_id from order_rollup_position for update skip locked`;
    if (position === undefined) return { orders: 0, isMore: false };
    const from = position.next_order_id;
    const corrected = await correctHours(tx, from);
    const end = await endOfStep(tx, from, until);
    if (end === null) return { orders: 0, isMore: corrected === CHANGES_A_STEP };
    const orders = await addOrders(tx, from, end);
    await tx`update order_rollup_position set next_order_id = ${end}`;
    return { orders, isMore: end < until || corrected === CHANGES_A_STEP };
  });
}

/** Waits until everybody has finished who is writing orders now. False if one of them takes too long. */
async function awaitWriters(sql: Sql): Promise<boolean> {
  const writers = await readWriters(sql);
  for (let tries = 0; tries < WRITER_TRIES; tries++) {
    const now = writers.size === 0 ? writers : await readWriters(sql);
    if (![...writers].some((one) => now.has(one))) return true;
    await wait(WRITER_WAIT_MILLISECONDS);
  }
  return false;
}

/** The transactions that hold a lock for writing on orders. */
async function readWriters(sql: Sql): Promise<ReadonlySet<string>> {
  const rows = await sql<{ writer: string }[]>`
    select l.virtualtransaction as writer from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and l.relation = 'orders'::regclass and l.mode = 'RowExclusiveLock' and l.granted`;
  return new Set(rows.map((row) => row.writer));
}

/** The id up to which this step counts; null if there is nothing to count. */
async function endOfStep(tx: Transaction, from: string, until: string): Promise<string | null> {
  const [row] = await tx<{ last: string | null; count: number }[]>`
    select max(order_id) as last, count(*)::int as count from (
      select order_id from orders where order_id >= ${from} and order_id < ${until} order by order_id limit ${ORDERS_A_STEP}) o`;
  if (row === undefined || row.last === null) return null;
  // The next possible id after the last one of a full step.
  return row.count === ORDERS_A_STEP ? `${row.last}0` : until;
}

async function addOrders(tx: Transaction, from: string, end: string): Promise<number> {
  const [row] = await tx<{ orders: number }[]>`
    with counted as materialized (${countedByHour(tx, tx`o.order_id >= ${from} and o.order_id < ${end}`)}
    ), pooled_days as materialized (${pooledDays(tx, tx`select * from counted`)}
    ), hours as (
      insert into order_rollups (account_id, hour, service, operator, circle, provider, state, reason, orders, amount, latency)
      select * from counted union all select * from pooled_days union all (${pooledHours(tx, tx`select * from counted`)})
        union all (${accountDays(tx, tx`select * from counted`)})
      on conflict (account_id, hour, service, operator, circle, provider, state, reason) do update set ${added(tx, "order_rollups")}
    ), days as (
      insert into order_rollup_days (account_id, day, dimension, name, state, orders, amount, latency)
      ${summedByDay(tx, tx`select * from counted union all select * from pooled_days`)}
      on conflict (account_id, dimension, day, name, state) do update set ${added(tx, "order_rollup_days")}
    )
    select coalesce(sum(orders), 0)::int as orders from counted`;
  return row?.orders ?? 0;
}

type Hour = { readonly account_id: string; readonly hour: Date };

/** Counts the hours of changed orders again, up to the position. Returns the number of changes. */
async function correctHours(tx: Transaction, position: string): Promise<number> {
  const changes = await tx<{ account_id: string; order_id: string }[]>`
    delete from order_rollup_changes c using (
      select account_id, order_id, state, attempt from order_rollup_changes limit ${CHANGES_A_STEP}) d
    where c.account_id = d.account_id and c.order_id = d.order_id and c.state = d.state and c.attempt = d.attempt
    returning c.account_id, c.order_id`;
  // An order that is not rolled up yet will be counted with its change.
  const known = changes.filter((change) => change.order_id < position);
  const hours = await tx<Hour[]>`
    select distinct o.account_id, to_timestamp(floor((extract(epoch from o.created_at) + 1800) / 3600) * 3600 - 1800) as hour
    from unnest(${known.map((one) => one.account_id)}::text[], ${known.map((one) => one.order_id)}::text[]) as c (account_id, order_id)
    join orders o on o.account_id = c.account_id and o.order_id = c.order_id
    -- An order that a wrong clock put into an archived month: a recount of its hour would lack the orders that have left.
    where not exists (select from archived_months m where c.order_id >= m.first_order_id and c.order_id < m.end_order_id)`;
  for (const hour of hours) await recountHour(tx, hour, position);
  return changes.length;
}

const HOUR_MILLISECONDS = 3_600_000;
// The time of an order's id is a little before that of its creation.
const EARLY_MILLISECONDS = 600_000;

async function recountHour(tx: Transaction, { account_id: accountId, hour }: Hour, position: string): Promise<void> {
  const end = new Date(hour.getTime() + HOUR_MILLISECONDS);
  const [firstId, endId] = [orderIdAt(hour.getTime() - EARLY_MILLISECONDS), orderIdAt(end.getTime() + EARLY_MILLISECONDS)];
  const ofHour = tx`o.account_id = ${accountId} and o.created_at >= ${hour} and o.created_at < ${end}
    and o.order_id >= ${firstId} and o.order_id < ${endId} and o.order_id < ${position}`;
  const rolledUp = tx`select * from order_rollups where account_id = ${accountId} and hour = ${hour}`;
  const columns = tx`(account_id, hour, service, operator, circle, provider, state, reason, orders, amount, latency)`;
  await addToSums(tx, rolledUp, -1);
  await tx`delete from order_rollups where account_id = ${accountId} and hour = ${hour}`;
  await tx`insert into order_rollups ${columns} ${countedByHour(tx, ofHour)}`;
  await addToSums(tx, rolledUp, 1);
  await tx`
    delete from order_rollups where account_id = any(${[...POOLED, `${ACCOUNT_DAY}${accountId}`]}) and orders = 0
      and hour > ${hour}::timestamptz - interval '1 day' and hour <= ${hour}`;
  const day = tx`(${hour}::timestamptz at time zone 'Asia/Kolkata')::date`;
  await tx`
    delete from order_rollup_days
    where day = ${day} and (account_id = ${accountId} or (account_id = any(${POOLED as string[]}) and orders = 0))`;
  const ofDay = tx`
    select * from order_rollups where account_id = ${accountId}
      and hour >= ${day}::timestamp at time zone 'Asia/Kolkata' and hour < (${day} + 1)::timestamp at time zone 'Asia/Kolkata'`;
  await tx`
    insert into order_rollup_days (account_id, day, dimension, name, state, orders, amount, latency) ${summedByDay(tx, ofDay)}`;
}

/** Adds rows of order_rollups of accounts to the sums of days and over all accounts, or takes them away. */
export async function addToSums(tx: Transaction, rows: Fragment, sign: 1 | -1): Promise<void> {
  await tx`
    insert into order_rollups (account_id, hour, service, operator, circle, provider, state, reason, orders, amount, latency)
    (${pooledDays(tx, rows, sign)}) union all (${pooledHours(tx, rows, sign)}) union all (${accountDays(tx, rows, sign)})
    on conflict (account_id, hour, service, operator, circle, provider, state, reason) do update set ${added(tx, "order_rollups")}`;
  await tx`
    insert into order_rollup_days (account_id, day, dimension, name, state, orders, amount, latency)
    ${summedByDay(tx, pooledDays(tx, rows, sign))}
    on conflict (account_id, dimension, day, name, state) do update set ${added(tx, "order_rollup_days")}`;
}
