import type { Fragment } from "postgres";
import type { Queryable, Sql } from "../../../platform/db/connection.ts";
import type { CallbackKind, CallbackVersion } from "../facts.ts";

/** A callback that this process has claimed, with the account's settings at that time. */
export type ClaimedRow = {
  readonly account_id: string;
  readonly callback_id: string;
  readonly kind: CallbackKind;
  readonly order_id: string;
  readonly urid: string;
  readonly status: string;
  readonly amount: bigint;
  readonly target: string;
  readonly operator_ref: string | null;
  readonly complaint_ref: string | null;
  readonly refund_amount: bigint | null;
  readonly reason: string | null;
  readonly resolved_at: Date | null;
  readonly created_at: Date;
  readonly attempts: number;
  readonly retry_step: number;
  readonly ts: bigint;
  readonly url: string;
  readonly version: CallbackVersion;
  readonly troubled: boolean;
  readonly credential_id: string | null;
  readonly key_id: string | null;
  readonly sealed: Buffer | null;
};

export type ClaimLimits = {
  readonly freeSlots: number;
  readonly freeTroubledSlots: number;
  readonly slotsPerTarget: number;
  readonly leaseMilliseconds: number;
};

export async function claimCallbacks(sql: Sql, now: number, claimId: string, limits: ClaimLimits): Promise<readonly ClaimedRow[]> {
  return await sql<ClaimedRow[]>`
    select account_id, callback_id, kind, order_id, urid, status, amount, target, operator_ref, complaint_ref, refund_amount, reason,
      resolved_at, created_at, attempts, retry_step, ts, url, version, troubled, credential_id, key_id, sealed
    from claim_callbacks(
      at => ${new Date(now)}, claim => ${claimId}, lease => make_interval(secs => ${limits.leaseMilliseconds / 1000}),
      max_callbacks => ${limits.freeSlots}, max_troubled => ${limits.freeTroubledSlots}, slots_per_target => ${limits.slotsPerTarget})`;
}

/**
 * A condition: `claim_callbacks` may find something. It is also true while a due callback is in flight, but not for targets that
 * cannot be sent to now, because callbacks may wait for them for days.
 */
export function mayHaveDueCallbacks(sql: Queryable, at: Date): Fragment {
  return sql`exists (
    select from callback_queues q join accounts a on a.account_id = q.account_id
    left join callback_targets t on t.account_id = q.account_id and t.kind = q.kind
    where q.next_at <= ${at} and not a.callbacks_paused
      and case q.kind when 'status' then a.callback_url else a.complaint_callback_url end is not null
      and (q.retry_tier = 0 or t.probe_at is null or t.probe_at <= ${at}))`;
}

/** The result of an attempt and the claim under which it was made. */
export type Finish = {
  readonly accountId: string;
  readonly kind: CallbackKind;
  readonly callbackId: string;
  readonly claimId: string;
  readonly httpStatus: number | null;
  /** Null for a delivery. */
  readonly error: string | null;
  /** The beginning of the receiver's reply, masked. */
  readonly reply?: string | undefined;
  readonly url: string;
  readonly milliseconds: number;
  readonly startedAt: number;
  /** When to try again if it was not delivered. */
  readonly nextAt: number;
};

export type Finished = {
  /** By index: false for a result whose lease had expired, which changed nothing. */
  readonly counted: readonly boolean[];
  /** Targets whose breaker has just opened, as `account/kind`. */
  readonly opened: readonly string[];
};

const BREAKER_AFTER_FAILURES = 10;
const SLOW_MILLISECONDS = 2_000;

export async function finishCallbacks(sql: Sql, now: number, finishes: readonly Finish[]): Promise<Finished> {
  const [row] = await sql<{ counted: number[] | null; opened: string[] | null }[]>`
    select counted, opened from finish_callbacks(
      at => ${new Date(now)},
      finish_accounts => ${finishes.map((one) => one.accountId)}::text[],
      finish_kinds => ${finishes.map((one) => one.kind)}::text[],
      finish_callback_ids => ${finishes.map((one) => one.callbackId)}::text[],
      finish_claim_ids => ${finishes.map((one) => one.claimId)}::text[],
      finish_http_statuses => ${finishes.map((one) => one.httpStatus ?? 0)}::integer[],
      finish_errors => ${finishes.map((one) => one.error ?? "")}::text[],
      finish_replies => ${finishes.map((one) => one.reply ?? "")}::text[],
      finish_urls => ${finishes.map((one) => one.url)}::text[],
      finish_milliseconds => ${finishes.map((one) => one.milliseconds)}::integer[],
      finish_since_start => ${finishes.map((one) => now - one.startedAt)}::bigint[],
      finish_retry_waits => ${finishes.map((one) => one.nextAt - now)}::bigint[],
      breaker_after_failures => ${BREAKER_AFTER_FAILURES}, slow_after_milliseconds => ${SLOW_MILLISECONDS})`;
  const counted = new Set(row?.counted);
  return { counted: finishes.map((_, place) => counted.has(place + 1)), opened: row?.opened ?? [] };
}

