import type { Clock } from "../../../platform/core/clock.ts";
import type { ObserveBatch } from "../../../platform/db/batching/batcher.ts";
import { createKeyedBatcher } from "../../../platform/db/batching/keyed-batcher.ts";
import type { Queryable, Sql } from "../../../platform/db/connection.ts";

/** The budgets of an account. The database stores a budget as its position in this list. */
export const BUDGETS = ["money", "get"] as const;
export type Budget = (typeof BUDGETS)[number];

export type Arrival = {
  readonly accountId: string;
  readonly budget: Budget;
  /** Requests allowed in a rolling minute. */
  readonly cap: number;
  /** The nonce of a verified signature; null if there is none to record. */
  readonly nonce: { readonly text: string; readonly expiresAt: number } | null;
};

export type Admission =
  | { readonly kind: "admitted" }
  | { readonly kind: "replayed" }
  | { readonly kind: "over"; readonly retryAfterSeconds: number };

export type AdmissionBatcher = {
  /** Counts the request and records its nonce, in one batch with all others that arrive meanwhile. */
  readonly admit: (arrival: Arrival) => Promise<Admission>;
  /** Whether the budget is known to be used up, so that the request will be refused. */
  readonly isOver: (arrival: Arrival) => boolean;
  /** For how long requests of several accounts have waited without any being counted; 0 in normal operation. */
  readonly stalledMilliseconds: () => number;
  /** The maximum number of requests admitted before one of this account that arrives now. */
  readonly ahead: (accountId: string) => number;
  /** The estimated wait of a request of this account that arrives now. */
  readonly waitSeconds: (accountId: string) => number;
};

/** Budgets are counted over a rolling minute. */
export const WINDOW_SECONDS = 60;
const ADMITTED: Admission = { kind: "admitted" };
const REPLAYED: Admission = { kind: "replayed" };

// About twice as long as a batch of a few requests takes.
const INTERVAL_MILLISECONDS = 4;

type Full = { readonly freeAt: number; readonly cap: number };

// How long to wait for a locked budget row before the request is refused as busy.
const MAX_LOCK_WAIT_MILLISECONDS = 2_000;

/**
 * `connection` must be a single connection, because batches on two connections would only wait for each other's locks.
 * `sql` serves accounts whose rows another session has locked.
 */
export function createAdmissionBatcher(connection: Sql, clock: Clock, observe?: ObserveBatch, sql = connection): AdmissionBatcher {
  // A full window stays full until its oldest second leaves it, so a flood over budget does not reach the database.
  const full = new Map<string, Full>();
  const batcher = createKeyedBatcher<Arrival, Admission>({
    keyOf: (arrival) => arrival.accountId,
    run: (arrivals) => admitBatch(connection, clock, full, arrivals),
    runForOneKey: (arrivals) => admitForOneAccount(sql, clock, full, arrivals),
    findLocked: (accountIds) => findLockedBudgets(sql, accountIds),
    patienceMilliseconds: () => MAX_LOCK_WAIT_MILLISECONDS,
    maxItems: 500,
    maxInFlight: 1,
    intervalMilliseconds: INTERVAL_MILLISECONDS,
    traceName: "admission batch",
    observe,
  });
  return {
    stalledMilliseconds: batcher.stalledMilliseconds,
    ahead: batcher.ahead,
    waitSeconds: batcher.waitSeconds,
    isOver: (arrival) => secondsUntilFree(full, clock, arrival) > 0,
    admit: (arrival) => {
      const seconds = secondsUntilFree(full, clock, arrival);
      return seconds > 0 ? Promise.resolve(over(seconds)) : batcher.submit(arrival);
    },
  };
}

/** Until a budget that is known to be used up has room again; 0 for any other. */
function secondsUntilFree(full: ReadonlyMap<string, Full>, clock: Clock, arrival: Arrival): number {
  const known = full.get(keyOf(arrival));
  const seconds = known && known.cap === arrival.cap ? known.freeAt - clock.now() / 1000 : 0;
  // A time further away than a window means that the clock was set back.
  return seconds > 0 && seconds <= WINDOW_SECONDS ? seconds : 0;
}

type Group = { readonly key: string; readonly accountId: string; readonly budget: Budget; cap: number; wanted: number; index: number };
/** An arrival with its group and its position in it. The first ones are admitted. */
type Ranked = { readonly arrival: Arrival; readonly group: Group; readonly rank: number };
type Signed = Ranked & { readonly arrival: { readonly nonce: NonNullable<Arrival["nonce"]> } };
type Row = { readonly admitted: number[]; readonly free_at: bigint[]; readonly fresh: string[] | null };

const LOCK_MILLISECONDS = 200;

