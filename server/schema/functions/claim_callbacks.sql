-- Claims up to `max_callbacks` due callbacks for delivery, at most `slots_per_target` in flight per target, and returns
-- everything that is needed to make their messages. Targets in trouble (failing or slow) get at most `max_troubled` of them, so
-- that they cannot use up the slots of the others.
--
-- Strategy: two statements.
-- 1. Lock the targets. callback_queues lists the targets with due work by one index probe each (due_targets). Targets that
--    have no row yet get one (new_targets); the others are locked, and those that another process holds are skipped
--    (locked_targets). A target's row is the lock of its claims: only its holder makes claims.
-- 2. Claim. A new statement has a new snapshot, so it sees what the previous holder claimed. `targets` adds what is in flight
--    and the account's settings; `candidates` reads the next due callbacks of each target and what blocks them; `blocked`
--    and `defer_blocked` postpone callbacks that wait for an earlier callback of their order; `ranked_in_target`,
--    `ranked_overall` and `chosen` share the slots out fairly; `new_claims`, `taken_over_claims` and `next_probes` write.
--
-- Locks: target rows, then rows of callbacks and claims of these targets, all with SKIP LOCKED where another process may hold
-- them, so the function never waits for one. The commit need not wait for the disk: a claim that a crash of the database loses
-- was never made.
--
-- Plans: they must be right before there are statistics and must outlive an empty table. The settings leave only index probes,
-- one after the other (a sub-select with `offset 0`, `limit` or a lock is not reordered), planned once. `state = 'waiting'` is
-- written only where callbacks_due is to be used: elsewhere the planner would take that index for rows whose key is known.
create function claim_callbacks(
  at timestamptz, claim text, lease interval, max_callbacks integer, max_troubled integer, slots_per_target integer
) returns table (
  account_id text, callback_id text, kind text, order_id text, urid text, status text, amount bigint, target text, operator_ref text,
  complaint_ref text, refund_amount bigint, reason text, resolved_at timestamptz, created_at timestamptz, attempts integer, retry_step integer,
  ts bigint, url text, version smallint, troubled boolean, credential_id text, key_id text, sealed bytea
) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_memoize = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  now_ts constant bigint := floor(extract(epoch from at));
  -- A blocked callback is postponed for at least this long. The delivery of the earlier one makes it due again.
  blocked_for constant interval := '1 second';
  max_blocked constant integer := 500;
  target_accounts text[];
  target_kinds text[];
  target_troubled boolean[];
  target_probes timestamptz[];
  target_has_later boolean[];
  -- How many callbacks of each target are read, so that no more are read than can be claimed.
  share integer;
