import type { Sql } from "../../../platform/db/connection.ts";
import { type AccountMode, ofMode } from "../../accounts/account-mode.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
const MAX_LISTED = 100;

/** The orders of bus cancellations that staff must decide: their provider gave no clear answer, or none for a day. */
export async function readDoubtfulCancellations(sql: Sql, now: number, mode: AccountMode): Promise<readonly string[]> {
  const rows = await sql<{ order_id: string }[]>`
    select order_id from bus_cancellations c
    where state = 'asked' and (doubt is not null or created_at < ${new Date(now - DAY_MILLISECONDS)}) and ${ofMode(sql, "c.account_id", mode)}
    order by order_id limit ${MAX_LISTED}`;
  return [...new Set(rows.map((row) => row.order_id))];
}
