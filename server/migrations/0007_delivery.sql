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
create index callbacks_due on callbacks (account_id, kind, tier, next_at) where state = 'waiting';
create index callbacks_of_order on callbacks (account_id, order_id, kind, callback_id);
create index callbacks_in_flight on callbacks (account_id, kind, next_at) where claim_id is not null;
alter table callbacks set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.05);

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
-- other (a sub-select with `offset 0`, `limit` or a lock is not reordered). Only what is to be found by callbacks_due says
-- `state = 'waiting'`: that index would be mistaken for a way to rows whose key is known.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  -- How far into a lane one call looks: more than can be blocked by what is in flight.
  depth constant integer := 16;
  now_ts constant bigint := floor(extract(epoch from at));
  lane_accounts text[];
  lane_kinds text[];
  -- Of each lane, so that no more is looked at than can be taken.
  share integer;
begin
  -- A claim that a crash of the database forgets is one that never was: its commit need not wait for the disk.
  perform set_config('synchronous_commit', 'off', true);
  -- A lane's row is its lock. The next statement has a snapshot of its own and so sees what its last holder took.
  with due as materialized (
    select l.account_id, l.kind, min(l.next_at) as next_at, min(a.callback_epoch) as epoch, bool_or(t.troubled) as troubled,
      bool_or(t.is_new) as is_new
    from (select account_id, kind, tier, next_at from callback_lanes where next_at <= at offset 0) l
    cross join lateral (
      select a.callback_epoch from accounts a where a.account_id = l.account_id and not a.callbacks_paused
        and case l.kind when 'status' then a.callback_url else a.complaint_callback_url end is not null offset 0) a
    cross join lateral (
      select coalesce(bool_or(t.failures > 0 or t.slow), false) as troubled, count(*) = 0 as is_new, min(t.probe_at) as probe_at
      from callback_targets t where t.account_id = l.account_id and t.kind = l.kind) t
    cross join lateral (
      select count(*) as count from callbacks f
      where f.account_id = l.account_id and f.kind = l.kind and f.claim_id is not null and f.next_at > at) f
    where (l.tier = 0 or t.probe_at is null or t.probe_at <= at) and f.count < slots
    group by l.account_id, l.kind
    order by troubled, next_at limit room
  ), made as (
    insert into callback_targets (account_id, kind, epoch)
    select d.account_id, d.kind, d.epoch from due d where d.is_new order by d.account_id, d.kind
    on conflict do nothing
    returning callback_targets.account_id, callback_targets.kind
  ), held as (
    select t.account_id, t.kind from due d cross join lateral (
      select t.account_id, t.kind from callback_targets t where t.account_id = d.account_id and t.kind = d.kind
      for update skip locked) t
  ), lane as (select * from made union all select * from held)
  select array_agg(lane.account_id), array_agg(lane.kind) into lane_accounts, lane_kinds from lane;
  if lane_accounts is null then return; end if;

  -- What is blocked at the head of a lane leaves it until its blocker is due; a delivery of that one calls it back.
  with head as materialized (
    select u.account_id, u.kind, r.tier from unnest(lane_accounts, lane_kinds) as u (account_id, kind)
    cross join (values (0::smallint), (1::smallint)) as r (tier)
    cross join lateral (
      select c.order_id, c.callback_id from callbacks c
      where c.account_id = u.account_id and c.kind = u.kind and c.state = 'waiting' and c.tier = r.tier and c.next_at <= at
      order by c.next_at limit 1) c
    where exists (select 1 from callbacks e where e.account_id = u.account_id and e.order_id = c.order_id and e.kind = u.kind
      and e.state <> 'delivered' and e.callback_id < c.callback_id)
  ), waits as materialized (
    select c.account_id, c.callback_id, b.next_at from head
    cross join lateral (
      select c.account_id, c.callback_id, c.order_id from callbacks c
      where c.account_id = head.account_id and c.kind = head.kind and c.state = 'waiting' and c.tier = head.tier and c.next_at <= at
      order by c.next_at limit depth for update skip locked) c
    -- The first of the order's callbacks that is not settled. While it is in flight, its end is near.
    cross join lateral (
      select e.next_at, e.claim_id from callbacks e
      where e.account_id = c.account_id and e.order_id = c.order_id and e.kind = head.kind and e.state <> 'delivered'
        and e.callback_id < c.callback_id
      order by e.callback_id limit 1) b
    where b.claim_id is null and b.next_at > at
  )
  update callbacks c set next_at = w.next_at from waits w where c.account_id = w.account_id and c.callback_id = w.callback_id;

  share := least(slots, ceil(room::numeric / cardinality(lane_accounts)));
  return query
  with lane as materialized (
    select u.account_id, u.kind, t.troubled, t.later, slots - f.count as free
    from unnest(lane_accounts, lane_kinds) as u (account_id, kind)
    cross join lateral (
      -- Of what an open breaker holds, one may go as the probe, once a minute.
      select t.failures > 0 or t.slow as troubled, case when t.probe_at is null then share when t.probe_at <= at then 1 else 0 end as later
      from callback_targets t where t.account_id = u.account_id and t.kind = u.kind offset 0) t
    cross join lateral (
      select count(*) as count from callbacks f
      where f.account_id = u.account_id and f.kind = u.kind and f.claim_id is not null and f.next_at > at) f
  ), seen as materialized (
    select lane.troubled, lane.free, c.account_id, c.callback_id, c.kind, c.next_at,
      row_number() over (partition by c.account_id, c.kind order by c.next_at, c.callback_id) as rank
    from lane cross join lateral (
      -- Nothing overtakes an earlier callback of its order that is not settled.
      (select c.account_id, c.callback_id, c.kind, c.next_at from (
          select c.account_id, c.callback_id, c.kind, c.order_id, c.next_at from callbacks c
          where c.account_id = lane.account_id and c.kind = lane.kind and c.state = 'waiting' and c.tier = 0 and c.next_at <= at
          order by c.next_at limit depth) c
        where not exists (select 1 from callbacks e where e.account_id = c.account_id and e.order_id = c.order_id and e.kind = c.kind
          and e.state <> 'delivered' and e.callback_id < c.callback_id limit 1)
        limit share)
      union all
      (select c.account_id, c.callback_id, c.kind, c.next_at from (
          select c.account_id, c.callback_id, c.kind, c.order_id, c.next_at from callbacks c
          where c.account_id = lane.account_id and c.kind = lane.kind and c.state = 'waiting' and c.tier = 1 and c.next_at <= at
          order by c.next_at limit depth) c
        where not exists (select 1 from callbacks e where e.account_id = c.account_id and e.order_id = c.order_id and e.kind = c.kind
          and e.state <> 'delivered' and e.callback_id < c.callback_id limit 1)
        limit lane.later)) c
    where lane.free > 0
  ), by_trouble as (
    select s.*, row_number() over (partition by s.troubled order by s.rank, s.next_at) as place from seen s where s.rank <= s.free
  ), chosen as materialized (
    select b.account_id, b.callback_id, b.troubled from by_trouble b
    where not b.troubled or b.place <= troubled_room
    order by b.troubled, b.rank, b.next_at limit room
  ), locked as materialized (
    select c.account_id, c.callback_id, o.troubled, a.url, a.version, a.epoch from chosen o
    cross join lateral (
      select c.account_id, c.callback_id, c.kind, c.state, c.next_at from callbacks c
      where c.account_id = o.account_id and c.callback_id = o.callback_id for update skip locked) c
    cross join lateral (
      select case c.kind when 'status' then a.callback_url else a.complaint_callback_url end as url, a.callback_version as version,
        a.callback_epoch as epoch
      from accounts a where a.account_id = c.account_id offset 0) a
    where c.state <> 'delivered' and c.next_at <= at and a.url is not null
  ), taken as (
    update callbacks c set claim_id = claim, next_at = at + lease, epoch = k.epoch, version = k.version,
      -- Later than the last one's, unless a clock that was set back would make that a lie.
      sent_ts = case when c.sent_ts >= now_ts and c.sent_ts < now_ts + 60 then c.sent_ts + 1 else now_ts end
    from locked k where c.account_id = k.account_id and c.callback_id = k.callback_id
    returning c.account_id, c.callback_id, c.kind, c.order_id, c.urid, c.status, c.amount, c.target, c.operator_ref, c.complaint_ref,
      c.refund_amount, c.reason, c.resolved_at, c.created_at, c.attempts, c.step, c.sent_ts, k.url, k.version, k.troubled, c.tier
  ), probed as (
    update callback_targets t set probe_at = at + interval '1 minute'
    from (select distinct k.account_id, k.kind from taken k where k.tier = 1) p
    where t.account_id = p.account_id and t.kind = p.kind and t.probe_at is not null
  )
  select k.account_id, k.callback_id, k.kind, k.order_id, k.urid, k.status, k.amount, k.target, k.operator_ref, k.complaint_ref,
    k.refund_amount, k.reason, k.resolved_at, k.created_at, k.attempts, k.step, k.sent_ts, k.url, k.version, k.troubled,
    s.credential_id, s.key_id, s.sealed
  from taken k
  left join lateral (
    select s.credential_id, s.key_id, s.sealed from credentials s where s.account_id = k.account_id and s.expires_at is null
      and s.kind = case k.version when 3 then 'callback_secret' else 'api_token' end limit 1) s on true;