begin
  perform set_config('synchronous_commit', 'off', true);

  -- Step 1: lock the targets.
  with due_targets as materialized (
    select q.account_id, q.kind, min(n.next_at) as next_at, min(a.callback_settings_version) as settings_version,
      bool_or(t.troubled) as troubled, bool_or(t.is_new) as is_new, bool_or(q.retry_tier = 1) as has_later
    from (select account_id, kind, retry_tier, next_at from callback_queues where next_at <= at offset 0) q
    cross join lateral (
      select a.callback_settings_version from accounts a where a.account_id = q.account_id and not a.callbacks_paused
        and case q.kind when 'status' then a.callback_url else a.complaint_callback_url end is not null offset 0) a
    cross join lateral (
      select coalesce(bool_or(t.failures > 0 or t.slow), false) as troubled, count(*) = 0 as is_new, min(t.probe_at) as probe_at
      from callback_targets t where t.account_id = q.account_id and t.kind = q.kind) t
    cross join lateral (
      select coalesce(array_agg(f.callback_id), '{}') as in_flight from callback_claims f
      where f.account_id = q.account_id and f.kind = q.kind and f.ends_at > at) f
    -- A callback in flight keeps its time, so the earliest one that is not in flight counts.
    cross join lateral (
      select case when f.in_flight = '{}' then q.next_at else (
        select c.next_at from callbacks c where c.account_id = q.account_id and c.kind = q.kind and c.state = 'waiting'
          and c.retry_tier = q.retry_tier and c.next_at <= at and c.callback_id <> all(f.in_flight)
        order by c.next_at limit 1) end as next_at offset 0) n
    where (q.retry_tier = 0 or t.probe_at is null or t.probe_at <= at) and cardinality(f.in_flight) < slots_per_target
      and n.next_at is not null
    group by q.account_id, q.kind
    order by troubled, next_at limit max_callbacks
  ), new_targets as (
    insert into callback_targets (account_id, kind, settings_version)
    select d.account_id, d.kind, d.settings_version from due_targets d where d.is_new order by d.account_id, d.kind
    on conflict do nothing
    returning callback_targets.account_id, callback_targets.kind
  ), locked_targets as (
    select t.account_id, t.kind, t.troubled, t.probe_at, d.has_later from due_targets d cross join lateral (
      select t.account_id, t.kind, t.failures > 0 or t.slow as troubled, t.probe_at from callback_targets t
      where t.account_id = d.account_id and t.kind = d.kind for update skip locked) t
  ), held_targets as (
    select n.account_id, n.kind, false as troubled, null::timestamptz as probe_at, true as has_later from new_targets n
    union all select * from locked_targets
  )
  select array_agg(h.account_id), array_agg(h.kind), array_agg(h.troubled), array_agg(h.probe_at), array_agg(h.has_later)
    into target_accounts, target_kinds, target_troubled, target_probes, target_has_later from held_targets h;
  if target_accounts is null then return; end if;

  -- Step 2: claim.
  share := least(slots_per_target, ceil(max_callbacks::numeric / cardinality(target_accounts)));
  return query
  with targets as materialized (
    select u.account_id, u.kind, u.troubled, u.probe_at, f.in_flight, f.has_expired_claims,
      slots_per_target - cardinality(f.in_flight) as free_slots, a.url, a.version, a.settings_version,
      s.credential_id, s.key_id, s.sealed,
      -- While the breaker is open, one later retry may go as the probe, once a minute.
      case when not u.has_later or u.probe_at > at then 0 when u.probe_at is null then share else 1 end as max_later
    from unnest(target_accounts, target_kinds, target_troubled, target_probes, target_has_later)
      as u (account_id, kind, troubled, probe_at, has_later)
    cross join lateral (
      select coalesce(array_agg(f.callback_id) filter (where f.ends_at > at), '{}') as in_flight,
        coalesce(bool_or(f.ends_at <= at), false) as has_expired_claims
      from callback_claims f where f.account_id = u.account_id and f.kind = u.kind) f
    cross join lateral (
      select case u.kind when 'status' then a.callback_url else a.complaint_callback_url end as url, a.callback_version as version,
        a.callback_settings_version as settings_version
      from accounts a where a.account_id = u.account_id offset 0) a
    left join lateral (
      select s.credential_id, s.key_id, s.sealed from credentials s where s.account_id = u.account_id
        and s.expires_at is null and s.is_primary and s.kind = case a.version when 3 then 'callback_secret' else 'api_token' end limit 1) s on true
    where a.url is not null
  ), candidates as materialized (
    select t.account_id, t.kind, t.troubled, t.probe_at, t.free_slots, t.has_expired_claims, t.url, t.version,
      t.settings_version, t.credential_id, t.key_id, t.sealed, c.callback_id, c.order_id, c.urid, c.status, c.amount, c.target,
      c.operator_ref, c.complaint_ref, c.refund_amount, c.reason, c.resolved_at, c.created_at, c.attempts, c.retry_step,
      c.retry_tier, c.last_ts, c.next_at, b.callback_id as blocked_by
    from targets t
    cross join lateral (values (0::smallint, share), (1::smallint, t.max_later)) as r (retry_tier, max_read)
    cross join lateral (
      select c.* from callbacks c
      where c.account_id = t.account_id and c.kind = t.kind and c.state = 'waiting' and c.retry_tier = r.retry_tier and c.next_at <= at
        and c.callback_id <> all(t.in_flight)
      order by c.next_at limit least(r.max_read, t.free_slots)) c
    -- A callback never overtakes an earlier undelivered callback of the same order.
    left join lateral (
      select e.callback_id from callbacks e where e.account_id = t.account_id and e.order_id = c.order_id and e.kind = t.kind
        and e.state <> 'delivered' and e.callback_id < c.callback_id limit 1) b on true
    where t.free_slots > 0
  ), blocked as materialized (
    select w.account_id, w.callback_id, greatest(w.free_at, at + blocked_for) as next_at
    from (select distinct s.account_id, s.kind, s.retry_tier, s.probe_at from candidates s where s.blocked_by is not null) l
    cross join lateral (
      select c.account_id, c.callback_id, case when b.retry_tier = 1 then greatest(b.next_at, l.probe_at) else b.next_at end as free_at
      from (
        select c.account_id, c.callback_id, c.order_id, c.kind from callbacks c
        where c.account_id = l.account_id and c.kind = l.kind and c.state = 'waiting' and c.retry_tier = l.retry_tier and c.next_at <= at
        order by c.next_at limit max_blocked for update skip locked) c
      cross join lateral (
        select e.next_at, e.retry_tier from callbacks e where e.account_id = c.account_id and e.order_id = c.order_id
          and e.kind = c.kind and e.state <> 'delivered' and e.callback_id < c.callback_id
        order by e.callback_id limit 1) b) w
  ), defer_blocked as (
    update callbacks c set next_at = w.next_at from blocked w where c.account_id = w.account_id and c.callback_id = w.callback_id
  ), ranked_in_target as (
    select s.*, row_number() over (partition by s.account_id, s.kind order by s.next_at, s.callback_id) as target_rank
    from candidates s where s.blocked_by is null
  ), ranked_overall as (
    select b.*, row_number() over (partition by b.troubled order by b.target_rank, b.next_at) as overall_rank
    from ranked_in_target b where b.target_rank <= b.free_slots
  ), chosen as materialized (
    select b.*, m.claim_id as expired_claim,
      -- Later than the last ts, unless a clock that was set back would make it lie in the future.
      case when m.last_ts >= now_ts and m.last_ts < now_ts + 60 then m.last_ts + 1 else now_ts end as ts
    from (
      select b.* from ranked_overall b where not b.troubled or b.overall_rank <= max_troubled
      order by b.troubled, b.target_rank, b.next_at limit max_callbacks) b
    cross join lateral (
      select min(m.claim_id) as claim_id, greatest(b.last_ts, min(m.ts)) as last_ts from callback_claims m
      where b.has_expired_claims and m.account_id = b.account_id and m.kind = b.kind and m.callback_id = b.callback_id) m
  ), new_claims as (
    insert into callback_claims (account_id, kind, callback_id, claim_id, ends_at, ts, version, settings_version)
    select o.account_id, o.kind, o.callback_id, claim, at + lease, o.ts, o.version, o.settings_version
    from chosen o where o.expired_claim is null
  ), taken_over_claims as (
    -- The last holder may be finishing this moment, after its lease: the first of the two gets the claim.
    update callback_claims m set claim_id = claim, ends_at = at + lease, ts = o.ts, version = o.version, settings_version = o.settings_version
    from (
      select o.* from chosen o cross join lateral (
        select 1 from callback_claims m where m.account_id = o.account_id and m.kind = o.kind and m.callback_id = o.callback_id
          and m.claim_id = o.expired_claim for update skip locked) m
      where o.expired_claim is not null offset 0) o
    where m.account_id = o.account_id and m.kind = o.kind and m.callback_id = o.callback_id
    returning m.account_id, m.callback_id
  ), next_probes as (
    update callback_targets t set probe_at = at + interval '1 minute'
    from (select distinct o.account_id, o.kind from chosen o where o.retry_tier = 1) p
    where t.account_id = p.account_id and t.kind = p.kind and t.probe_at is not null
  )
  select o.account_id, o.callback_id, o.kind, o.order_id, o.urid, o.status, o.amount, o.target, o.operator_ref, o.complaint_ref,
    o.refund_amount, o.reason, o.resolved_at, o.created_at, o.attempts, o.retry_step, o.ts, o.url, o.version, o.troubled,
    o.credential_id, o.key_id, o.sealed
  from chosen o
  where o.expired_claim is null or (o.account_id, o.callback_id) in (select x.account_id, x.callback_id from taken_over_claims x);
end $$;
