-- Counts, in one statement, the groups whose row was in an earlier second. Returns what is still missed, as recount_requests takes
-- it. An account that sends less than one request a second always comes through here.
-- Locks: the groups' rows of rate_limit_windows. admit_requests has already locked them in key order. The planner settings leave only
-- nested loops over the primary key, so that a plan made on an empty table stays right.
create function advance_windows(
  group_accounts text[], group_budgets smallint[], group_wanted integer[], group_caps integer[], at bigint, inout missed integer[]
) language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan as $$
begin
  with moved as (
    update rate_limit_windows b set second = at, (total, counts) = (
      select m.total, m.counts from advanced_window(b.total, b.counts, b.second, at, g.wanted) m)
    from (
      select m.group_index, group_accounts[m.group_index] as account_id, group_budgets[m.group_index] as budget,
        group_wanted[m.group_index] as wanted, group_caps[m.group_index] as cap
      from unnest(missed) as m (group_index)
    ) g
    where b.account_id = g.account_id and b.budget = g.budget and b.second < at
    returning g.group_index, b.total > g.cap as over
  )
  select array_agg(p.group_index) into missed from (
    select m.group_index from unnest(missed) as m (group_index) where not exists (select from moved where moved.group_index = m.group_index)
    union all
    select -moved.group_index from moved where moved.over
  ) p;
end $$;
