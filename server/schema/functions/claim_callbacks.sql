-- Claims up to `room` due callbacks for delivery, at most `slots` in flight per target, and returns everything that is needed to
-- make their messages. Targets in trouble (failing or slow) get at most `troubled_room` of them, so that they cannot use up the
-- slots of the others.
create function claim_callbacks(
  at timestamptz, claim text, lease interval, room integer, troubled_room integer, slots integer
) returns table (
  account_id text, callback_id text, kind text, order_id text, urid text, status text, amount bigint, target text, operator_ref text,
  complaint_ref text, refund_amount bigint, reason text, resolved_at timestamptz, created_at timestamptz, attempts integer, step integer,
  ts bigint, url text, version smallint, troubled boolean, credential_id text, key_id text, sealed bytea
) language plpgsql
-- Plans must be right before there are statistics, and outlive the table's emptiness: index probes only, one after the
-- other (a sub-select with `offset 0`, `limit` or a lock is not reordered), planned once. Only what is to be found by
-- callbacks_due says `state = 'waiting'`: that index would be mistaken for a way to rows whose key is known.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_memoize = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  now_ts constant bigint := floor(extract(epoch from at));
  -- What an earlier callback of its order blocks is out of the way for so long; the delivery of that one calls it back.
  blocked_for constant interval := '1 second';
  most_blocked constant integer := 500;
  lane_accounts text[];
  lane_kinds text[];
  lane_troubled boolean[];
  lane_probes timestamptz[];
  lane_later boolean[];
  -- Of each lane, so that no more is looked at than can be taken.
  share integer;
