-- Delivery of what stands in `callbacks`. A lane is an account and a kind of callback: one URL at a time.
alter table callbacks
  -- Failures since it was last made due: its place in the back-off.
  add column step integer not null default 0,
  -- 0 for a first attempt and its 5 s and 15 s retries, which no breaker holds; 1 for what comes later.
  add column tier smallint not null generated always as (case when step < 3 then 0 else 1 end) stored,
  -- The ts of the last attempt, whatever became of it: the next one has a later one.
  add column sent_ts bigint not null default 0,
  -- The callback version of the last attempt.
  add column version smallint;

drop index callbacks_due, callbacks_unsettled;
-- Many have one time, and of entries that are kept as one, none is passed over as dead before all of them are.
create index callbacks_due on callbacks (account_id, kind, tier, next_at) with (deduplicate_items = off) where state = 'waiting';
create index callbacks_of_order on callbacks (account_id, order_id, kind, callback_id);
alter table callbacks set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.05);

-- Whose attempt is under way. Apart from the callback, whose every index would have to follow a lease that comes and goes.
-- One that has ended stays until the next attempt takes it over, because that has to have a later ts.
create table callback_claims (
  account_id text not null,
  kind text not null,
  callback_id text not null,
  -- A finish without it is too late.
  claim_id text not null,
  ends_at timestamptz not null,
  ts bigint not null,
  version smallint not null,
  -- The account's callback settings that the attempt is made with.
  epoch integer not null,
  primary key (account_id, kind, callback_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

create table callback_targets (
  account_id text not null,
  kind text not null,
  -- In a row.
  failures integer not null default 0,
  -- Its last answers took long.
  slow boolean not null default false,
  -- Null while the breaker is closed, else when its next probe may go.
  probe_at timestamptz,
  -- The account's callback settings that the lane's times were reckoned with.
  epoch integer not null,
  primary key (account_id, kind)
) with (fillfactor = 50);

create table callback_attempts (
  account_id text not null,
  callback_id text not null,
  attempt integer not null,
  at timestamptz not null,
  url text not null,
  version smallint not null,
  http_status integer,
  -- Null for a delivery.
  error text,
  milliseconds integer not null,
  primary key (account_id, callback_id, attempt)
);

-- The lanes that have something waiting, each with its earliest time, by one index probe a lane however long it is.
create view callback_lanes as
  with recursive lanes as (
    (select c.account_id, c.kind, c.tier, c.next_at from callbacks c where c.state = 'waiting'
      order by c.account_id, c.kind, c.tier, c.next_at limit 1)
    union all
    select n.account_id, n.kind, n.tier, n.next_at from lanes l cross join lateral (
      select c.account_id, c.kind, c.tier, c.next_at from callbacks c
      where c.state = 'waiting' and (c.account_id, c.kind, c.tier) > (l.account_id, l.kind, l.tier)
      order by c.account_id, c.kind, c.tier, c.next_at limit 1) n
  )
  select account_id, kind, tier, next_at from lanes;

-- Takes up to `room` deliveries, at most `slots` in flight a lane, and answers all that is needed to make their messages.
-- Lanes in trouble get no more than `troubled_room` of them, so that they cannot use up what the others need.
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

-- Records how attempts ended. A finish whose claim is over changes nothing. Answers the places of those that counted and
-- the lanes whose breaker opened.
create function finish_callbacks(
  at timestamptz, f_account text[], f_kind text[], f_callback text[], f_claim text[], f_http integer[], f_error text[], f_url text[],
  -- Milliseconds: of the attempt, since its start, until the next one if it failed.
  f_took integer[], f_since bigint[], f_wait bigint[],
  breaker_after integer, slow_after integer,
  out counted integer[], out opened text[]
) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_memoize = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  with finish as materialized (
    select * from unnest(f_account, f_kind, f_callback, f_claim, f_http, f_error, f_url, f_took, f_since, f_wait)
      with ordinality as f (account_id, kind, callback_id, claim_id, http_status, error, url, took, since, wait, place)
    order by account_id, kind, callback_id
  ), held as (
    delete from callback_claims m using finish f
    where m.account_id = f.account_id and m.kind = f.kind and m.callback_id = f.callback_id and m.claim_id = f.claim_id
    returning f.account_id, f.kind, f.callback_id, nullif(f.http_status, 0) as http_status, nullif(f.error, '') as error, f.url, f.took,
      f.since, f.wait, f.place, m.ts, m.version, m.epoch
  ), ended as (
    update callbacks c set
      state = case when f.error is null then 'delivered' else 'waiting' end,
      delivered_at = case when f.error is null then at end,
      attempts = c.attempts + 1, last_http_status = f.http_status, last_error = f.error, sent_ts = f.ts, version = f.version,
      -- Settings that changed during the attempt: it is due at once, as the account stands now.
      step = case when f.epoch <> f.epoch_now then 0 else c.step + 1 end,
      next_at = case when f.error is null then c.next_at when f.epoch <> f.epoch_now then at
        else at + f.wait * interval '1 millisecond' end,
      epoch = f.epoch_now
    from (
      select f.*, a.epoch_now from held f
      cross join lateral (select a.callback_epoch as epoch_now from accounts a where a.account_id = f.account_id offset 0) a offset 0) f
    where c.account_id = f.account_id and c.callback_id = f.callback_id and c.state <> 'delivered'
    returning c.account_id, c.callback_id, c.kind, c.order_id, c.attempts, c.step > 0 as of_target, f.place, f.http_status, f.error, f.url,
      f.version, f.took, f.since
  ), logged as (
    insert into callback_attempts (account_id, callback_id, attempt, at, url, version, http_status, error, milliseconds)
    select e.account_id, e.callback_id, e.attempts, at - e.since * interval '1 millisecond', e.url, e.version, e.http_status, e.error, e.took
    from ended e
  ), released as (
    -- The order's next callback need not wait any longer, nor is it to be put off by a claim that is under way.
    update callbacks c set next_at = least(c.next_at, at)
    from (
      select w.account_id, w.callback_id from ended e cross join lateral (
        select w.account_id, w.callback_id from callbacks w
        where w.account_id = e.account_id and w.order_id = e.order_id and w.kind = e.kind and w.callback_id > e.callback_id
          and w.state <> 'delivered' offset 0) w
      where e.error is null offset 0) w
    where c.account_id = w.account_id and c.callback_id = w.callback_id
  ), lane as (
    select e.account_id, e.kind, bool_or(e.error is null) as delivered, count(*) filter (where e.error is not null and e.of_target) as failed,
      max(e.took) > slow_after as slow
    from ended e group by e.account_id, e.kind
  ), change as materialized (
    select l.account_id, l.kind, l.slow, l.delivered, case when l.delivered then 0 else t.failures + l.failed end as failures, t.probe_at
    from (select l.* from lane l order by l.account_id, l.kind) l
    cross join lateral (
      select t.failures, t.probe_at from callback_targets t where t.account_id = l.account_id and t.kind = l.kind
        -- A healthy lane's row is left alone.
        and (t.slow <> l.slow or t.probe_at is not null or t.failures <> 0 or not l.delivered)
      for update) t
  ), changed as (
    update callback_targets t set failures = c.failures, slow = c.slow,
      probe_at = case when c.delivered then null when c.failures >= breaker_after then coalesce(c.probe_at, at + interval '1 minute') else c.probe_at end
    from change c where t.account_id = c.account_id and t.kind = c.kind
    returning t.account_id, t.kind, c.probe_at is null and t.probe_at is not null as opened
  )
  select (select array_agg(e.place::integer) from ended e),
    (select array_agg(c.account_id || '/' || c.kind) from changed c where c.opened)
    into counted, opened;
end $$;

-- Makes due what waits with times reckoned from settings that have changed since, and closes the breaker. Works through
-- at most `chunk` rows a lane; answers how many it touched, so that the caller goes on until there are none.
create function renew_callbacks(at timestamptz, for_accounts text[], chunk integer) returns integer language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  lane record;
  renewed integer;
  total integer := 0;
begin
  for lane in
    select t.account_id, t.kind, a.callback_epoch from callback_targets t join accounts a on a.account_id = t.account_id
    where t.epoch <> a.callback_epoch and (for_accounts is null or t.account_id = any(for_accounts)) order by t.account_id, t.kind
  loop
    update callbacks c set next_at = at, step = 0, epoch = lane.callback_epoch
    from (
      select w.account_id, w.callback_id from (
        select w.account_id, w.callback_id, w.epoch from callbacks w
        where w.account_id = lane.account_id and w.kind = lane.kind and w.state = 'waiting' offset 0) w
      where w.epoch <> lane.callback_epoch order by w.callback_id limit chunk) w
    where c.account_id = w.account_id and c.callback_id = w.callback_id and c.state <> 'delivered';
    get diagnostics renewed = row_count;
    total := total + renewed;
    if renewed < chunk then
      update callback_targets t set epoch = lane.callback_epoch, failures = 0, slow = false, probe_at = null
      where t.account_id = lane.account_id and t.kind = lane.kind and t.epoch <> lane.callback_epoch;
    end if;
  end loop;
  return total;
end $$;
