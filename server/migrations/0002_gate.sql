-- Calls counted in sixty one-second buckets; counts[1 + second % 60] belongs to that second, total is their sum.
create table gate_budgets (
  account_id text not null,
  budget smallint not null,
  second bigint not null,
  total integer not null,
  counts integer[] not null,
  primary key (account_id, budget)
) with (fillfactor = 50);

create table gate_nonces (
  account_id text not null,
  nonce text not null,
  expires_at bigint not null,
  primary key (account_id, nonce)
);
create index gate_nonces_expiry on gate_nonces (expires_at);

-- Counts `wanted` calls in the rolling minute that ends with second `at`, as far as `cap` allows.
-- Answers how many were let in and, when some were not, the second at which the next one would be (else 0).
create function gate_count(
  for_account text, for_budget smallint, wanted integer, cap integer, at bigint,
  out admitted integer, out free_at bigint
) language plpgsql as $$
declare
  held gate_budgets%rowtype;
  used integer := 0;
  gap bigint;
  over integer;
begin
  free_at := 0;
  insert into gate_budgets (account_id, budget, second, total, counts)
    values (for_account, for_budget, at, 0, array_fill(0, array[60]))
    on conflict do nothing;
  select * into held from gate_budgets where account_id = for_account and budget = for_budget for update;
  if held.second > at + 60 then
    -- The clock was set back: what was counted is taken as counted now, so that nobody gains a minute by it.
    held.counts := array_fill(0, array[60]);
    held.counts[1 + at % 60] := held.total;
    held.second := at;
  end if;
  at := greatest(at, held.second);
  gap := at - held.second;
  if gap >= 60 then
    held.counts := array_fill(0, array[60]);
  else
    for expired in held.second + 1 .. at loop
      held.counts[1 + expired % 60] := 0;
    end loop;
  end if;
  select sum(c) into used from unnest(held.counts) c;
  admitted := greatest(0, least(wanted, cap - used));
  held.counts[1 + at % 60] := held.counts[1 + at % 60] + admitted;
  update gate_budgets set second = at, total = used + admitted, counts = held.counts
    where account_id = for_account and budget = for_budget;
  if admitted < wanted then
    -- The oldest seconds fall out one by one; the first whose calls make room lets the next one in.
    over := used + admitted - cap + 1;
    for old in at - 59 .. at loop
      over := over - held.counts[1 + old % 60];
      if over <= 0 then
        free_at := old + 60;
        exit;
      end if;
    end loop;
  end if;
end $$;

-- Counts those groups one by one that could not be counted together: `missed` names them by their place, negative
-- where the calls were added although the window has no room for them.
create function gate_recount(
  group_accounts text[], group_budgets smallint[], group_wanted integer[], group_caps integer[], at bigint, missed integer[],
  out admitted integer[], out free_at bigint[]
) language plpgsql as $$
declare
  counted record;
  missed_place integer;
  place integer;
begin
  admitted := group_wanted;
  free_at := array_fill(0::bigint, array[cardinality(group_accounts)]);
  foreach missed_place in array missed loop
    place := abs(missed_place);
    if missed_place < 0 then
      update gate_budgets b set total = b.total - group_wanted[place], counts[1 + at % 60] = b.counts[1 + at % 60] - group_wanted[place]
        where b.account_id = group_accounts[place] and b.budget = group_budgets[place];
    end if;
    counted := gate_count(group_accounts[place], group_budgets[place], group_wanted[place], group_caps[place], at);
    admitted[place] := counted.admitted;
    free_at[place] := counted.free_at;
  end loop;
end $$;

-- One call for all requests in flight: budgets first, then the nonces of those that were let in.
-- Groups are sorted by the caller and nonces here, so that two processes lock in one order.
-- Answers in `fresh` which nonces were new, as account/nonce; null when all of them were.
create function gate_admit(
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
  -- Locks every row in order, and under load finds most of them in the second they are in, with room in it.
  with counted as (
    insert into gate_budgets as b (account_id, budget, second, total, counts)
    select g.account_id, g.budget, at, g.wanted, before || g.wanted || after
    from unnest(group_accounts, group_budgets, group_wanted) as g (account_id, budget, wanted)
    on conflict (account_id, budget) do update
      set total = b.total + excluded.total, counts[slot] = b.counts[slot] + excluded.total where b.second = excluded.second
    returning b.account_id, b.budget, b.total
  )
  select array_agg(case when c.total is null then g.place else -g.place end order by g.place) into missed
    from unnest(group_accounts, group_budgets, group_caps) with ordinality as g (account_id, budget, cap, place)
    left join counted c on c.account_id = g.account_id and c.budget = g.budget
    where c.total is null or c.total > g.cap;
  if missed is not null then
    select * into admitted, free_at from gate_recount(group_accounts, group_budgets, group_wanted, group_caps, at, missed);
  end if;
  if cardinality(nonces) > 0 then
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
  end if;
end $$;
