-- Counts `wanted` requests in the rolling minute that ends with second `at`, as far as `cap` allows. Returns how many were
-- admitted and, when some were not, the second at which the next one would be (else 0).
-- Locks: the account's row of rate_limit_windows, until the transaction ends.
create function count_requests(
  for_account text, for_budget smallint, wanted integer, cap integer, at bigint,
  out admitted integer, out free_at bigint
) language plpgsql as $$
declare
  held rate_limit_windows%rowtype;
  used integer := 0;
  gap bigint;
  over integer;
begin
  free_at := 0;
  insert into rate_limit_windows (account_id, budget, second, total, counts)
    values (for_account, for_budget, at, 0, array_fill(0, array[60]))
    on conflict do nothing;
  select * into held from rate_limit_windows where account_id = for_account and budget = for_budget for update;
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
  update rate_limit_windows set second = at, total = used + admitted, counts = held.counts
    where account_id = for_account and budget = for_budget;
  if admitted < wanted then
    -- The oldest seconds fall out one by one; the next request is allowed as soon as enough calls are gone.
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