async function admitForOneAccount(
  sql: Sql,
  clock: Clock,
  full: Map<string, Full>,
  arrivals: readonly Arrival[],
): Promise<readonly Admission[]> {
  return await sql.begin(async (tx) => {
    await tx`select set_config('lock_timeout', ${String(LOCK_MILLISECONDS)}, true)`;
    return await admitBatch(tx, clock, full, arrivals);
  });
}

/** Accounts with a budget row that another session currently locks. */
async function findLockedBudgets(sql: Sql, accountIds: readonly string[]): Promise<readonly string[]> {
  const rows = await sql<{ account_id: string }[]>`
    with free as (select account_id, budget from rate_limit_windows where account_id = any(${accountIds as string[]}) for no key update skip locked)
    select distinct account_id from (
      select account_id, budget from rate_limit_windows where account_id = any(${accountIds as string[]}) except select account_id, budget from free) l`;
  return rows.map((row) => row.account_id);
}

async function admitBatch(
  connection: Queryable,
  clock: Clock,
  full: Map<string, Full>,
  arrivals: readonly Arrival[],
): Promise<readonly Admission[]> {
  const now = clock.now();
  const { groups, ranked } = groupArrivals(arrivals);
  const signed = ranked.filter(isSigned).sort(byNonce);
  const [row] = await connection<Row[]>`
    select admitted, free_at, fresh from admit_requests(
      group_accounts => ${groups.map((group) => group.accountId)}::text[],
      group_budgets => ${groups.map((group) => BUDGETS.indexOf(group.budget))}::smallint[],
      group_wanted => ${groups.map((group) => group.wanted)}::integer[],
      group_caps => ${groups.map((group) => group.cap)}::integer[],
      at => ${Math.floor(now / 1000)}::bigint,
      nonce_groups => ${signed.map((one) => one.group.index + 1)}::integer[],
      nonce_ranks => ${signed.map((one) => one.rank)}::integer[],
      nonces => ${signed.map((one) => one.arrival.nonce.text)}::text[],
      nonce_expiries => ${signed.map((one) => one.arrival.nonce.expiresAt)}::bigint[])`;
  if (!row) throw new Error("admit_requests returned no row.");
  remember(full, groups, row.free_at);
  const fresh = row.fresh === null ? null : new Set(row.fresh);
  return ranked.map(({ arrival, group, rank }) => {
    if (rank > (row.admitted[group.index] ?? 0)) return over(Number(row.free_at[group.index] ?? 0n) - now / 1000);
    // Removed from the set, so that of two requests with the same nonce only the first one passes.
    if (arrival.nonce === null || fresh === null || fresh.delete(`${arrival.accountId}/${arrival.nonce.text}`)) return ADMITTED;
    return REPLAYED;
  });
}

function isSigned(one: Ranked): one is Signed {
  return one.arrival.nonce !== null;
}

/** By account and nonce, so that any two batches write shared rows in the same order. */
function byNonce(a: Signed, b: Signed): number {
  if (a.group !== b.group) return a.group.index - b.group.index;
  const [one, other] = [a.arrival.nonce.text, b.arrival.nonce.text];
  return one < other ? -1 : Number(one > other);
}

/** One group per account and budget, sorted, so that any two batches lock in the same order. */
function groupArrivals(arrivals: readonly Arrival[]): { readonly groups: readonly Group[]; readonly ranked: readonly Ranked[] } {
  const byKey = new Map<string, Group>();
  const ranked = arrivals.map((arrival): Ranked => {
    const group = groupOf(byKey, arrival);
    group.cap = arrival.cap;
    group.wanted++;
    return { arrival, group, rank: group.wanted };
  });
  const groups = [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  groups.forEach((group, index) => {
    group.index = index;
  });
  return { groups, ranked };
}

function groupOf(byKey: Map<string, Group>, arrival: Arrival): Group {
  const key = keyOf(arrival);
  const known = byKey.get(key);
  if (known) return known;
  const made: Group = { key, accountId: arrival.accountId, budget: arrival.budget, cap: arrival.cap, wanted: 0, index: 0 };
  byKey.set(key, made);
  return made;
}

function remember(full: Map<string, Full>, groups: readonly Group[], freeAt: readonly bigint[]): void {
  groups.forEach((group, index) => {
    const second = freeAt[index];
    if (!second) full.delete(group.key);
    else full.set(group.key, { freeAt: Number(second), cap: group.cap });
  });
}

function over(seconds: number): Admission {
  return { kind: "over", retryAfterSeconds: Math.max(1, Math.ceil(seconds)) };
}

function keyOf(one: { readonly accountId: string; readonly budget: Budget }): string {
  return `${one.accountId}/${BUDGETS.indexOf(one.budget)}`;
}
