import { orderIdAt } from "../../platform/core/ids.ts";
import { moneyOf } from "../../platform/core/money.ts";
import type { Sql } from "../../platform/db/connection.ts";
import { type Agreed, agreedBy, rankOf, type Scope, type Terms } from "./rule.ts";
import type { RuleBook } from "./rule-book.ts";

/** The effect that a rule would have had on the successful orders of the last days. */
export type Impact = {
  readonly orders: number;
  /** The number of accounts with such orders. */
  readonly accounts: number;
  readonly value: bigint;
  /** With the proposed rule. */
  readonly proposed: Sum;
  /** With the current rules. */
  readonly current: Sum;
  /** Start of the scanned period, which is later than requested when there are too many orders. */
  readonly since: number;
  readonly complete: boolean;
};

type Sum = { readonly fee: bigint; readonly commission: bigint };

export const IMPACT_DAYS = 30;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
// This many are read in a second or two.
const MAX_ORDERS = 200_000;

type Group = {
  readonly account_id: string;
  readonly service: string;
  readonly operator: string;
  readonly amount: bigint;
  readonly orders: number;
};

/** Considers only orders that the rule would apply to, not those with a more specific rule. */
export async function readImpact(sql: Sql, ruleFor: RuleBook, rule: Scope & Terms, now: number): Promise<Impact> {
  const windowStart = now - IMPACT_DAYS * DAY_MILLISECONDS;
  const { groups, oldest, looked } = await readSuccesses(sql, rule, windowStart);
  const rank = rankOf(rule);
  let [orders, value] = [0, 0n];
  const accounts = new Set<string>();
  let [proposed, current]: [Sum, Sum] = [NOTHING_YET, NOTHING_YET];
  for (const group of groups) {
    const inForce = ruleFor(group.account_id, group.service, group.operator, now);
    if (inForce && rankOf(inForce) < rank) continue;
    orders += group.orders;
    accounts.add(group.account_id);
    value += group.amount * BigInt(group.orders);
    proposed = plus(proposed, agreedBy(rule, moneyOf(group.amount)), group.orders);
    if (inForce) current = plus(current, agreedBy(inForce, moneyOf(group.amount)), group.orders);
  }
  const complete = looked < MAX_ORDERS;
  return {
    orders,
    accounts: accounts.size,
    value,
    proposed,
    current,
    since: complete ? windowStart : (oldest?.getTime() ?? windowStart),
    complete,
  };
}

const NOTHING_YET: Sum = { fee: 0n, commission: 0n };

function plus(sum: Sum, { fee, commission }: Agreed, orders: number): Sum {
  const count = BigInt(orders);
  return { fee: sum.fee + fee * count, commission: sum.commission + commission * count };
}

type Successes = { readonly groups: readonly Group[]; readonly oldest: Date | null; readonly looked: number };

/** Scans only the latest orders, so that a busy installation answers in time too. */
async function readSuccesses(sql: Sql, scope: Scope, since: number): Promise<Successes> {
  const latest = sql`
    select o.account_id, o.service, o.operator, o.amount, o.state, o.created_at from orders o
    where o.order_id >= ${orderIdAt(since)} ${scope.accountId === null ? sql`` : sql`and o.account_id = ${scope.accountId}`}
    order by o.order_id desc limit ${MAX_ORDERS}`;
  const rows = await sql<(Group & { readonly looked: number; readonly oldest: Date | null })[]>`
    with latest as materialized (${latest}), seen as (select count(*)::int as looked, min(created_at) as oldest from latest)
    select o.account_id, o.service, o.operator, o.amount, count(o.account_id)::int as orders, s.looked, s.oldest
    from seen s left join latest o on o.state = 1
      ${scope.service === null ? sql`` : sql`and o.service = ${scope.service}`}
      ${scope.operator === null ? sql`` : sql`and o.operator = ${scope.operator}`}
    group by o.account_id, o.service, o.operator, o.amount, s.looked, s.oldest`;
  return { groups: rows.filter((row) => row.orders > 0), oldest: rows[0]?.oldest ?? null, looked: rows[0]?.looked ?? 0 };
}
