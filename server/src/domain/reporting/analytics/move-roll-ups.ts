import type { Transaction } from "../../../platform/db/connection.ts";
import { addToSums } from "./roll-up.ts";
import { ACCOUNT_DAY, HOUR, POOLED } from "./roll-up-sql.ts";

/** Takes accounts that leave this database out of the sums. Their own rows are deleted by the caller. */
export async function removeFromSums(tx: Transaction, accountIds: readonly string[]): Promise<void> {
  await stopSteps(tx);
  await addToSums(tx, tx`select * from order_rollups where account_id = any(${accountIds as string[]})`, -1);
  const sums = [...POOLED, ...accountIds.map((id) => `${ACCOUNT_DAY}${id}`)];
  await tx`delete from order_rollups where account_id = any(${sums}) and orders = 0`;
  await tx`delete from order_rollup_days where account_id = any(${POOLED as string[]}) and orders = 0`;
}

/**
 * Takes over the roll-ups of accounts whose rows were copied into this database. Hours with stored orders are counted again,
 * because the other database may have counted up to another order. The others are of archived months.
 */
export async function takeOverRollUps(tx: Transaction, accountIds: readonly string[]): Promise<void> {
  await stopSteps(tx);
  const ids = accountIds as string[];
  const hours = tx`select o.account_id, ${tx.unsafe(HOUR)} as hour, min(o.order_id) as order_id from orders o
    where o.account_id = any(${ids}) group by 1, 2`;
  await tx`delete from order_rollups r using (${hours}) h where r.account_id = h.account_id and r.hour = h.hour`;
  await tx`
    delete from order_rollup_days d using (select distinct account_id, (hour at time zone 'Asia/Kolkata')::date as day from (${hours}) h) h
    where d.account_id = h.account_id and d.day = h.day`;
  await addToSums(tx, tx`select * from order_rollups where account_id = any(${ids})`, 1);
  await tx`
    insert into order_rollup_changes (account_id, order_id, state, attempt)
    select account_id, order_id, 0, 0 from (${hours}) h on conflict do nothing`;
}

/** A step that began before this transaction must not write what it counted: the update makes it fail and start again. */
async function stopSteps(tx: Transaction): Promise<void> {
  await tx`update order_rollup_position set next_order_id = next_order_id`;
}
