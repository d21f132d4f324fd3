import { timeOfId } from "../../../platform/core/ids.ts";
import { indiaDate } from "../../../platform/core/india-time.ts";
import type { Sql, Transaction } from "../../../platform/db/connection.ts";
import { keepMonths } from "../../../platform/db/partitions/frozen-months.ts";
import { rollUpStep } from "./roll-up.ts";
import { accountDays, countedByHour, pooledDays, pooledHours, summedByDay } from "./roll-up-sql.ts";

/**
 * Deletes the roll-ups and counts them again. Those until the end of the last archived month stay, because their orders have
 * left the database. A service may be running: it continues where this ends.
 */
export async function rebuildRollUps(sql: Sql, now: () => number, onProgress: (orders: number) => void): Promise<number> {
  await sql.begin(async (tx) => {
    await tx`select from order_rollup_position for update`;
    const { firstId, day } = await readBegin(tx);
    await tx`delete from order_rollup_days where day >= ${day}::text::date`;
    await tx`delete from order_rollups where hour >= ${day}::text::date::timestamp at time zone 'Asia/Kolkata'`;
    await tx`delete from order_rollup_changes`;
    await tx`update order_rollup_position set next_order_id = ${firstId}`;
  });
  for (let orders = 0; ; ) {
    const step = await rollUpStep(sql, now());
    orders += step.orders;
    onProgress(orders);
    if (!step.isMore) return orders;
  }
}

type Begin = { readonly firstId: string; readonly day: string };

/** From where the roll-ups can be counted from stored orders: the first order id and the day after the last archived month. */
async function readBegin(tx: Transaction): Promise<Begin> {
  const [row] = await tx<{ first: string | null }[]>`select max(end_order_id) as first from archived_months`;
  const firstId = row?.first ?? "";
  return { firstId, day: firstId === "" ? "-infinity" : indiaDate(timeOfId(firstId)) };
}

/** The number of rows that differ from a recount of the orders; 0 if the roll-ups are right. */
export async function countRollUpDifferences(sql: Sql): Promise<number> {
  return await sql.begin("isolation level repeatable read read only", async (tx) => {
    await keepMonths(tx);
    const [position] = await tx<{ next_order_id: string }[]>`select next_order_id from order_rollup_position`;
    const { firstId, day } = await readBegin(tx);
    const recount = countedByHour(tx, tx`o.order_id >= ${firstId} and o.order_id < ${position?.next_order_id ?? ""}`);
    const kept = tx`select account_id, hour, service, operator, circle, provider, state, reason, orders, amount, latency from order_rollups
      where hour >= ${day}::text::date::timestamp at time zone 'Asia/Kolkata'`;
    const days = tx`select account_id, day, dimension, name, state, orders, amount, latency from order_rollup_days
      where day >= ${day}::text::date`;
    const summed = summedByDay(tx, tx`select * from (${recount}) c union all (${pooledDays(tx, recount)})`);
    const all = tx`select * from (${recount}) c union all (${pooledDays(tx, recount)}) union all (${pooledHours(tx, recount)})
      union all (${accountDays(tx, recount)})`;
    const [row] = await tx<{ differences: number }[]>`
      select (select count(*) from ((${all}) except (${kept})) a) + (select count(*) from ((${kept}) except (${all})) b)
        + (select count(*) from ((${summed}) except (${days})) c) + (select count(*) from ((${days}) except (${summed})) d) as differences`;
    return Number(row?.differences ?? 0);
  });
}