export type Claim = { readonly accountId: string; readonly callbackId: string; readonly claimId: string };

/** Releases claims of unfinished attempts. Their callbacks are due at once for any process. */
export async function releaseCallbacks(sql: Sql, now: number, claims: readonly Claim[]): Promise<void> {
  const [claimIds, callbackIds] = [claims.map((one) => one.claimId), claims.map((one) => one.callbackId)];
  await release(sql, now, sql`(claim_id, callback_id) in (select * from unnest(${claimIds}::text[], ${callbackIds}::text[]))`);
}

/** Makes the callbacks that a dead process had claimed due at once, instead of when their leases expire. */
export async function releaseClaims(sql: Sql, processId: string, now: number): Promise<void> {
  await release(sql, now, sql`starts_with(claim_id, ${`${processId}/`})`);
}

// The receiver may have seen the ts, so the next attempt needs a later one.
async function release(sql: Sql, now: number, which: Fragment): Promise<void> {
  await sql`
    with released as (delete from callback_claims where ${which} returning account_id, callback_id, ts)
    update callbacks c set last_ts = r.ts, next_at = least(c.next_at, ${new Date(now)}) from released r
    where c.account_id = r.account_id and c.callback_id = r.callback_id`;
}

// The next probe of an open breaker is at most a minute away.
const PROBE_SECONDS = 60;
const RENEW_CHUNK = 2_000;

/** Makes callbacks due that wait with outdated settings, of these accounts or of all. Returns their number. */
export async function renewCallbacks(sql: Sql, now: number, accountIds: readonly string[] | "all"): Promise<number> {
  let total = 0;
  for (;;) {
    const accounts = accountIds === "all" ? null : (accountIds as string[]);
    const [row] = await sql<{ renewed: number }[]>`
      select renew_callbacks(at => ${new Date(now)}, for_accounts => ${accounts}::text[], chunk => ${RENEW_CHUNK}) as renewed`;
    const renewed = row?.renewed ?? 0;
    if (renewed === 0) return total;
    total += renewed;
  }
}

/**
 * Makes callbacks due whose time lies further ahead than any back-off, because a clock was wrong. Callbacks that wait for an
 * earlier one of their order share its time and are left alone, and so are rows that another session has locked.
 */
export async function repairFutureTimes(
  sql: Sql,
  now: number,
  longestSeconds: readonly number[],
  marginSeconds: number,
): Promise<{ readonly fixed: number; readonly isLeft: boolean }> {
  const at = new Date(now);
  await sql`
    update callback_claims m set ends_at = ${at} from (
      select account_id, kind, callback_id from callback_claims
      where ends_at > ${at} + make_interval(secs => ${marginSeconds}) for update skip locked) w
    where m.account_id = w.account_id and m.kind = w.kind and m.callback_id = w.callback_id`;
  await sql`
    update callback_targets t set probe_at = ${at} from (
      select account_id, kind from callback_targets
      where probe_at > ${at} + make_interval(secs => ${marginSeconds + PROBE_SECONDS}) for update skip locked) w
    where t.account_id = w.account_id and t.kind = w.kind`;
  const isTooFar = sql`
    c.state = 'waiting' and c.next_at > ${at} + make_interval(secs => ${marginSeconds}
        + (${longestSeconds as number[]}::integer[])[least(c.retry_step, ${longestSeconds.length - 1}) + 1])
      and not exists (select 1 from callbacks e where e.account_id = c.account_id and e.order_id = c.order_id and e.kind = c.kind
        and e.state <> 'delivered' and e.callback_id < c.callback_id)`;
  const { count } = await sql`
    update callbacks c set next_at = ${at} from (
      select c.account_id, c.callback_id from callbacks c where ${isTooFar} for update of c skip locked) w
    where c.account_id = w.account_id and c.callback_id = w.callback_id`;
  const [row] = await sql<{ left: boolean }[]>`select exists (select from callbacks c where ${isTooFar}) as left`;
  return { fixed: count, isLeft: row?.left ?? false };
}
