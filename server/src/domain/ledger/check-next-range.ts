import type { Sql, Transaction } from "../../platform/db/connection.ts";
import { keepMonths } from "../../platform/db/partitions/frozen-months.ts";
import { type LedgerStart, lastArchivedSequence, readLedgerStart } from "./closings.ts";
import { type CheckResult, checkOrders, checkWallet, TRANSFER_CHECKS } from "./invariants.ts";
import { BUCKETS, type Buckets } from "./trial-balance.ts";

type Pass = "new" | "all";
/** The state after a transfer that was checked, from which the next range goes on. */
type Position = Buckets & { readonly seq: bigint; readonly orderId: string };
type Wallet = Buckets & { readonly seq: bigint };

export type RangeChecked = {
  readonly checks: readonly CheckResult[];
  /** Whether transfers are left that were never checked. */
  readonly isBehind: boolean;
};

/**
 * Checks the next transfers of a large account: those that were written since the last time, and the next ones of a second
 * pass that reads everything from the beginning again. Both go on where they stopped, also after a restart. A position
 * advances only past what is consistent, so a violation is found again until it is repaired.
 */
export async function checkNextRange(sql: Sql, accountId: string, maxTransfers: number, at: number): Promise<RangeChecked> {
  const checked = await sql.begin("isolation level repeatable read read only", async (tx) => {
    await keepMonths(tx);
    await tx`set local max_parallel_workers_per_gather = 0`;
    const [wallet] = await tx<Wallet[]>`
      select seq, available, held, cleared, funding, fees from wallets where account_id = ${accountId}`;
    const walletChecks = await checkWallet(tx, accountId);
    if (!wallet) return { checks: walletChecks, isBehind: false, passes: [] };
    const newest = await checkPass(tx, { accountId, pass: "new", wallet, maxTransfers });
    const older = await checkPass(tx, { accountId, pass: "all", wallet, maxTransfers });
    const checks = mergeChecks([...walletChecks, ...newest.checks, ...older.checks]);
    return { checks, isBehind: newest.to.seq < wallet.seq, passes: [newest, older] };
  });
  for (const pass of checked.passes) if (isConsistent(pass.checks)) await savePosition(sql, { accountId, at, ...pass });
  return { checks: checked.checks, isBehind: checked.isBehind };
}

export function isConsistent(checks: readonly CheckResult[]): boolean {
  return checks.every((check) => check.violations === 0);
}

// About as many as an order has, so that a pass reaches the last order when it reaches the last transfer.
const TRANSFERS_AN_ORDER = 4;

type PassInput = { readonly accountId: string; readonly pass: Pass; readonly wallet: Wallet; readonly maxTransfers: number };
type Progress = { readonly pass: Pass; readonly from: Position; readonly to: Position };

/**
 * That the held money equals the cost of pending orders is not checked by itself: it follows when every transfer adds up and
 * the transfers of every order match its state.
 */
async function checkPass(tx: Transaction, input: PassInput): Promise<Progress & { readonly checks: readonly CheckResult[] }> {
  const { accountId, pass, wallet, maxTransfers } = input;
  const start = await readLedgerStart(tx, accountId);
  const from = await readPosition(tx, accountId, pass, start);
  const full = from.seq + BigInt(maxTransfers);
  const reachesEnd = full >= wallet.seq;
  const range = await readRange(tx, accountId, from, reachesEnd ? wallet.seq : full);
  const maxOrders = Math.ceil(maxTransfers / TRANSFERS_AN_ORDER);
  const later = pass === "all" ? await ordersAfter(tx, accountId, from.orderId, maxOrders) : [];
  const orderIds = [...new Set([...range.orderIds, ...later])];
  const ofOrders = orderIds.length === 0 ? [] : await checkOrders(tx, { accountId, orderIds });
  const isComplete = pass === "all" && reachesEnd && later.length < maxOrders;
  const to = isComplete ? { ...start, orderId: "" } : { ...range.after, orderId: later.at(-1) ?? from.orderId };
  return { pass, from, to, checks: [...judgeRange(from, range, wallet), ...ofOrders] };
}

/** A position in a month that was archived since is replaced by that month's closing. */
async function readPosition(tx: Transaction, accountId: string, pass: Pass, start: LedgerStart): Promise<Position> {
  const [row] = await tx<Position[]>`
    select seq, available, held, cleared, funding, fees, order_id as "orderId" from ledger_check_positions
    where account_id = ${accountId} and pass = ${pass}`;
  return row && row.seq >= start.seq ? row : { ...start, orderId: "" };
}