begin
  -- A claim that a crash of the database forgets is one that never was: its commit need not wait for the disk.
  perform set_config('synchronous_commit', 'off', true);
  -- A lane's row is its lock: claims are made by its holder only. The next statement has a snapshot of its own, so it sees
  -- what the last holder took, and what has no claim there is not being finished by anybody.
  with due as materialized (
    select l.account_id, l.kind, min(n.next_at) as next_at, min(a.callback_epoch) as epoch, bool_or(t.troubled) as troubled,
      bool_or(t.is_new) as is_new, bool_or(l.tier = 1) as has_later
    from (select account_id, kind, tier, next_at from callback_lanes where next_at <= at offset 0) l
    cross join lateral (
      select a.callback_epoch from accounts a where a.account_id = l.account_id and not a.callbacks_paused
        and case l.kind when 'status' then a.callback_url else a.complaint_callback_url end is not null offset 0) a
    cross join lateral (
      select coalesce(bool_or(t.failures > 0 or t.slow), false) as troubled, count(*) = 0 as is_new, min(t.probe_at) as probe_at
      from callback_targets t where t.account_id = l.account_id and t.kind = l.kind) t
    cross join lateral (
      select coalesce(array_agg(f.callback_id), '{}') as flying from callback_claims f
      where f.account_id = l.account_id and f.kind = l.kind and f.ends_at > at) f
    -- What is in flight stands where it stood.
    cross join lateral (
      select case when f.flying = '{}' then l.next_at else (
        select c.next_at from callbacks c where c.account_id = l.account_id and c.kind = l.kind and c.state = 'waiting' and c.tier = l.tier
          and c.next_at <= at and c.callback_id <> all(f.flying)
        order by c.next_at limit 1) end as next_at offset 0) n
    where (l.tier = 0 or t.probe_at is null or t.probe_at <= at) and cardinality(f.flying) < slots and n.next_at is not null
    group by l.account_id, l.kind
    order by troubled, next_at limit room
  ), made as (
    insert into callback_targets (account_id, kind, epoch)
    select d.account_id, d.kind, d.epoch from due d where d.is_new order by d.account_id, d.kind
    on conflict do nothing
    returning callback_targets.account_id, callback_targets.kind
  ), held as (
    select t.account_id, t.kind, t.troubled, t.probe_at, d.has_later from due d cross join lateral (
      select t.account_id, t.kind, t.failures > 0 or t.slow as troubled, t.probe_at from callback_targets t
      where t.account_id = d.account_id and t.kind = d.kind for update skip locked) t
  ), lane as (
    select made.account_id, made.kind, false as troubled, null::timestamptz as probe_at, true as has_later from made
    union all select * from held
  )
  select array_agg(lane.account_id), array_agg(lane.kind), array_agg(lane.troubled), array_agg(lane.probe_at), array_agg(lane.has_later)
    into lane_accounts, lane_kinds, lane_troubled, lane_probes, lane_later from lane;
  if lane_accounts is null then return; end if;

  share := least(slots, ceil(room::numeric / cardinality(lane_accounts)));
  return query
  with lane as materialized (
    select u.account_id, u.kind, u.troubled, u.probe_at, f.flying, f.left_over, slots - cardinality(f.flying) as free, a.url,
      a.version, a.epoch, s.credential_id, s.key_id, s.sealed,
      -- Of what an open breaker holds, one may go as the probe, once a minute.
      case when not u.has_later or u.probe_at > at then 0 when u.probe_at is null then share else 1 end as later
    from unnest(lane_accounts, lane_kinds, lane_troubled, lane_probes, lane_later) as u (account_id, kind, troubled, probe_at, has_later)
    cross join lateral (
      select coalesce(array_agg(f.callback_id) filter (where f.ends_at > at), '{}') as flying,
        coalesce(bool_or(f.ends_at <= at), false) as left_over
      from callback_claims f where f.account_id = u.account_id and f.kind = u.kind) f
    cross join lateral (
      select case u.kind when 'status' then a.callback_url else a.complaint_callback_url end as url, a.callback_version as version,
        a.callback_epoch as epoch
      from accounts a where a.account_id = u.account_id offset 0) a
    left join lateral (
      select s.credential_id, s.key_id, s.sealed from credentials s where s.account_id = u.account_id and s.expires_at is null
        and s.kind = case a.version when 3 then 'callback_secret' else 'api_token' end limit 1) s on true
    where a.url is not null
  ), seen as materialized (
    select lane.account_id, lane.kind, lane.troubled, lane.probe_at, lane.free, lane.left_over, lane.url, lane.version,
      lane.epoch, lane.credential_id, lane.key_id, lane.sealed, c.callback_id, c.order_id, c.urid, c.status, c.amount, c.target,
      c.operator_ref, c.complaint_ref, c.refund_amount, c.reason, c.resolved_at, c.created_at, c.attempts, c.step, c.tier, c.sent_ts,
      c.next_at, b.callback_id as blocked_by
    from lane
    cross join lateral (values (0::smallint, share), (1::smallint, lane.later)) as r (tier, most)
    cross join lateral (
      select c.* from callbacks c
      where c.account_id = lane.account_id and c.kind = lane.kind and c.state = 'waiting' and c.tier = r.tier and c.next_at <= at
        and c.callback_id <> all(lane.flying)
      order by c.next_at limit least(r.most, lane.free)) c
    -- Nothing overtakes an earlier callback of its order that is not settled.
    left join lateral (
      select e.callback_id from callbacks e where e.account_id = lane.account_id and e.order_id = c.order_id and e.kind = lane.kind
        and e.state <> 'delivered' and e.callback_id < c.callback_id limit 1) b on true
    where lane.free > 0
  ), waits as materialized (
    select w.account_id, w.callback_id, greatest(w.free_at, at + blocked_for) as next_at
    from (select distinct s.account_id, s.kind, s.tier, s.probe_at from seen s where s.blocked_by is not null) l
    cross join lateral (
      select c.account_id, c.callback_id, case when b.tier = 1 then greatest(b.next_at, l.probe_at) else b.next_at end as free_at
      from (
        select c.account_id, c.callback_id, c.order_id, c.kind from callbacks c
        where c.account_id = l.account_id and c.kind = l.kind and c.state = 'waiting' and c.tier = l.tier and c.next_at <= at
        order by c.next_at limit most_blocked for update skip locked) c
      cross join lateral (
        select e.next_at, e.tier from callbacks e where e.account_id = c.account_id and e.order_id = c.order_id
          and e.kind = c.kind and e.state <> 'delivered' and e.callback_id < c.callback_id
        order by e.callback_id limit 1) b) w
  ), deferred as (
    update callbacks c set next_at = w.next_at from waits w where c.account_id = w.account_id and c.callback_id = w.callback_id
  ), by_lane as (
    select s.*, row_number() over (partition by s.account_id, s.kind order by s.next_at, s.callback_id) as rank
    from seen s where s.blocked_by is null
  ), by_trouble as (
    select b.*, row_number() over (partition by b.troubled order by b.rank, b.next_at) as place from by_lane b where b.rank <= b.free
  ), chosen as materialized (
    select b.*, m.claim_id as left_claim,
      -- Later than the last one's, unless a clock that was set back would make that a lie.
      case when m.last_ts >= now_ts and m.last_ts < now_ts + 60 then m.last_ts + 1 else now_ts end as ts
    from (
      select b.* from by_trouble b where not b.troubled or b.place <= troubled_room
      order by b.troubled, b.rank, b.next_at limit room) b
    cross join lateral (
      select min(m.claim_id) as claim_id, greatest(b.sent_ts, min(m.ts)) as last_ts from callback_claims m
      where b.left_over and m.account_id = b.account_id and m.kind = b.kind and m.callback_id = b.callback_id) m
  ), made as (
    insert into callback_claims (account_id, kind, callback_id, claim_id, ends_at, ts, version, epoch)
    select o.account_id, o.kind, o.callback_id, claim, at + lease, o.ts, o.version, o.epoch from chosen o where o.left_claim is null
  ), taken_over as (
    -- Its last holder may be finishing it, too late but not yet in vain: whoever comes first has it.
    update callback_claims m set claim_id = claim, ends_at = at + lease, ts = o.ts, version = o.version, epoch = o.epoch
    from (
      select o.* from chosen o cross join lateral (
        select 1 from callback_claims m where m.account_id = o.account_id and m.kind = o.kind and m.callback_id = o.callback_id
          and m.claim_id = o.left_claim for update skip locked) m
      where o.left_claim is not null offset 0) o
    where m.account_id = o.account_id and m.kind = o.kind and m.callback_id = o.callback_id
    returning m.account_id, m.callback_id
  ), probed as (
    update callback_targets t set probe_at = at + interval '1 minute'
    from (select distinct o.account_id, o.kind from chosen o where o.tier = 1) p
    where t.account_id = p.account_id and t.kind = p.kind and t.probe_at is not null
  )
  select o.account_id, o.callback_id, o.kind, o.order_id, o.urid, o.status, o.amount, o.target, o.operator_ref, o.complaint_ref,
    o.refund_amount, o.reason, o.resolved_at, o.created_at, o.attempts, o.step, o.ts, o.url, o.version, o.troubled,
    o.credential_id, o.key_id, o.sealed
  from chosen o
  where o.left_claim is null or (o.account_id, o.callback_id) in (select x.account_id, x.callback_id from taken_over x);
end $$;