end $$;

-- Records how attempts ended. A finish whose claim is over changes nothing. Answers the places of those that counted and
-- the lanes whose breaker opened.
create function finish_callbacks(
  at timestamptz, f_account text[], f_callback text[], f_claim text[], f_delivered smallint[], f_http integer[], f_error text[],
  f_url text[], f_version smallint[], f_milliseconds integer[], f_started timestamptz[], f_next timestamptz[],
  breaker_after integer, slow_after integer,
  out counted integer[], out opened text[]
) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  lane_account text[]; lane_kind text[]; lane_delivered boolean[]; lane_failed integer[]; lane_slow boolean[];
begin
  perform 1 from (select * from unnest(f_account, f_callback) as f (account_id, callback_id) order by 1, 2) f cross join lateral (
    select 1 from callbacks c where c.account_id = f.account_id and c.callback_id = f.callback_id for update) c;
  with finish as (
    select * from unnest(f_account, f_callback, f_claim, f_delivered, f_http, f_error, f_url, f_version, f_milliseconds, f_started, f_next)
      with ordinality as f (account_id, callback_id, claim_id, delivered, http_status, error, url, version, milliseconds, started_at, next_at, place)
  ), ended as (
    update callbacks c set
      state = case f.delivered when 1 then 'delivered' else 'waiting' end,
      delivered_at = case f.delivered when 1 then at end,
      claim_id = null, attempts = c.attempts + 1, last_http_status = nullif(f.http_status, 0), last_error = nullif(f.error, ''),
      -- Settings that changed during the attempt: it is due at once, as the account stands now.
      step = case when c.epoch <> f.callback_epoch then 0 else c.step + 1 end,
      next_at = case when f.delivered = 1 then c.next_at when c.epoch <> f.callback_epoch then at else f.next_at end,
      epoch = f.callback_epoch
    from (
      select f.*, a.callback_epoch from finish f
      cross join lateral (select a.callback_epoch from accounts a where a.account_id = f.account_id offset 0) a
      cross join lateral (
        select c.claim_id, c.state from callbacks c where c.account_id = f.account_id and c.callback_id = f.callback_id offset 0) h
      where h.claim_id = f.claim_id and h.state = 'waiting' offset 0) f
    where c.account_id = f.account_id and c.callback_id = f.callback_id
    returning f.place, c.account_id, c.callback_id, c.kind, c.order_id, c.attempts, f.delivered = 1 as delivered, c.step > 0 as of_target,
      f.http_status, f.error, f.url, f.version, f.milliseconds, f.started_at
  ), logged as (
    insert into callback_attempts (account_id, callback_id, attempt, at, url, version, http_status, error, milliseconds)
    select e.account_id, e.callback_id, e.attempts, e.started_at, e.url, e.version, nullif(e.http_status, 0), nullif(e.error, ''), e.milliseconds
    from ended e
  ), released as (
    -- The order's next callback need not wait any longer.
    update callbacks c set next_at = at
    from (
      select w.account_id, w.callback_id from ended e cross join lateral (
        select w.account_id, w.callback_id from callbacks w
        where w.account_id = e.account_id and w.order_id = e.order_id and w.kind = e.kind and w.callback_id > e.callback_id
          and w.state <> 'delivered' and w.claim_id is null and w.next_at > at offset 0) w
      where e.delivered offset 0) w
    where c.account_id = w.account_id and c.callback_id = w.callback_id and c.claim_id is null
  ), lane as (
    select e.account_id, e.kind, bool_or(e.delivered) as delivered, count(*) filter (where not e.delivered and e.of_target) as failed,
      max(e.milliseconds) > slow_after as slow, array_agg(e.place) as places
    from ended e group by e.account_id, e.kind
  )
  select (select array_agg(p order by p) from lane l cross join unnest(l.places) p),
    array_agg(l.account_id order by l.account_id, l.kind), array_agg(l.kind order by l.account_id, l.kind),
    array_agg(l.delivered order by l.account_id, l.kind), array_agg(l.failed order by l.account_id, l.kind),
    array_agg(l.slow order by l.account_id, l.kind)
    into counted, lane_account, lane_kind, lane_delivered, lane_failed, lane_slow from lane l;

  with change as materialized (
    select l.account_id, l.kind, l.slow, l.delivered, case when l.delivered then 0 else t.failures + l.failed end as failures, t.probe_at
    from unnest(lane_account, lane_kind, lane_delivered, lane_failed, lane_slow) as l (account_id, kind, delivered, failed, slow)
    join callback_targets t on t.account_id = l.account_id and t.kind = l.kind
    -- A healthy lane's row is left alone.
    where t.slow <> l.slow or t.probe_at is not null or t.failures <> 0 or not l.delivered
    order by t.account_id, t.kind for update of t
  ), changed as (
    update callback_targets t set failures = c.failures, slow = c.slow,
      probe_at = case when c.delivered then null when c.failures >= breaker_after then coalesce(c.probe_at, at + interval '1 minute') else c.probe_at end
    from change c where t.account_id = c.account_id and t.kind = c.kind
    returning t.account_id, t.kind, c.probe_at is null and t.probe_at is not null as opened
  )
  select array_agg(c.account_id || '/' || c.kind) into opened from changed c where c.opened;
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
        select w.account_id, w.callback_id, w.claim_id, w.epoch from callbacks w
        where w.account_id = lane.account_id and w.kind = lane.kind and w.state = 'waiting' offset 0) w
      where w.claim_id is null and w.epoch <> lane.callback_epoch order by w.callback_id limit chunk) w
    where c.account_id = w.account_id and c.callback_id = w.callback_id and c.claim_id is null and c.state <> 'delivered';
    get diagnostics renewed = row_count;
    total := total + renewed;
    if renewed < chunk then
      update callback_targets t set epoch = lane.callback_epoch, failures = 0, slow = false, probe_at = null
      where t.account_id = lane.account_id and t.kind = lane.kind and t.epoch <> lane.callback_epoch;
    end if;
  end loop;
  return total;
end $$;