/** Another process may have advanced the position meanwhile; then its work counts. */
async function savePosition(sql: Sql, { accountId, at, pass, from, to }: Progress & { accountId: string; at: number }): Promise<void> {
  await sql`
    insert into ledger_check_positions as p (account_id, pass, seq, available, held, cleared, funding, fees, order_id, checked_at)
    values (${accountId}, ${pass}, ${to.seq}, ${to.available}, ${to.held}, ${to.cleared}, ${to.funding}, ${to.fees}, ${to.orderId}, ${new Date(at)})
    on conflict (account_id, pass) do update set seq = excluded.seq, available = excluded.available, held = excluded.held,
      cleared = excluded.cleared, funding = excluded.funding, fees = excluded.fees, order_id = excluded.order_id,
      checked_at = excluded.checked_at
    where (p.seq = ${from.seq} and p.order_id = ${from.orderId}) or p.seq < ${lastArchivedSequence(sql, accountId)}`;
}

type TransferRange = {
  /** How many rows there are, where the range has one for every number. */
  readonly rows: number;
  readonly expected: number;
  /** Rows whose balance does not follow from the row before them. */
  readonly wrongBalances: number;
  readonly after: Wallet;
  readonly orderIds: readonly string[];
};

type RangeRow = Buckets & { readonly rows: number; readonly wrong: number; readonly order_ids: readonly string[] };

/** Reads the transfers after a position up to a number, with one more: the position itself must still have its balance. */
async function readRange(tx: Transaction, accountId: string, from: Position, to: bigint): Promise<TransferRange> {
  const sums = BUCKETS.map(
    (bucket) => `coalesce(sum(case when to_bucket = '${bucket}' then amount when from_bucket = '${bucket}'
    then -amount else 0 end) filter (where seq > $2), 0)::bigint as ${bucket}`,
  );
  const [row] = await tx.unsafe<RangeRow[]>(
    `select count(*) filter (where seq > $2)::int as rows, ${sums.join(", ")},
      (count(*) filter (where available_after <> case when seq = $2 then $4 else before + delta end))::int as wrong,
      coalesce(array_agg(distinct order_id) filter (where order_id is not null and seq > $2), '{}') as order_ids
    from (
      select seq, from_bucket, to_bucket, amount, order_id, available_after,
        lag(available_after, 1, $4::bigint) over (order by seq) as before,
        case when to_bucket = 'available' then amount when from_bucket = 'available' then -amount else 0 end as delta
      from transfers where account_id = $1 and seq >= $2 and seq <= $3
    ) t`,
    [accountId, from.seq, to, from.available],
  );
  if (!row) throw new Error("A query without rows to group has one result.");
  const after = { seq: to, ...sumBuckets(from, row) };
  return { rows: row.rows, expected: Number(to - from.seq), wrongBalances: row.wrong, after, orderIds: row.order_ids };
}

function sumBuckets(a: Buckets, b: Buckets): Buckets {
  return {
    available: a.available + b.available,
    held: a.held + b.held,
    cleared: a.cleared + b.cleared,
    funding: a.funding + b.funding,
    fees: a.fees + b.fees,
  };
}

function judgeRange(from: Position, range: TransferRange, wallet: Wallet): readonly CheckResult[] {
  const isSum = BUCKETS.every((bucket) => range.after[bucket] === wallet[bucket]);
  const isWhole = from.seq <= wallet.seq && range.rows === range.expected;
  return [
    { name: TRANSFER_CHECKS.numbered, violations: isWhole ? 0 : 1 },
    { name: TRANSFER_CHECKS.summed, violations: range.after.seq < wallet.seq || isSum ? 0 : 1 },
    { name: TRANSFER_CHECKS.running, violations: range.wrongBalances },
  ];
}

async function ordersAfter(tx: Transaction, accountId: string, orderId: string, limit: number): Promise<readonly string[]> {
  const rows = await tx<{ order_id: string }[]>`
    select order_id from orders where account_id = ${accountId} and order_id > ${orderId} order by order_id limit ${limit}`;
  return rows.map((row) => row.order_id);
}

/** One result for each rule: both passes check the same ones. */
function mergeChecks(checks: readonly CheckResult[]): readonly CheckResult[] {
  const most = new Map<string, number>();
  for (const { name, violations } of checks) most.set(name, Math.max(most.get(name) ?? 0, violations));
  return [...most].map(([name, violations]) => ({ name, violations }));
}
