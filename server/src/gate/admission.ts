import { type Batcher, createBatcher } from "../db/batcher.ts";
import type { Sql } from "../db/connection.ts";
import type { Clock } from "../kernel/clock.ts";

export type Budget = "money" | "get";

export type Arrival = {
  readonly accountId: string;
  readonly budget: Budget;
  /** Calls allowed in a rolling minute. */
  readonly cap: number;
  /** Of a verified signature; null when there is none to record. */
  readonly nonce: { readonly text: string; readonly expiresAt: number } | null;
};

export type Admission =
  | { readonly kind: "admitted" }
  | { readonly kind: "replayed" }
  | { readonly kind: "over"; readonly retryAfterSeconds: number };

export type AdmissionDesk = {
  /** Counts the call and records its nonce, together with all others that arrive meanwhile. */
  readonly admit: (arrival: Arrival) => Promise<Admission>;
};

const BUDGET_NUMBERS: Record<Budget, number> = { money: 0, get: 1 };
const WINDOW_SECONDS = 60;
const ADMITTED: Admission = { kind: "admitted" };
const REPLAYED: Admission = { kind: "replayed" };

type Full = { readonly freeAt: number; readonly cap: number };

export function openAdmissionDesk(sql: Sql, clock: Clock): AdmissionDesk {
  // A full window stays full until its oldest second falls out, so a flood over budget need not reach the database.
  const full = new Map<string, Full>();
  const batcher: Batcher<Arrival, Admission> = createBatcher({
    run: (arrivals) => admitBatch(sql, clock, full, arrivals),
    maxItems: 500,
    maxInFlight: 2,
  });
  return {
    admit: (arrival) => {
      const known = full.get(keyOf(arrival));
      const seconds = known && known.cap === arrival.cap ? known.freeAt - clock.now() / 1000 : 0;
      // More than a window away is the work of a clock that was set back.
      if (seconds > 0 && seconds <= WINDOW_SECONDS) return Promise.resolve(over(seconds));
      return batcher.submit(arrival);
    },
  };
}

type Group = { readonly accountId: string; readonly budget: Budget; cap: number; wanted: number };
type Nonces = {
  readonly groups: number[];
  readonly ranks: number[];
  readonly texts: string[];
  readonly expiries: number[];
  readonly places: number[];
};

async function admitBatch(sql: Sql, clock: Clock, full: Map<string, Full>, arrivals: readonly Arrival[]): Promise<readonly Admission[]> {
  const now = clock.now();
  const groups = groupArrivals(arrivals);
  const placeOf = new Map(groups.map((group, place) => [keyOf(group), place]));
  const ranks = rankArrivals(arrivals, placeOf);
  const nonces = collectNonces(arrivals, placeOf, ranks);
  const [row] = await sql<{ admitted: number[]; free_at: bigint[]; fresh: number[] | null }[]>`
    select admitted, free_at, fresh from gate_admit(
      ${groups.map((group) => group.accountId)}::text[], ${groups.map((group) => BUDGET_NUMBERS[group.budget])}::smallint[],
      ${groups.map((group) => group.wanted)}::integer[], ${groups.map((group) => group.cap)}::integer[], ${Math.floor(now / 1000)}::bigint,
      ${nonces.groups}::integer[], ${nonces.ranks}::integer[], ${nonces.texts}::text[], ${nonces.expiries}::bigint[])`;
  if (!row) throw new Error("gate_admit answered no row.");
  remember(full, groups, row.free_at);
  const fresh = new Set((row.fresh ?? []).map((place) => nonces.places[place - 1]));
  return arrivals.map((arrival, at) => {
    const group = placeOf.get(keyOf(arrival)) ?? 0;
    if ((ranks[at] ?? 0) > (row.admitted[group] ?? 0)) return over(Number(row.free_at[group] ?? 0n) - now / 1000);
    return arrival.nonce && !fresh.has(at) ? REPLAYED : ADMITTED;
  });
}

/** One group an account and budget, sorted, so that any two batches lock in one order. */
function groupArrivals(arrivals: readonly Arrival[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const arrival of arrivals) {
    const group = groups.get(keyOf(arrival));
    if (group) {
      group.wanted++;
      group.cap = arrival.cap;
    } else groups.set(keyOf(arrival), { accountId: arrival.accountId, budget: arrival.budget, cap: arrival.cap, wanted: 1 });
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}

/** The how-manieth of its group each arrival is: the first ones are let in. */
function rankArrivals(arrivals: readonly Arrival[], placeOf: ReadonlyMap<string, number>): readonly number[] {
  const counts: number[] = [];
  return arrivals.map((arrival) => {
    const group = placeOf.get(keyOf(arrival)) ?? 0;
    const rank = (counts[group] ?? 0) + 1;
    counts[group] = rank;
    return rank;
  });
}

function collectNonces(arrivals: readonly Arrival[], placeOf: ReadonlyMap<string, number>, ranks: readonly number[]): Nonces {
  const nonces: Nonces = { groups: [], ranks: [], texts: [], expiries: [], places: [] };
  arrivals.forEach((arrival, at) => {
    if (!arrival.nonce) return;
    nonces.groups.push((placeOf.get(keyOf(arrival)) ?? 0) + 1);
    nonces.ranks.push(ranks[at] ?? 0);
    nonces.texts.push(arrival.nonce.text);
    nonces.expiries.push(arrival.nonce.expiresAt);
    nonces.places.push(at);
  });
  return nonces;
}

function remember(full: Map<string, Full>, groups: readonly Group[], freeAt: readonly bigint[]): void {
  groups.forEach((group, place) => {
    const second = freeAt[place];
    if (!second) full.delete(keyOf(group));
    else full.set(keyOf(group), { freeAt: Number(second), cap: group.cap });
  });
}

function over(seconds: number): Admission {
  return { kind: "over", retryAfterSeconds: Math.max(1, Math.ceil(seconds)) };
}

function keyOf(one: { readonly accountId: string; readonly budget: Budget }): string {
  return `${one.accountId}/${BUDGET_NUMBERS[one.budget]}`;
}
