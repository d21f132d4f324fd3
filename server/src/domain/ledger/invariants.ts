import type { Queryable, Sql, Transaction } from "../../platform/db/connection.ts";
import { keepMonths } from "../../platform/db/partitions/frozen-months.ts";
import {
  accountsIn,
  closingsOf,
  commissions,
  inScope,
  isKept,
  keptTransfers,
  type OrdersOfAccount,
  orderTransfers,
  type Scope,
} from "./check-scope.ts";

/** What a check is about. Only the checks of orders can be limited to some orders. */
type Subject = "wallet" | "transfers" | "orders" | "all orders";

type Check = {
  readonly name: string;
  readonly subject: Subject;
  readonly count: (sql: Queryable, scope: Scope) => Promise<readonly { violations: number }[]>;
};

/** The names of the checks of transfers, which the check of a range of them shares. */
export const TRANSFER_CHECKS = {
  numbered: "every wallet's transfers are numbered without a gap",
  summed: "every wallet equals the sum of its transfers",
  running: "every transfer carries the balance after it",
} as const;

// Invariants that hold at every moment, whatever crashed. Each check counts its violations.
const CHECKS: readonly Check[] = [
  {
    name: "the buckets of every wallet sum to zero",
    subject: "wallet",
    count: (sql, scope) => sql`
      select count(*)::int as violations from wallets w
      where ${inScope(sql, scope, "w")} and (available + held + cleared + funding + fees <> 0 or available < -overdraft or held < 0)`,
  },
  {
    name: "every transfer and every order has a wallet",
    subject: "wallet",
    count: (sql, scope) => sql`
      select count(*)::int as violations from (${accountsIn(sql, scope)}) n
      where not exists (select from wallets w where w.account_id = n.account_id)
        and (exists (select from transfers t where t.account_id = n.account_id) or exists (select from orders o where o.account_id = n.account_id))`,
  },
  {
    // Cheap: the sums hold every transfer up to their position, so their number and balance must be those of that transfer.
    name: "the sums of every account's months equal its transfers",
    subject: "wallet",
    count: (sql, scope) => sql`
      select count(*)::int as violations from ledger_month_sum_positions w
      left join (
        select w.account_id, sum(w.transfers) as transfers,
          sum(case when k.to_bucket = 'available' then w.amount when k.from_bucket = 'available' then -w.amount else 0 end) as available
        from ledger_month_sums w join transfer_kinds k using (kind) where ${inScope(sql, scope, "w")} group by w.account_id
      ) n using (account_id)
      left join (${closingsOf(sql, scope)}) c using (account_id)
      left join lateral (select t.available_after from transfers t where t.account_id = w.account_id and t.seq = w.seq) t on true
      where ${inScope(sql, scope, "w")} and (w.seq <> coalesce(n.transfers, 0) or coalesce(n.available, 0) is distinct from
        case when w.seq = coalesce(c.seq, 0) then coalesce(c.available, 0) else t.available_after end)`,
  },
  {
    name: TRANSFER_CHECKS.numbered,
    subject: "transfers",
    count: (sql, scope) => sql`
      select count(*)::int as violations from wallets w
      left join (select account_id, count(*) as rows, max(t.seq) as last, min(t.seq) as first from ${keptTransfers(sql, scope)}
        group by account_id) n using (account_id)
      left join (${closingsOf(sql, scope)}) c using (account_id)
      where ${inScope(sql, scope, "w")}
        and (w.seq - coalesce(c.seq, 0) <> coalesce(n.rows, 0) or w.seq <> coalesce(n.last, c.seq, 0)
          or coalesce(n.first, coalesce(c.seq, 0) + 1) <> coalesce(c.seq, 0) + 1)`,
  },
  {
    name: TRANSFER_CHECKS.summed,
    subject: "transfers",
    count: (sql, scope) => sql`
      select count(*)::int as violations from wallets w
      left join (
        select account_id,
          sum(case when to_bucket = 'available' then amount when from_bucket = 'available' then -amount else 0 end) as available,
          sum(case when to_bucket = 'held' then amount when from_bucket = 'held' then -amount else 0 end) as held,
          sum(case when to_bucket = 'cleared' then amount when from_bucket = 'cleared' then -amount else 0 end) as cleared,
          sum(case when to_bucket = 'funding' then amount when from_bucket = 'funding' then -amount else 0 end) as funding,
          sum(case when to_bucket = 'fees' then amount when from_bucket = 'fees' then -amount else 0 end) as fees
        from ${keptTransfers(sql, scope)} group by account_id
      ) n using (account_id)
      left join (${closingsOf(sql, scope)}) c using (account_id)
      where ${inScope(sql, scope, "w")}
        and (w.available, w.held, w.cleared, w.funding, w.fees) is distinct from
          (coalesce(n.available, 0) + coalesce(c.available, 0), coalesce(n.held, 0) + coalesce(c.held, 0),
            coalesce(n.cleared, 0) + coalesce(c.cleared, 0), coalesce(n.funding, 0) + coalesce(c.funding, 0),
            coalesce(n.fees, 0) + coalesce(c.fees, 0))`,
  },
  {
    name: TRANSFER_CHECKS.running,
    subject: "transfers",
    count: (sql, scope) => sql`
      select count(*)::int as violations from (
        select available_after, lag(available_after, 1, coalesce(c.available, 0)) over (partition by account_id order by t.seq) as before,
          case when to_bucket = 'available' then amount when from_bucket = 'available' then -amount else 0 end as delta
        from ${keptTransfers(sql, scope)}
      ) n where available_after <> before + delta`,
  },
  {
    name: "every order's transfers match its state",
    subject: "orders",
    count: (sql, scope) => sql`
      select count(*)::int as violations from orders o
      left join (
        select account_id, order_id,
          sum(amount) filter (where kind = 'hold') as held, sum(amount) filter (where kind in ('capture', 'fee')) as captured,
          sum(amount) filter (where kind = 'void') as voided, sum(amount) filter (where kind in ('reversal', 'fee_return')) as returned,
          sum(amount) filter (where kind = 'refund') as refunded, ${commissions(sql)},
          coalesce(sum(amount) filter (where kind = 'credit'), 0) as credited, coalesce(sum(amount) filter (where kind = 'credit_back'), 0) as taken
        from ${orderTransfers(sql, scope)} group by account_id, order_id
      ) n using (account_id, order_id)
      where ${inScope(sql, scope, "o")} and ${isKept(sql, "o")} and not o.credit and o.amount + o.fee > 0
        and not coalesce(n.held = o.amount + o.fee and coalesce(n.refunded, 0) = coalesce(o.refunded, 0) and n.credited + n.taken = 0
        and coalesce(o.commission, 0) between 0 and o.amount and case o.state
        when 0 then n.captured is null and n.voided is null and n.returned is null and o.refunded is null and n.earned + n.lost = 0
        when 1 then n.captured = n.held and n.voided is null and n.returned is null and coalesce(o.refunded, 0) <= o.amount
          and n.earned = coalesce(o.commission, 0) and n.lost = 0
        else (n.voided = n.held and n.captured is null and n.returned is null and o.refunded is null and n.earned + n.lost = 0)
          or (n.captured = n.held and n.voided is null and n.earned = coalesce(o.commission, 0)
            -- All of it comes back, or what a cancellation gives; the commission goes with it, as far as that covers it.
            and ((n.returned = n.captured - coalesce(o.refunded, 0) and n.lost = least(n.earned, n.returned))
              or (n.returned is null and o.refunded <= o.amount and n.lost <= least(n.earned, o.refunded)))) end, false)`,
  },
  {
    name: "every order that credits its wallet has transfers that match its state",
    subject: "orders",
    count: (sql, scope) => sql`
      select count(*)::int as violations from orders o
      left join (
        select account_id, order_id,
          count(*) filter (where kind in ('capture', 'reversal', 'refund', 'topup', 'debit')) as others,
          sum(amount) filter (where kind = 'credit') as credited, sum(amount) filter (where kind = 'credit_back') as taken,
          sum(amount) filter (where kind = 'hold') as held, sum(amount) filter (where kind = 'fee') as charged,
          sum(amount) filter (where kind = 'void') as voided, sum(amount) filter (where kind = 'fee_return') as returned, ${commissions(sql)}
        from ${orderTransfers(sql, scope)} group by account_id, order_id
      ) n using (account_id, order_id)
      cross join lateral (select
        coalesce(n.credited, 0) as credited, coalesce(n.taken, 0) as taken, coalesce(n.charged, 0) as charged,
        coalesce(n.voided, 0) as voided, coalesce(n.returned, 0) as returned, coalesce(n.earned, 0) as earned, coalesce(n.lost, 0) as lost,
        coalesce(o.commission, 0) as commission) m
      where ${inScope(sql, scope, "o")} and ${isKept(sql, "o")} and (o.credit or o.amount + o.fee = 0)
        and not (coalesce(n.others, 0) = 0 and coalesce(n.held, 0) = o.fee and m.commission between 0 and o.amount and case o.state
        when 0 then m.credited + m.taken + m.charged + m.voided + m.returned + m.earned + m.lost = 0
        when 1 then (m.credited, m.charged, m.earned) = (o.amount, o.fee, m.commission) and m.taken + m.voided + m.returned + m.lost = 0
        else (m.voided = o.fee and m.credited + m.taken + m.charged + m.returned + m.earned + m.lost = 0)
          or ((m.credited, m.charged, m.earned) = (o.amount, o.fee, m.commission)
            and (m.taken, m.returned, m.lost) = (o.amount, o.fee, m.commission) and m.voided = 0) end)`,
  },
  {
    name: "every hold belongs to an existing order",
    subject: "orders",
    count: (sql, scope) => sql`
      select count(*)::int as violations from ${orderTransfers(sql, scope)}
      where t.kind = 'hold' and ${isKept(sql, "t")}
        and not exists (select from orders o where o.account_id = t.account_id and o.order_id = t.order_id)`,
  },
  {
    name: "every order has its reference",
    subject: "orders",
    count: (sql, scope) => sql`
      select count(*)::int as violations from orders o
      where ${inScope(sql, scope, "o")} and not exists (
        select from order_references k
        where k.digest = order_reference_digest(o.account_id, o.service, o.reference, o.operation) and k.order_id = o.order_id)`,
  },
  {
    name: "the held money equals the cost of pending orders",
    subject: "all orders",
    count: (sql, scope) => sql`
      select count(*)::int as violations from wallets w
      left join (select account_id, sum(case when credit then fee else amount + fee end) as pending from orders o
        where state = 0 and ${inScope(sql, scope, "o")} group by account_id) n using (account_id)
      where ${inScope(sql, scope, "w")} and w.held <> coalesce(n.pending, 0)`,
  },
  {
    // An order in progress is answered within minutes. One that a crash left behind is found by then, too.
    name: "every pending order that was answered or is older than an hour has a pending poll",
    subject: "orders",
    count: (sql, scope) => sql`
      select count(*)::int as violations from orders o
      where ${inScope(sql, scope, "o")} and o.state = 0 and (o.answered_pending or o.created_at <
        (select min(seen_at + make_interval(secs => clock_offset_seconds)) from processes) - interval '1 hour')
        and not exists (select from pending_polls k where k.account_id = o.account_id and k.order_id = o.order_id)`,
  },
];

