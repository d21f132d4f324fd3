import type { Sql } from "../../db/connection.ts";
import { indiaDate, indiaMidnight } from "../../kernel/india-time.ts";
import type { Money } from "../../kernel/money.ts";
import { keptFrom, liveFrom } from "../traffic/count-minutes.ts";
import { countedOrders, isReal, MINUTE } from "../traffic/count-orders.ts";

/** What clients have with us. */
export type Float = { readonly available: Money; readonly held: Money; readonly accounts: number };

/** What a provider has carried out today, in India, and is owed for it. */
export type ProviderDay = { readonly provider: string; readonly orders: number; readonly owed: Money };
export type Today = {
  readonly providers: readonly ProviderDay[];
  /** False while some of the day's minutes have not been counted yet. */
  readonly isComplete: boolean;
};

export async function readFloat(sql: Sql): Promise<Float> {
  const [row] = await sql<{ available: bigint; held: bigint; accounts: number }[]>`
    select coalesce(sum(w.available), 0)::bigint as available, coalesce(sum(w.held), 0)::bigint as held, count(*)::int as accounts
    from wallets w where ${isReal(sql, "w.account_id")}`;
  return { available: (row?.available ?? 0n) as Money, held: (row?.held ?? 0n) as Money, accounts: row?.accounts ?? 0 };
}

export async function readToday(sql: Sql, now: number): Promise<Today> {
  const live = liveFrom(now);
  const midnight = indiaMidnight(indiaDate(now)) ?? keptFrom(now);
  const newest = [live, live + MINUTE].filter((minute) => minute >= midnight);
  const [providers, [counted]] = await Promise.all([
    sql<{ provider: string; orders: number; owed: bigint }[]>`
      select provider, coalesce(sum(orders) filter (where state = 1), 0)::int as orders, sum(owed)::bigint as owed from (
        select provider, state, orders, owed from order_minutes where minute >= ${new Date(midnight)} and minute < ${new Date(live)}
        union all
        select provider, state, orders, owed from (${countedOrders(sql, newest)}) l) d
      group by 1 order by 3 desc, 1`,
    sql<{ minutes: number }[]>`
      select count(*)::int as minutes from counted_minutes where minute >= ${new Date(midnight)} and minute < ${new Date(live)}`,
  ]);
  return {
    providers: providers.map((row) => ({ ...row, owed: row.owed as Money })),
    isComplete: (counted?.minutes ?? 0) >= (live - midnight) / MINUTE,
  };
}
