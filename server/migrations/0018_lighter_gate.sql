-- Adds calls to the budgets that are in second `at`. Loops only, as in move_wallets: every row there is gets locked in the
-- callers' order, those in another second too. Answers places and totals of those that were counted.
create function gate_add(
  group_accounts text[], group_budgets smallint[], group_wanted integer[], at bigint,
  out places integer[], out totals integer[]
) language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan as $$
declare
  slot constant integer := 1 + at % 60;
begin
  with counted as (
    update gate_budgets b set total = b.total + case b.second when at then g.wanted else 0 end,
      counts[slot] = b.counts[slot] + case b.second when at then g.wanted else 0 end
    from unnest(group_accounts, group_budgets, group_wanted) with ordinality as g (account_id, budget, wanted, place)
    where b.account_id = g.account_id and b.budget = g.budget
    returning g.place::integer as place, case b.second when at then b.total end as total
  )
  select array_agg(c.place), array_agg(c.total) into places, totals from counted c where c.total is not null;
end $$;

-- As before, but rows that are there are updated rather than inserted in vain, and nonces are taken to be new: only when
-- one of a batch is not, each is looked at.
create or replace function gate_admit(
  group_accounts text[], group_budgets smallint[], group_wanted integer[], group_caps integer[], at bigint,
  nonce_groups integer[], nonce_ranks integer[], nonces text[], nonce_expiries bigint[],
  out admitted integer[], out free_at bigint[], out fresh text[]
) language plpgsql as $$
declare
  counted record;
  missed integer[];
begin
  admitted := group_wanted;
  free_at := array_fill(0::bigint, array[cardinality(group_accounts)]);
  select * into counted from gate_add(group_accounts, group_budgets, group_wanted, at);
  select array_agg(case when c.total is null then g.place else -g.place end order by g.place) into missed
    from unnest(group_caps) with ordinality as g (cap, place)
    left join unnest(counted.places, counted.totals) as c (place, total) on c.place = g.place
    where c.total is null or c.total > g.cap;
  if missed is not null then
    select * into admitted, free_at from gate_recount(group_accounts, group_budgets, group_wanted, group_caps, at, missed);
  end if;
  if cardinality(nonces) = 0 then return; end if;
  begin
    insert into gate_nonces (account_id, nonce, expires_at)
      select group_accounts[n.grp], n.nonce, n.expires_at
      from unnest(nonce_groups, nonce_ranks, nonces, nonce_expiries) as n (grp, rank, nonce, expires_at)
      where n.rank <= admitted[n.grp]
      order by 1, 2;
  exception when unique_violation then
    insert into gate_nonces (account_id, nonce, expires_at)
      select group_accounts[n.grp], n.nonce, n.expires_at
      from unnest(nonce_groups, nonce_ranks, nonces, nonce_expiries) as n (grp, rank, nonce, expires_at)
      where n.rank <= admitted[n.grp]
      order by 1, 2
      on conflict do nothing;
    select coalesce(array_agg(k.account_id || '/' || k.nonce), '{}') into fresh
      from (select distinct group_accounts[n.grp] as account_id, n.nonce from unnest(nonce_groups, nonces) as n (grp, nonce)) n
      join gate_nonces k on k.account_id = n.account_id and k.nonce = n.nonce
      where k.xmin = pg_current_xact_id()::xid;
  end;
end $$;
