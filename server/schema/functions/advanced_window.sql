-- A row of rate_limit_windows advanced to second `at`, which is later than its own, with `wanted` requests added.
-- Locks: none; computes only.
create function advanced_window(inout total integer, inout counts integer[], second bigint, at bigint, wanted integer) language plpgsql as $$
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
