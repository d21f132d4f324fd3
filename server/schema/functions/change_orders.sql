-- The part of write_orders that changes existing orders: settles and reverses them, writes the callbacks that these changes
-- need, and schedules polls of pending orders. Raises when an order is not in the expected state.
-- Locks: the orders' rows; write_orders holds their wallets, so no other writer can wait for them in another order. The
-- planner settings leave only nested loops: a plan that was made on an empty table would otherwise read the whole table for
-- every batch until it is analysed.
create function change_orders(
  at timestamptz, w_account text[],
  s_wallet integer[], s_order text[], s_from smallint[], s_to smallint[], s_operator_ref text[], s_reason text[], s_watched smallint[],
  s_callback text[], s_notify text[],
  p_account text[], p_order text[], p_why text[], p_due timestamptz[], p_answered smallint[]
) returns void language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  touched integer;
begin
  if cardinality(s_order) > 0 then
    with changed as (
      update orders o set state = s.to_state, operator_ref = coalesce(nullif(s.operator_ref, ''), o.operator_ref),
        reason = nullif(s.reason, ''), updated_at = at
      from (
        select unnest(s_wallet) as wallet, unnest(s_order) as order_id, unnest(s_from) as from_state, unnest(s_to) as to_state,
          unnest(s_operator_ref) as operator_ref, unnest(s_reason) as reason, unnest(s_callback) as callback_id, unnest(s_notify) as notify
      ) s
      where o.account_id = w_account[s.wallet] and o.order_id = s.order_id and o.state = s.from_state
      returning o.account_id, o.order_id, o.reference, o.state, o.amount, o.target, o.operator_ref,
        o.answered_pending, o.unanswered, s.callback_id, s.notify
    ), told as (
      -- Spec, Events, status callbacks: which change is sent in which version.
      insert into callbacks (account_id, callback_id, kind, order_id, urid, status, amount, target, operator_ref, next_at, epoch, created_at)
      select c.account_id, next_callback_id(c.account_id, c.order_id, c.callback_id), 'status', c.order_id, c.reference,
        case c.state when 1 then 'SUCCESS' else 'FAILED' end, c.amount, c.target, c.operator_ref, at, a.callback_epoch, at
      -- Most orders end in their reply and tell nobody: accounts are not looked at for them, and never all of them.
      from (select * from changed c where c.notify <> 'pending' or c.answered_pending or c.unanswered offset 0) c
      cross join lateral (
        select a.callback_url, a.callback_version, a.callback_epoch from accounts a where a.account_id = c.account_id offset 0) a
      where a.callback_url is not null and case c.notify
        when 'pending' then c.answered_pending or (c.unanswered and a.callback_version = 3)
        when 'always' then true
        when 'version 3' then a.callback_version = 3 end
    )
    select count(*) into touched from changed;
    if touched <> cardinality(s_order) then raise exception 'an order was not as assumed'; end if;
    if 1 = any(s_watched) then
      delete from order_watch k
        using (select unnest(s_wallet) as wallet, unnest(s_order) as order_id, unnest(s_watched) as watched) s
        where s.watched = 1 and k.account_id = w_account[s.wallet] and k.order_id = s.order_id;
    end if;
  end if;

  if cardinality(p_order) > 0 then
    update orders o set answered_pending = o.answered_pending or p.answered = 1, updated_at = at
      from (select unnest(p_account) as account_id, unnest(p_order) as order_id, unnest(p_answered) as answered) p
      where o.account_id = p.account_id and o.order_id = p.order_id and o.state = 0;
    get diagnostics touched = row_count;
    if touched <> cardinality(p_order) then raise exception 'a pending order was not as assumed'; end if;
    insert into order_watch (account_id, order_id, why, since, due_at)
      select unnest(p_account), unnest(p_order), unnest(p_why), at, unnest(p_due)
      on conflict do nothing;
  end if;
end $$;
