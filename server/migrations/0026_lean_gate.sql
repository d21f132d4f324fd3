-- A budget's row moved on to second `at`, which is later than its own, with `wanted` calls more.
create function gate_moved_on(inout total integer, inout counts integer[], second bigint, at bigint, wanted integer) language plpgsql as $$
begin
  if at - second >= 60 then
    total := 0;
    counts := array_fill(0, array[60]);
  else
    for expired in second + 1 .. at loop
      total := total - counts[1 + expired % 60];
      counts[1 + expired % 60] := 0;
    end loop;
  end if;
  total := total + wanted;
  counts[1 + at % 60] := counts[1 + at % 60] + wanted;
end $$;

-- Counts those groups that were missed because their row was in an earlier second, all at once. Answers what is still missed,
-- as gate_recount takes it. An account that calls less than once a second is always among them.
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

-- As before, but for two things. Rows that are in an earlier second are moved on together instead of one by one. And nonces
-- are inserted without looking for each of them first: one that was seen is the exception, and then all of them are looked
-- for, as it was. Groups and nonces are sorted by the caller, so that two processes lock in one order.
create or replace function gate_admit(
  group_accounts text[], group_budgets smallint[], group_wanted integer[], group_caps integer[], at bigint,
  nonce_groups integer[], nonce_ranks integer[], nonces text[], nonce_expiries bigint[],
  out admitted integer[], out free_at bigint[], out fresh text[]
) language plpgsql as $$
declare
  slot constant integer := 1 + at % 60;
  before constant integer[] := array_fill(0, array[slot - 1]);
  after constant integer[] := array_fill(0, array[60 - slot]);
  missed integer[];
  written integer;
begin
  admitted := group_wanted;
  free_at := array_fill(0::bigint, array[cardinality(group_accounts)]);
  -- Locks every row in order, also those that it does not count in because they are in another second.
  with counted as (
    insert into gate_budgets as b (account_id, budget, second, total, counts)
    select unnest(group_accounts), unnest(group_budgets), at, unnest(group_wanted), before || unnest(group_wanted) || after
    on conflict (account_id, budget) do update
      set total = b.total + excluded.total, counts[slot] = b.counts[slot] + excluded.total where b.second = excluded.second
    returning b.account_id, b.budget, b.total
  )
  select array_agg(case when c.total is null then g.place else -g.place end order by g.place) into missed
    from unnest(group_accounts, group_budgets, group_caps) with ordinality as g (account_id, budget, cap, place)
    left join counted c on c.account_id = g.account_id and c.budget = g.budget
    where c.total is null or c.total > g.cap;
  if missed is not null then missed := gate_move_on(group_accounts, group_budgets, group_wanted, group_caps, at, missed); end if;
  if missed is not null then
    select * into admitted, free_at from gate_recount(group_accounts, group_budgets, group_wanted, group_caps, at, missed);
  end if;
  if cardinality(nonces) = 0 then return; end if;
  if admitted = group_wanted then
    begin
      insert into gate_nonces (account_id, nonce, expires_at)
        select group_accounts[n.grp], n.nonce, n.expires_at
        from (select unnest(nonce_groups) as grp, unnest(nonces) as nonce, unnest(nonce_expiries) as expires_at) n;
      return;
    -- A deadlock only with a process that does not sort them yet.
    exception when unique_violation or deadlock_detected then null;
    end;
  end if;
  insert into gate_nonces (account_id, nonce, expires_at)
    select group_accounts[n.grp], n.nonce, n.expires_at
    from unnest(nonce_groups, nonce_ranks, nonces, nonce_expiries) as n (grp, rank, nonce, expires_at)
    where n.rank <= admitted[n.grp]
    order by 1, 2
    on conflict do nothing;
  get diagnostics written = row_count;
  if written < cardinality(nonces) then
    select coalesce(array_agg(k.account_id || '/' || k.nonce), '{}') into fresh
      from (select distinct group_accounts[n.grp] as account_id, n.nonce from unnest(nonce_groups, nonces) as n (grp, nonce)) n
      join gate_nonces k on k.account_id = n.account_id and k.nonce = n.nonce
      where k.xmin = pg_current_xact_id()::xid;
  end if;
end $$;