export type CheckResult = { readonly name: string; readonly violations: number };

/** Checks one snapshot of the database, so that concurrent writes cause no false violations. */
export async function checkLedger(sql: Sql, scope: readonly string[] | "all" = "all"): Promise<readonly CheckResult[]> {
  return await sql.begin("isolation level repeatable read read only", async (tx) => {
    await keepMonths(tx);
    // A check of some accounts runs beside normal traffic, which needs the other cores.
    if (scope !== "all") await tx`set local max_parallel_workers_per_gather = 0`;
    return await runChecks(tx, scope, CHECKS);
  });
}

/** Checks the wallet of an account without reading its transfers. */
export async function checkWallet(tx: Transaction, accountId: string): Promise<readonly CheckResult[]> {
  return await runChecks(tx, [accountId], ofSubject("wallet"));
}

/** Checks some orders of an account and their transfers. */
export async function checkOrders(tx: Transaction, orders: OrdersOfAccount): Promise<readonly CheckResult[]> {
  return await runChecks(tx, orders, ofSubject("orders"));
}

function ofSubject(subject: Subject): readonly Check[] {
  return CHECKS.filter((check) => check.subject === subject);
}

async function runChecks(tx: Transaction, scope: Scope, checks: readonly Check[]): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of checks) {
    const [row] = await check.count(tx, scope);
    results.push({ name: check.name, violations: row?.violations ?? 0 });
  }
  return results;
}
