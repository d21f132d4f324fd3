-- Adds deltas to wallets. Returns, by the wallets' positions, the available balance and the transfer number before the change.
-- Raises when a daily limit would be exceeded, or a wallet is missing or has moved to another cell.
-- Locks: wallets in the caller's order, which is key order, so that two processes never wait for each other. The planner
-- settings leave only nested loops, which keep that order. Arrays are unnested in the select list: in a FROM clause they would
-- be materialised first.
create function move_wallets(
  today date,
  wallet_accounts text[], wallet_available bigint[], wallet_held bigint[], wallet_cleared bigint[], wallet_funding bigint[],
  wallet_fees bigint[], wallet_transfers integer[], wallet_day_totals bigint[], wallet_day_limits bigint[],
  out available bigint[], out seq bigint[]
) language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  with moved as (
    update wallets w set
      available = w.available + d.available, held = w.held + d.held, cleared = w.cleared + d.cleared,
      funding = w.funding + d.funding, fees = w.fees + d.fees, seq = w.seq + d.transfer_count,
      -- A batch of the previous day that commits after one of today does not change today's total.
      day_total = case when w.day = today then w.day_total + d.day_delta when w.day = today + 1 then w.day_total else d.day_delta end,
      day = case when w.day = today + 1 then w.day else today end
    from (
      select unnest(wallet_accounts) as account_id, unnest(wallet_available) as available, unnest(wallet_held) as held,
        unnest(wallet_cleared) as cleared, unnest(wallet_funding) as funding, unnest(wallet_fees) as fees,
        unnest(wallet_transfers) as transfer_count, unnest(wallet_day_totals) as day_delta, unnest(wallet_day_limits) as day_limit,
        generate_series(1, cardinality(wallet_accounts)) as wallet_position
    ) d
    where w.account_id = d.account_id and w.moved_to is null
      and (d.day_limit < 0 or case when w.day = today then w.day_total else 0 end + d.day_delta <= d.day_limit)
    returning d.wallet_position, w.available - d.available as available, w.seq - d.transfer_count as seq
  )
  select array_agg(m.available order by m.wallet_position), array_agg(m.seq order by m.wallet_position) into available, seq from moved m;
  if cardinality(available) is distinct from nullif(cardinality(wallet_accounts), 0)
    then raise exception 'a wallet was not as assumed'; end if;
end $$;
