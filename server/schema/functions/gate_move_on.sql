-- Counts, in one statement, the groups whose row was in an earlier second. Returns what is still missed, as gate_recount takes
-- it. An account that sends less than one request a second always comes through here.
-- Locks: the groups' rows of gate_budgets. gate_admit has already locked them in key order. The planner settings leave only
-- nested loops over the primary key, so that a plan made on an empty table stays right.
create function gate_move_on(
  group_accounts text[], group_budgets smallint[], group_wanted integer[], group_caps integer[], at bigint, inout missed integer[]
) language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan as $$
begin
  with moved as (
    update gate_budgets b set second = at, (total, counts) = (
      select m.total, m.counts from gate_moved_on(b.total, b.counts, b.second, at, g.wanted) m)
    from (
      select m.place, group_accounts[m.place] as account_id, group_budgets[m.place] as budget, group_wanted[m.place] as wanted,
        group_caps[m.place] as cap
      from unnest(missed) as m (place)
    ) g
    where b.account_id = g.account_id and b.budget = g.budget and b.second < at
    returning g.place, b.total > g.cap as over
  )
  select array_agg(p.place) into missed from (
    select m.place from unnest(missed) as m (place) where not exists (select from moved where moved.place = m.place)
    union all
    select -moved.place from moved where moved.over
  ) p;
end $$;
