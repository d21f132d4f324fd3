import { indiaDate, indiaMidnight } from "../../../platform/core/india-time.ts";
import { type Money, moneyOf } from "../../../platform/core/money.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import { type AccountMode, ofMode } from "../../accounts/account-mode.ts";
import { isCountedHere, type MovingAccount } from "../../accounts/moving-accounts.ts";
import { keptFrom } from "../traffic/count-minutes.ts";
import { MINUTE } from "../traffic/count-orders.ts";
import type { ProviderSum } from "../traffic/read-traffic.ts";

/** The clients' total balances. */
export type Float = { readonly available: Money; readonly held: Money; readonly accounts: number };

/** What a provider has carried out today in India, and the amount owed for it. */
export type ProviderDay = { readonly provider: string; readonly orders: number; readonly owed: Money };
export type Today = {
  readonly providers: readonly ProviderDay[];
  /** False while some of the day's minutes have not been counted yet. */
  readonly isComplete: boolean;
};

export async function readFloat(sql: Sql, mode: AccountMode, moving: readonly MovingAccount[] = []): Promise<Float> {
  const [row] = await sql<{ available: bigint; held: bigint; accounts: number }[]>`
    select coalesce(sum(w.available), 0)::bigint as available, coalesce(sum(w.held), 0)::bigint as held, count(*)::int as accounts
    from wallets w where ${ofMode(sql, "w.account_id", mode)} and ${isCountedHere(sql, "w.account_id", moving)}`;
  return { available: moneyOf(row?.available ?? 0n), held: moneyOf(row?.held ?? 0n), accounts: row?.accounts ?? 0 };
}

/** The counted part of the day, up to but not including this minute. */
export async function readDay(sql: Sql, now: number, until: number, mode: AccountMode): Promise<Today> {
  const midnight = indiaMidnight(indiaDate(now)) ?? keptFrom(now);
  const [providers, [counted]] = await Promise.all([
    sql<ProviderSum[]>`
      select provider, coalesce(sum(orders) filter (where state = 1), 0)::int as orders, sum(owed)::bigint as owed
      from order_counts where minute >= ${new Date(midnight)} and minute < ${new Date(until)} and sandbox = ${mode === "test"} group by provider`,
    sql<{ minutes: number }[]>`
      select count(*)::int as minutes from counted_order_minutes where minute >= ${new Date(midnight)} and minute < ${new Date(until)}`,
  ]);
  return { providers: summed(providers), isComplete: (counted?.minutes ?? 0) >= Math.max(0, until - midnight) / MINUTE };
}

/** The same with the orders since then. */
export function withLive(day: Today, live: readonly ProviderSum[]): Today {
  return { ...day, providers: summed([...day.providers, ...live]) };
}

function summed(sums: readonly ProviderSum[]): readonly ProviderDay[] {
  const all = new Map<string, { orders: number; owed: bigint }>();
  for (const { provider, orders, owed } of sums) {
    const before = all.get(provider) ?? { orders: 0, owed: 0n };
    all.set(provider, { orders: before.orders + orders, owed: before.owed + owed });
  }
  const days = [...all].filter(([, { orders, owed }]) => orders > 0 || owed > 0n);
  return days
    .map(([provider, { orders, owed }]) => ({ provider, orders, owed: moneyOf(owed) }))
    .sort((one, other) => Number(other.owed - one.owed) || one.provider.localeCompare(other.provider));
}
