-- Records how attempts ended. A finish whose claim was taken over changes nothing. Returns the positions of the finishes that
-- counted, and the targets whose breaker opened as account/kind.
-- Locks: claims, then callbacks, then targets, each in key order. The planner settings leave only index probes, one after the
-- other, planned once: plans must be right before there are statistics and must outlive an empty table.
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
