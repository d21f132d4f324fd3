-- Calls counted in sixty one-second buckets; counts[1 + second % 60] belongs to that second.
create table gate_budgets (
  account_id text not null,
  budget smallint not null,
  second bigint not null,
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
  insert into gate_budgets (account_id, budget, second, counts)
    values (for_account, for_budget, at, array_fill(0, array[60]))
    on conflict do nothing;
  select * into held from gate_budgets where account_id = for_account and budget = for_budget for update;
  if held.second > at + 60 then
    -- The clock was set back: what was counted is taken as counted now, so that nobody gains a minute by it.
    select coalesce(sum(c), 0) into used from unnest(held.counts) c;
    held.counts := array_fill(0, array[60]);
    held.counts[1 + at % 60] := used;
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
  update gate_budgets set second = at, counts = held.counts
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

-- One call for all requests in flight: budgets first, then the nonces of those that were let in.
-- Groups are sorted by the caller, so that two processes lock in one order.
create function gate_admit(
  group_accounts text[], group_budgets smallint[], group_wanted integer[], group_caps integer[], at bigint,
  nonce_groups integer[], nonce_ranks integer[], nonces text[], nonce_expiries bigint[],
  out admitted integer[], out free_at bigint[], out fresh integer[]
) language plpgsql as $$
declare
  counted record;
begin
  for g in 1 .. cardinality(group_accounts) loop
    counted := gate_count(group_accounts[g], group_budgets[g], group_wanted[g], group_caps[g], at);
    admitted[g] := counted.admitted;
    free_at[g] := counted.free_at;
  end loop;
  if cardinality(nonces) > 0 then
    with offered as (
      select distinct on (group_accounts[n.grp], n.nonce)
        group_accounts[n.grp] as account_id, n.nonce, n.expires_at, n.place
      from unnest(nonce_groups, nonce_ranks, nonces, nonce_expiries) with ordinality as n (grp, rank, nonce, expires_at, place)
      where n.rank <= admitted[n.grp]
      order by group_accounts[n.grp], n.nonce, n.place
    ), taken as (
      insert into gate_nonces (account_id, nonce, expires_at)
      select account_id, nonce, expires_at from offered
      on conflict do nothing
      returning account_id, nonce
    )
    select array_agg(o.place::integer) into fresh from offered o join taken t using (account_id, nonce);
  end if;
end $$;
