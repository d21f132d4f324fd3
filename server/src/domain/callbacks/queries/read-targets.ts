import type { Sql } from "../../../platform/db/connection.ts";
import { type AccountMode, ofMode } from "../../accounts/account-mode.ts";
import type { CallbackKind, CallbackVersion } from "../facts.ts";

export const TARGET_STATES = ["broken", "failing", "paused", "parked"] as const;
/** `broken`: the circuit breaker is open. `parked`: the account has no URL. */
export type TargetState = (typeof TARGET_STATES)[number];

/** A target is one of an account's two callback URLs for which callbacks are waiting. */
export type TargetRow = {
  readonly account_id: string;
  readonly name: string;
  readonly kind: CallbackKind;
  readonly url: string | null;
  readonly version: CallbackVersion;
  readonly paused: boolean;
  readonly state: TargetState;
  /** Consecutive failures. */
  readonly failures: number;
  /** When the next probe is allowed; null while the breaker is closed. */
  readonly probe_at: Date | null;
  readonly next_at: Date;
  /** Up to MAX_WAITING. */
  readonly waiting: number;
  readonly oldest_at: Date;
  readonly last_http_status: number | null;
  readonly last_error: string | null;
};

export type TargetQuery = {
  readonly accountId: string | null;
  readonly mode: AccountMode | null;
  readonly state: TargetState | null;
  /** The last target of the previous page. */
  readonly after: { readonly accountId: string; readonly kind: string } | null;
  readonly limit: number;
};

export const MAX_WAITING = 2_000;

/** Lists targets with waiting callbacks and a problem, by account. */
export async function listTargets(sql: Sql, query: TargetQuery): Promise<readonly TargetRow[]> {
  const { accountId, after } = query;
  const states = query.state === null ? [...TARGET_STATES] : [query.state];
  return await sql<TargetRow[]>`
    select p.account_id, p.name, p.kind, p.url, p.version, p.paused, p.state, p.failures, p.probe_at, p.next_at, w.waiting, w.oldest_at,
      w.last_http_status, w.last_error
    from (
      select * from (${targets(sql)}) t where t.state = any(${states}) and ${ofMode(sql, "t.account_id", query.mode)}
        ${accountId === null ? sql`` : sql`and t.account_id = ${accountId}`}
        ${after === null ? sql`` : sql`and (t.account_id, t.kind) > (${after.accountId}, ${after.kind})`}
      order by t.account_id, t.kind limit ${query.limit}) p
    cross join lateral (
      select count(*)::int as waiting, min(w.created_at) as oldest_at,
        (array_agg(w.last_http_status order by w.last_ts desc))[1] as last_http_status,
        (array_agg(w.last_error order by w.last_ts desc))[1] as last_error
      from (${waitingOf(sql)}) w) w
    order by p.account_id, p.kind`;
}

function targets(sql: Sql) {
  return sql`
    select l.account_id, l.kind, l.next_at, a.name, a.url, a.version, a.paused, coalesce(t.failures, 0) as failures, t.probe_at,
      case when a.url is null then 'parked' when a.paused then 'paused' when t.probe_at is not null then 'broken'
        when t.failures > 0 then 'failing' end as state
    from (select account_id, kind, min(next_at) as next_at from callback_queues group by account_id, kind) l
    cross join lateral (
      select a.name, case l.kind when 'status' then a.callback_url else a.complaint_callback_url end as url, a.callback_version as version,
        a.callbacks_paused as paused
      from accounts a where a.account_id = l.account_id) a
    left join callback_targets t on t.account_id = l.account_id and t.kind = l.kind`;
}

// Read from the end of the index, where the callbacks with the most attempts are, because the count is limited.
function waitingOf(sql: Sql) {
  return sql`
    select c.created_at, c.last_ts, c.last_http_status, c.last_error from callbacks c
    where c.account_id = p.account_id and c.kind = p.kind and c.state = 'waiting'
    order by c.retry_tier desc, c.next_at desc limit ${MAX_WAITING}`;
}
