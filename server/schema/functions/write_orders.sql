-- The optimistic write: posts a batch in one stateless call. Adds deltas to wallets, inserts transfers and orders, and changes
-- existing orders. Anything that is not as the caller assumed (a known reference, insufficient funds, a daily limit, a wallet
-- that has moved to another cell, an order in another state) raises, and then nothing of the batch has happened.
-- Wallets come sorted by key; everything else names its wallet by its position among them. Commissions and
-- versions of providers may be left out altogether. Returns the available balance of each wallet before the batch.
-- Locks: the wallets in the caller's order first, so that two processes never wait for each other, then rows that only the
-- holder of their wallet writes.
-- The planner settings leave only nested loops, which keep the order of the wallets. A plan that was made on an empty table
-- would otherwise also read the whole table for every batch until it is analysed. Arrays are unnested in the select list: in a
-- FROM clause they would be materialised first. `between first_id and last_id` lets PostgreSQL leave out the partitions of all
-- other months before it starts a statement; otherwise a batch would cost more for each month that is kept.
create function write_orders(
  at timestamptz, today date, process text,
  -- Deltas of the wallets; a limit below zero is none.
  wallet_accounts text[], wallet_available bigint[], wallet_held bigint[], wallet_cleared bigint[], wallet_funding bigint[],
  wallet_fees bigint[], wallet_transfers integer[], wallet_day_totals bigint[], wallet_day_limits bigint[],
  -- New orders.
  order_wallets integer[], order_ids text[], order_digests uuid[], order_services text[], order_references text[], order_operations text[],
  order_fingerprints text[], order_amounts bigint[], order_amount_texts text[], order_fees bigint[], order_commissions bigint[],
  order_credits smallint[], order_targets text[], order_operators text[], order_circles text[], order_providers text[],
  order_provider_versions integer[],
  -- Orders that change their state.
  change_wallets integer[], change_order_ids text[], change_from_states smallint[], change_to_states smallint[],
  change_operator_refs text[], change_reasons text[], change_polled smallint[], change_callback_ids text[], change_notify text[],
  -- Orders that stay pending and are polled.
  poll_accounts text[], poll_order_ids text[], poll_reasons text[], poll_due_times timestamptz[], poll_answered smallint[],
  -- Transfers. A subject is the order, or the reference of a transfer without one.
  transfer_wallets integer[], transfer_ranks integer[], transfer_kind_names text[], transfer_from_buckets text[],
  transfer_to_buckets text[],
  transfer_amounts bigint[], transfer_balance_offsets bigint[], transfer_subjects text[], transfer_notes text[],
  out available bigint[]
) language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  last_seq bigint[];
  changed_rows integer;
  any_late boolean;
  any_callback boolean;
  first_id text;
  last_id text;
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
  select array_agg(m.available order by m.wallet_position), array_agg(m.seq order by m.wallet_position) into available, last_seq
    from moved m;
  if cardinality(available) is distinct from nullif(cardinality(wallet_accounts), 0)
    then raise exception 'a wallet was not as assumed'; end if;

  insert into transfers (account_id, seq, kind, from_bucket, to_bucket, amount, available_after, order_id, reference, narration, at)
    select wallet_accounts[t.wallet], last_seq[t.wallet] + t.rank, t.kind, t.from_bucket, t.to_bucket, t.amount,
      available[t.wallet] + t.balance_offset, case when t.kind not in ('topup', 'debit') then t.subject end,
      case when t.kind in ('topup', 'debit') then t.subject when t.kind = 'refund' then t.note end, t.note, at
    from (
      select unnest(transfer_wallets) as wallet, unnest(transfer_ranks) as rank, unnest(transfer_kind_names) as kind,
        unnest(transfer_from_buckets) as from_bucket, unnest(transfer_to_buckets) as to_bucket, unnest(transfer_amounts) as amount,
        unnest(transfer_balance_offsets) as balance_offset, unnest(transfer_subjects) as subject, unnest(transfer_notes) as note
    ) t;

  -- Only transfers that orders do not need have references.
  if transfer_kind_names && array['topup', 'debit', 'refund'] then
    insert into transfer_references (account_id, reference, seq, kind, amount)
      select wallet_accounts[t.wallet], case when t.kind = 'refund' then t.note else t.subject end, last_seq[t.wallet] + t.rank, t.kind, t.amount
      from (
        select unnest(transfer_wallets) as wallet, unnest(transfer_ranks) as rank, unnest(transfer_kind_names) as kind,
          unnest(transfer_amounts) as amount, unnest(transfer_subjects) as subject, unnest(transfer_notes) as note
      ) t
      where t.kind in ('topup', 'debit', 'refund');
  end if;

  if cardinality(order_ids) > 0 then
    insert into order_references (account_id, digest, order_id)
      select wallet_accounts[n.wallet], n.digest, n.order_id
      from (select unnest(order_wallets) as wallet, unnest(order_digests) as digest, unnest(order_ids) as order_id) n;
    insert into orders (account_id, order_id, service, reference, operation, fingerprint, state, amount, amount_text, fee, commission,
        credit, target, operator, circle, provider, provider_version, process_id, created_at, updated_at)
      select wallet_accounts[n.wallet], n.order_id, n.service, n.reference, n.operation, n.fingerprint, 0, n.amount, n.amount_text, n.fee,
        nullif(n.commission, 0), n.credit = 1, n.target, n.operator, nullif(n.circle, ''), n.provider, nullif(n.provider_version, 0), process, at, at
      from (
        select unnest(order_wallets) as wallet, unnest(order_ids) as order_id, unnest(order_services) as service,
          unnest(order_references) as reference, unnest(order_operations) as operation, unnest(order_fingerprints) as fingerprint,
          unnest(order_amounts) as amount, unnest(order_amount_texts) as amount_text, unnest(order_fees) as fee,
          unnest(order_commissions) as commission, unnest(order_credits) as credit, unnest(order_targets) as target,
          unnest(order_operators) as operator, unnest(order_circles) as circle, unnest(order_providers) as provider,
          unnest(order_provider_versions) as provider_version
      ) n;
  end if;

  if cardinality(change_order_ids) > 0 then
    select min(c.id), max(c.id) into first_id, last_id from unnest(change_order_ids) as c (id);
    with changed as (
      update orders o set state = s.to_state, operator_ref = coalesce(nullif(s.operator_ref, ''), o.operator_ref),
        reason = nullif(s.reason, ''), updated_at = at
      from (
        select unnest(change_wallets) as wallet, unnest(change_order_ids) as order_id, unnest(change_from_states) as from_state,
          unnest(change_to_states) as to_state, unnest(change_operator_refs) as operator_ref, unnest(change_reasons) as reason,
          unnest(change_notify) as notify
      ) s
      where o.account_id = wallet_accounts[s.wallet] and o.order_id = s.order_id and o.state = s.from_state
        and o.order_id between first_id and last_id
      returning o.created_at < at - interval '30 seconds' as is_late,
        s.notify <> 'pending' or o.answered_pending or o.unanswered as may_need_callback
    )
    select count(*), bool_or(c.is_late), bool_or(c.may_need_callback) into changed_rows, any_late, any_callback from changed c;
    if changed_rows <> cardinality(change_order_ids) then raise exception 'an order was not as assumed'; end if;

    -- Younger orders are not rolled up yet: see the reporting module.
    if any_late then
      insert into order_rollup_changes (account_id, order_id, state, attempt)
        select o.account_id, o.order_id, o.state, o.attempt
        from (select unnest(change_wallets) as wallet, unnest(change_order_ids) as order_id) s
        join orders o on o.account_id = wallet_accounts[s.wallet] and o.order_id = s.order_id
        where o.created_at < at - interval '30 seconds' and o.order_id between first_id and last_id;
    end if;

    -- Most orders are final in their reply and need no callback: for them no account is read.
    if any_callback then
      -- Spec, Events, status callbacks: which change is sent in which version.
      insert into callbacks (account_id, callback_id, kind, order_id, urid, status, amount, target, operator_ref, next_at,
          settings_version, created_at)
        select o.account_id, next_callback_id(o.account_id, o.order_id, s.callback_id), 'status', o.order_id, o.reference,
          case o.state when 1 then 'SUCCESS' else 'FAILED' end, o.amount, o.target, o.operator_ref, at, a.callback_settings_version, at
        from (
          select unnest(change_wallets) as wallet, unnest(change_order_ids) as order_id, unnest(change_callback_ids) as callback_id,
            unnest(change_notify) as notify
        ) s
        join orders o on o.account_id = wallet_accounts[s.wallet] and o.order_id = s.order_id
        join accounts a on a.account_id = o.account_id
        where o.order_id between first_id and last_id and a.callback_url is not null and case s.notify
          when 'pending' then o.answered_pending or (o.unanswered and a.callback_version = 3)
          when 'always' then true
          when 'version 3' then a.callback_version = 3 end;
    end if;

    if 1 = any(change_polled) then
      delete from pending_polls k
        using (select unnest(change_wallets) as wallet, unnest(change_order_ids) as order_id, unnest(change_polled) as is_polled) s
        where s.is_polled = 1 and k.account_id = wallet_accounts[s.wallet] and k.order_id = s.order_id;
    end if;
  end if;

  if cardinality(poll_order_ids) > 0 then
    select min(p.id), max(p.id) into first_id, last_id from unnest(poll_order_ids) as p (id);
    update orders o set answered_pending = o.answered_pending or p.answered = 1, updated_at = at
      from (select unnest(poll_accounts) as account_id, unnest(poll_order_ids) as order_id, unnest(poll_answered) as answered) p
      where o.account_id = p.account_id and o.order_id = p.order_id and o.state = 0 and o.order_id between first_id and last_id;
    get diagnostics changed_rows = row_count;
    if changed_rows <> cardinality(poll_order_ids) then raise exception 'a pending order was not as assumed'; end if;
    insert into pending_polls (account_id, order_id, why, since, due_at, is_unanswered)
      select unnest(poll_accounts), unnest(poll_order_ids), unnest(poll_reasons), at, unnest(poll_due_times),
        unnest(poll_reasons) like 'unknown: %'
      on conflict (account_id, order_id) do update set why = excluded.why, is_unanswered = true where excluded.is_unanswered;
  end if;
end $$;
