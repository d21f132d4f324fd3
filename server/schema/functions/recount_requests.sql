-- Counts one by one the groups that could not be counted together. `missed` names them by their position, negative where the
-- requests were already added although they exceed the limit.
-- Locks: the groups' rows of rate_limit_windows. admit_requests has already locked them in key order.
create function recount_requests(
  group_accounts text[], group_budgets smallint[], group_wanted integer[], group_caps integer[], at bigint, missed integer[],
  out admitted integer[], out free_at bigint[]
) language plpgsql as $$
declare
  counted record;
  missed_index integer;
  group_index integer;
begin
  admitted := group_wanted;
  free_at := array_fill(0::bigint, array[cardinality(group_accounts)]);
  foreach missed_index in array missed loop
    group_index := abs(missed_index);
    if missed_index < 0 then
      update rate_limit_windows b set total = b.total - group_wanted[group_index],
          counts[1 + at % 60] = b.counts[1 + at % 60] - group_wanted[group_index]
        where b.account_id = group_accounts[group_index] and b.budget = group_budgets[group_index];
    end if;
    counted := count_requests(group_accounts[group_index], group_budgets[group_index], group_wanted[group_index], group_caps[group_index], at);
    admitted[group_index] := counted.admitted;
    free_at[group_index] := counted.free_at;
  end loop;
end $$;
