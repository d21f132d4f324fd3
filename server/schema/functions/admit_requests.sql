-- Admits all requests in flight in one call: counts them in their rate limits, then records the nonces of those that were
-- admitted. Returns in `fresh` which nonces were new, as account/nonce; null when all of them were.
-- Locks: rows of rate_limit_windows, then rows of request_nonces. The caller sorts groups and nonces by key, so that two processes lock
-- in the same order. Nonces are inserted without looking each one up first; only when one of them was seen before is every
-- nonce looked up.
create function admit_requests(
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
  -- Locks every row in key order, also the rows of another second, which it does not count in.
  with counted as (
    insert into rate_limit_windows as b (account_id, budget, second, total, counts)
    select unnest(group_accounts), unnest(group_budgets), at, unnest(group_wanted), before || unnest(group_wanted) || after
    on conflict (account_id, budget) do update
      set total = b.total + excluded.total, counts[slot] = b.counts[slot] + excluded.total where b.second = excluded.second
    returning b.account_id, b.budget, b.total
  )
  select array_agg(case when c.total is null then g.group_index else -g.group_index end order by g.group_index) into missed
    from unnest(group_accounts, group_budgets, group_caps) with ordinality as g (account_id, budget, cap, group_index)
    left join counted c on c.account_id = g.account_id and c.budget = g.budget
    where c.total is null or c.total > g.cap;
  if missed is not null then missed := advance_windows(group_accounts, group_budgets, group_wanted, group_caps, at, missed); end if;
  if missed is not null then
    select * into admitted, free_at from recount_requests(group_accounts, group_budgets, group_wanted, group_caps, at, missed);
  end if;
  if cardinality(nonces) = 0 then return; end if;
  if admitted = group_wanted then
    begin
      insert into request_nonces (account_id, nonce, expires_at)
        select group_accounts[n.group_index], n.nonce, n.expires_at
        from (select unnest(nonce_groups) as group_index, unnest(nonces) as nonce, unnest(nonce_expiries) as expires_at) n;
      return;
    -- A deadlock is possible only with a caller that does not sort its nonces.
    exception when unique_violation or deadlock_detected then null;
    end;
  end if;
  insert into request_nonces (account_id, nonce, expires_at)
    select group_accounts[n.group_index], n.nonce, n.expires_at
    from unnest(nonce_groups, nonce_ranks, nonces, nonce_expiries) as n (group_index, rank, nonce, expires_at)
    where n.rank <= admitted[n.group_index]
    order by 1, 2
    on conflict do nothing;
  get diagnostics written = row_count;
  if written < cardinality(nonces) then
    select coalesce(array_agg(k.account_id || '/' || k.nonce), '{}') into fresh
      from (select distinct group_accounts[n.group_index] as account_id, n.nonce from unnest(nonce_groups, nonces) as n (group_index, nonce)) n
      join request_nonces k on k.account_id = n.account_id and k.nonce = n.nonce
      where k.xmin = pg_current_xact_id()::xid;
  end if;
end $$;
