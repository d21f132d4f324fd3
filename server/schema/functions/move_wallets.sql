-- Adds deltas to wallets. Returns, by the wallets' positions, the available balance and the transfer number before the change.
-- Raises when a daily limit would be exceeded or a wallet is missing.
-- Locks: wallets in the caller's order, which is key order, so that two processes never wait for each other. The planner
-- settings leave only nested loops, which keep that order. Arrays are unnested in the select list: in a FROM clause they would
-- be materialised first.
create function move_wallets(
  today date, w_account text[], w_available bigint[], w_held bigint[], w_cleared bigint[], w_funding bigint[], w_fees bigint[],
  w_rows integer[], w_day bigint[], w_limit bigint[],
  out available bigint[], out seq bigint[]
) language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  with moved as (
    update wallets w set
      available = w.available + d.available, held = w.held + d.held, cleared = w.cleared + d.cleared,
      funding = w.funding + d.funding, fees = w.fees + d.fees, seq = w.seq + d.rows,
      -- A batch of yesterday that commits after one of today leaves today's total alone.
      day_total = case when w.day = today then w.day_total + d.day_delta when w.day = today + 1 then w.day_total else d.day_delta end,
      day = case when w.day = today + 1 then w.day else today end
    from (
      select unnest(w_account) as account_id, unnest(w_available) as available, unnest(w_held) as held, unnest(w_cleared) as cleared,
        unnest(w_funding) as funding, unnest(w_fees) as fees, unnest(w_rows) as rows, unnest(w_day) as day_delta,
        unnest(w_limit) as day_limit, generate_series(1, cardinality(w_account)) as place
    ) d
    where w.account_id = d.account_id
      and (d.day_limit < 0 or case when w.day = today then w.day_total else 0 end + d.day_delta <= d.day_limit)
    returning d.place, w.available - d.available as available, w.seq - d.rows as seq
  )
  select array_agg(m.available order by m.place), array_agg(m.seq order by m.place) into available, seq from moved m;
  if cardinality(available) is distinct from nullif(cardinality(w_account), 0) then raise exception 'a wallet was not as assumed'; end if;
end $$;
