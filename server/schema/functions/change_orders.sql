-- The part of write_orders that changes existing orders: settles and reverses them, writes the callbacks that these changes
-- need, and schedules polls of pending orders. Raises when an order is not in the expected state.
-- Locks: the orders' rows; write_orders holds their wallets, so no other writer can wait for them in another order. The
-- planner settings leave only nested loops: a plan that was made on an empty table would otherwise read the whole table for
-- every batch until it is analysed.
create function change_orders(
  at timestamptz, wallet_accounts text[],
  change_wallets integer[], change_order_ids text[], change_from_states smallint[], change_to_states smallint[],
  change_operator_refs text[], change_reasons text[], change_polled smallint[], change_callback_ids text[], change_notify text[],
  poll_accounts text[], poll_order_ids text[], poll_reasons text[], poll_due_times timestamptz[], poll_answered smallint[]
) returns void language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  changed_rows integer;
begin
  if cardinality(change_order_ids) > 0 then
    with changed as (
      update orders o set state = s.to_state, operator_ref = coalesce(nullif(s.operator_ref, ''), o.operator_ref),
        reason = nullif(s.reason, ''), updated_at = at
      from (
        select unnest(change_wallets) as wallet, unnest(change_order_ids) as order_id, unnest(change_from_states) as from_state,
          unnest(change_to_states) as to_state, unnest(change_operator_refs) as operator_ref, unnest(change_reasons) as reason,
          unnest(change_callback_ids) as callback_id, unnest(change_notify) as notify
      ) s
      where o.account_id = wallet_accounts[s.wallet] and o.order_id = s.order_id and o.state = s.from_state
      returning o.account_id, o.order_id, o.reference, o.state, o.amount, o.target, o.operator_ref, o.attempt, o.created_at,
        o.answered_pending, o.unanswered, s.callback_id, s.notify
    ), late_changes as (
      -- Younger orders are not rolled up yet: see the reporting module.
      insert into order_rollup_changes (account_id, order_id, state, attempt)
      select c.account_id, c.order_id, c.state, c.attempt from changed c where c.created_at < at - interval '30 seconds'
    ), written_callbacks as (
      -- Spec, Events, status callbacks: which change is sent in which version.
      insert into callbacks (account_id, callback_id, kind, order_id, urid, status, amount, target, operator_ref, next_at,
        settings_version, created_at)
      select c.account_id, next_callback_id(c.account_id, c.order_id, c.callback_id), 'status', c.order_id, c.reference,
        case c.state when 1 then 'SUCCESS' else 'FAILED' end, c.amount, c.target, c.operator_ref, at, a.callback_settings_version, at
      -- Most orders are final in their reply and need no callback: for them no account is read.
      from (select * from changed c where c.notify <> 'pending' or c.answered_pending or c.unanswered offset 0) c
      cross join lateral (
        select a.callback_url, a.callback_version, a.callback_settings_version from accounts a where a.account_id = c.account_id offset 0) a
      where a.callback_url is not null and case c.notify
        when 'pending' then c.answered_pending or (c.unanswered and a.callback_version = 3)
        when 'always' then true
        when 'version 3' then a.callback_version = 3 end
    )
    select count(*) into changed_rows from changed;
    if changed_rows <> cardinality(change_order_ids) then raise exception 'an order was not as assumed'; end if;
    if 1 = any(change_polled) then
      delete from pending_polls k
        using (select unnest(change_wallets) as wallet, unnest(change_order_ids) as order_id, unnest(change_polled) as is_polled) s
        where s.is_polled = 1 and k.account_id = wallet_accounts[s.wallet] and k.order_id = s.order_id;
    end if;
  end if;

  if cardinality(poll_order_ids) > 0 then
    update orders o set answered_pending = o.answered_pending or p.answered = 1, updated_at = at
      from (select unnest(poll_accounts) as account_id, unnest(poll_order_ids) as order_id, unnest(poll_answered) as answered) p
      where o.account_id = p.account_id and o.order_id = p.order_id and o.state = 0;
    get diagnostics changed_rows = row_count;
    if changed_rows <> cardinality(poll_order_ids) then raise exception 'a pending order was not as assumed'; end if;
    insert into pending_polls (account_id, order_id, why, since, due_at, is_unanswered)
      select unnest(poll_accounts), unnest(poll_order_ids), unnest(poll_reasons), at, unnest(poll_due_times),
        unnest(poll_reasons) like 'unknown: %'
      on conflict (account_id, order_id) do update set why = excluded.why, is_unanswered = true where excluded.is_unanswered;
  end if;
end $$;
