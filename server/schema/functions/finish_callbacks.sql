-- Records how attempts finished. A finish whose claim was taken over changes nothing. Returns the positions of the finishes that
-- counted, and the targets whose breaker opened as account/kind.
-- Locks: claims, then callbacks, then targets, each in key order. The planner settings leave only index probes, one after the
-- other, planned once: plans must be right before there are statistics and must outlive an empty table. `between first_id and
-- last_id` lets PostgreSQL leave out the partitions of all other months before it starts the statement.
create function finish_callbacks(
  at timestamptz, finish_accounts text[], finish_kinds text[], finish_callback_ids text[], finish_claim_ids text[],
  finish_http_statuses integer[], finish_errors text[], finish_replies text[], finish_urls text[],
  -- Milliseconds: duration of the attempt, time since it started, time until the next attempt if it failed.
  finish_milliseconds integer[], finish_since_start bigint[], finish_retry_waits bigint[],
  breaker_after_failures integer, slow_after_milliseconds integer,
  out counted integer[], out opened text[]
) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_memoize = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  first_id text;
  last_id text;
begin
  select min(f.id), max(f.id) into first_id, last_id from unnest(finish_callback_ids) as f (id);
  with finish as materialized (
    select * from unnest(finish_accounts, finish_kinds, finish_callback_ids, finish_claim_ids, finish_http_statuses, finish_errors,
        finish_replies, finish_urls, finish_milliseconds, finish_since_start, finish_retry_waits)
      with ordinality as f (account_id, kind, callback_id, claim_id, http_status, error, reply, url, milliseconds, since, wait, finish_position)
    order by account_id, kind, callback_id
  ), released_claims as (
    delete from callback_claims m using finish f
    where m.account_id = f.account_id and m.kind = f.kind and m.callback_id = f.callback_id and m.claim_id = f.claim_id
    returning f.account_id, f.kind, f.callback_id, nullif(f.http_status, 0) as http_status, nullif(f.error, '') as error, nullif(f.reply, '') as reply, f.url,
      f.milliseconds, f.since, f.wait, f.finish_position, m.ts, m.version, m.settings_version
  ), finished as (
    update callbacks c set
      state = case when f.error is null then 'delivered' else 'waiting' end,
      -- A callback that is sent again keeps the time of its earlier delivery.
      delivered_at = case when f.error is null then at else c.delivered_at end,
      attempts = c.attempts + 1, last_http_status = f.http_status, last_error = f.error, last_ts = f.ts, version = f.version,
      -- The settings changed during the attempt: the callback is due at once, with the new settings.
      retry_step = case when f.settings_version <> f.current_settings_version then 0 else c.retry_step + 1 end,
      next_at = case when f.error is null then c.next_at when f.settings_version <> f.current_settings_version then at
        else at + f.wait * interval '1 millisecond' end,
      settings_version = f.current_settings_version
    from (
      select f.*, a.current_settings_version from released_claims f
      cross join lateral (
        select a.callback_settings_version as current_settings_version from accounts a where a.account_id = f.account_id offset 0) a offset 0) f
    where c.account_id = f.account_id and c.callback_id = f.callback_id and c.state <> 'delivered'
      and c.callback_id between first_id and last_id
    returning c.account_id, c.callback_id, c.kind, c.order_id, c.attempts, c.retry_step > 0 as counts_for_breaker, f.finish_position,
      f.http_status, f.error, f.reply, f.url, f.version, f.milliseconds, f.since
  ), logged_attempts as (
    insert into callback_attempts (account_id, callback_id, attempt, at, url, version, http_status, error, milliseconds, reply)
    select e.account_id, e.callback_id, e.attempts, at - e.since * interval '1 millisecond', e.url, e.version, e.http_status, e.error,
      e.milliseconds, e.reply
    from finished e
  ), unblocked as (
    -- The order's next callback no longer has to wait. A concurrent claim must not postpone it either.
    update callbacks c set next_at = least(c.next_at, at)
    from (
      select w.account_id, w.callback_id from finished e cross join lateral (
        select w.account_id, w.callback_id from callbacks w
        where w.account_id = e.account_id and w.order_id = e.order_id and w.kind = e.kind and w.callback_id > e.callback_id
          and w.state <> 'delivered' and w.callback_id > first_id offset 0) w
      where e.error is null offset 0) w
    where c.account_id = w.account_id and c.callback_id = w.callback_id and c.callback_id > first_id
  ), target_results as (
    select e.account_id, e.kind, bool_or(e.error is null) as delivered,
      count(*) filter (where e.error is not null and e.counts_for_breaker) as failed, max(e.milliseconds) > slow_after_milliseconds as slow
    from finished e group by e.account_id, e.kind
  ), target_changes as materialized (
    select l.account_id, l.kind, l.slow, l.delivered, case when l.delivered then 0 else t.failures + l.failed end as failures, t.probe_at
    from (select l.* from target_results l order by l.account_id, l.kind) l
    cross join lateral (
      select t.failures, t.probe_at from callback_targets t where t.account_id = l.account_id and t.kind = l.kind
        -- The row of a healthy target is not written.
        and (t.slow <> l.slow or t.probe_at is not null or t.failures <> 0 or not l.delivered)
      for update) t
  ), changed_targets as (
    update callback_targets t set failures = c.failures, slow = c.slow,
      probe_at = case when c.delivered then null
        when c.failures >= breaker_after_failures then coalesce(c.probe_at, at + interval '1 minute') else c.probe_at end
    from target_changes c where t.account_id = c.account_id and t.kind = c.kind
    returning t.account_id, t.kind, c.probe_at is null and t.probe_at is not null as opened
  )
  select (select array_agg(e.finish_position::integer) from finished e),
    (select array_agg(c.account_id || '/' || c.kind) from changed_targets c where c.opened)
    into counted, opened;
end $$;
