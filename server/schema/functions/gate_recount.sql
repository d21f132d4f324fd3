-- Counts one by one the groups that could not be counted together. `missed` names them by their position, negative where the
-- requests were already added although the window has no room for them.
-- Locks: the groups' rows of gate_budgets. gate_admit has already locked them in key order.
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
