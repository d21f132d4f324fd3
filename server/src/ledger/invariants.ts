import type { Queryable, Sql } from "../db/connection.ts";

/** Some accounts, or all. */
export type Scope = readonly string[] | "all";

type Check = { readonly name: string; readonly count: (sql: Queryable, scope: Scope) => Promise<readonly { violations: number }[]> };

function within(sql: Queryable, scope: Scope, column: string) {
  return scope === "all" ? sql`true` : sql`${sql.unsafe(column)} = any(${scope as string[]})`;
}

function accountsIn(sql: Queryable, scope: Scope) {
  if (scope !== "all") return sql`select unnest(${scope as string[]}::text[]) as account_id`;
  return sql`select distinct account_id from transfers union select distinct account_id from orders`;
}

// What must hold at every moment, whatever crashed. Each counts what breaks it.
const CHECKS: readonly Check[] = [
  {
    name: "the buckets of every wallet sum to zero",
    count: (sql, scope) => sql`
      select count(*)::int as violations from wallets w
      where ${within(sql, scope, "w.account_id")} and (available + held + cleared + funding + fees <> 0 or available < -overdraft or held < 0)`,
  },
  {
    name: "every transfer and every order has a wallet",
    count: (sql, scope) => sql`
      select count(*)::int as violations from (${accountsIn(sql, scope)}) n
      where not exists (select from wallets w where w.account_id = n.account_id)
        and (exists (select from transfers t where t.account_id = n.account_id) or exists (select from orders o where o.account_id = n.account_id))`,
  },
  {
    name: "every wallet's transfers are numbered without a gap",
    count: (sql, scope) => sql`
      select count(*)::int as violations from wallets w
      left join (select account_id, count(*) as rows, max(seq) as last, min(seq) as first from transfers t
        where ${within(sql, scope, "t.account_id")} group by account_id) n using (account_id)
      where ${within(sql, scope, "w.account_id")}
        and (w.seq <> coalesce(n.rows, 0) or w.seq <> coalesce(n.last, 0) or coalesce(n.first, 1) <> 1)`,
  },
  {
    name: "every wallet is what its transfers made it",
    count: (sql, scope) => sql`
      select count(*)::int as violations from wallets w
      left join (
        select account_id,
          sum(case when to_bucket = 'available' then amount when from_bucket = 'available' then -amount else 0 end) as available,
          sum(case when to_bucket = 'held' then amount when from_bucket = 'held' then -amount else 0 end) as held,
          sum(case when to_bucket = 'cleared' then amount when from_bucket = 'cleared' then -amount else 0 end) as cleared,
          sum(case when to_bucket = 'funding' then amount when from_bucket = 'funding' then -amount else 0 end) as funding,
          sum(case when to_bucket = 'fees' then amount when from_bucket = 'fees' then -amount else 0 end) as fees
        from transfers t where ${within(sql, scope, "t.account_id")} group by account_id
      ) n using (account_id)
      where ${within(sql, scope, "w.account_id")}
        and (w.available, w.held, w.cleared, w.funding, w.fees) is distinct from
          (coalesce(n.available, 0), coalesce(n.held, 0), coalesce(n.cleared, 0), coalesce(n.funding, 0), coalesce(n.fees, 0))`,
  },
  {
    name: "every transfer carries the balance after it",
    count: (sql, scope) => sql`
      select count(*)::int as violations from (
        select available_after, lag(available_after, 1, 0::bigint) over (partition by account_id order by seq) as before,
          case when to_bucket = 'available' then amount when from_bucket = 'available' then -amount else 0 end as delta
        from transfers t where ${within(sql, scope, "t.account_id")}
      ) n where available_after <> before + delta`,
  },
  {
    name: "every order's transfers match its state",
    count: (sql, scope) => sql`
      select count(*)::int as violations from orders o
      left join (
        select account_id, order_id,
          sum(amount) filter (where kind = 'hold') as held, sum(amount) filter (where kind in ('capture', 'fee')) as captured,
          sum(amount) filter (where kind = 'void') as voided, sum(amount) filter (where kind in ('reversal', 'fee_return')) as returned,
          sum(amount) filter (where kind = 'refund') as refunded,
          coalesce(sum(amount) filter (where kind = 'credit'), 0) as credited, coalesce(sum(amount) filter (where kind = 'credit_back'), 0) as taken
        from transfers t where order_id is not null and ${within(sql, scope, "t.account_id")} group by account_id, order_id
      ) n using (account_id, order_id)
      where ${within(sql, scope, "o.account_id")} and not o.credit and o.amount + o.fee > 0
        and not coalesce(n.held = o.amount + o.fee and coalesce(n.refunded, 0) = coalesce(o.refunded, 0) and n.credited + n.taken = 0
        and case o.state
        when 0 then n.captured is null and n.voided is null and n.returned is null and o.refunded is null
        when 1 then n.captured = n.held and n.voided is null and n.returned is null and coalesce(o.refunded, 0) <= o.amount
        else (n.voided = n.held and n.captured is null and n.returned is null and o.refunded is null)
          or (n.captured = n.held and n.voided is null and n.returned = n.captured - coalesce(o.refunded, 0))
          or (n.captured = n.held and n.voided is null and n.returned is null and o.refunded <= o.amount) end, false)`,
  },
  {
    name: "every order that pays its wallet has paid what its state says",
    count: (sql, scope) => sql`
      select count(*)::int as violations from orders o
      left join (
        select account_id, order_id, count(*) filter (where kind not in ('credit', 'credit_back')) as others,
          sum(amount) filter (where kind = 'credit') as credited, sum(amount) filter (where kind = 'credit_back') as taken
        from transfers t where order_id is not null and ${within(sql, scope, "t.account_id")} group by account_id, order_id
      ) n using (account_id, order_id)
      where ${within(sql, scope, "o.account_id")} and (o.credit or o.amount + o.fee = 0)
        and not coalesce(coalesce(n.others, 0) = 0 and o.fee = 0 and case o.state
        when 0 then n.credited is null and n.taken is null
        when 1 then coalesce(n.credited, 0) = o.amount and n.taken is null
        else n.credited is not distinct from n.taken and coalesce(n.credited, o.amount) = o.amount end, false)`,
  },
  {
    name: "every order that money was held for exists",
    count: (sql, scope) => sql`
      select count(*)::int as violations from transfers t
      where ${within(sql, scope, "t.account_id")} and t.kind = 'hold'
        and not exists (select from orders o where o.account_id = t.account_id and o.order_id = t.order_id)`,
  },
  {
    name: "what is held is what pending orders cost",
    count: (sql, scope) => sql`
      select count(*)::int as violations from wallets w
      left join (select account_id, sum(amount + fee) as pending from orders o where state = 0 and not credit and ${within(sql, scope, "o.account_id")}
        group by account_id) n using (account_id)
      where ${within(sql, scope, "w.account_id")} and w.held <> coalesce(n.pending, 0)`,
  },
  {
    name: "every order that was answered pending is asked about",
    count: (sql, scope) => sql`
      select count(*)::int as violations from orders o
      where ${within(sql, scope, "o.account_id")} and o.state = 0 and o.answered_pending
        and not exists (select from order_watch k where k.account_id = o.account_id and k.order_id = o.order_id)`,
  },
];

export type CheckResult = { readonly name: string; readonly violations: number };

/** Looks at one moment of the database, so that what is written meanwhile disturbs nothing. */
export async function checkLedger(sql: Sql, scope: Scope = "all"): Promise<readonly CheckResult[]> {
  return await sql.begin("isolation level repeatable read read only", async (tx) => {
    const results: CheckResult[] = [];
    // Some accounts are looked at beside the day's work, which needs the other cores.
    if (scope !== "all") await tx`set local max_parallel_workers_per_gather = 0`;
    for (const check of CHECKS) {
      const [row] = await check.count(tx, scope);
      results.push({ name: check.name, violations: row?.violations ?? 0 });
    }
    return results;
  });
}
