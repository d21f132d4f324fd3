-- The optimistic write: posts a batch in one stateless call. Adds deltas to wallets, inserts transfers and orders, and changes
-- existing orders. Anything that is not as the caller assumed (a known reference, insufficient funds, an order in another
-- state) raises, and then nothing of the batch has happened.
-- Wallets come sorted by key; everything else names its wallet by its position among them. Commissions and
-- versions of providers may be left out altogether. Returns the available balance of each wallet before the batch.
-- Locks: the wallets in key order first (move_wallets), then rows that only the holder of their wallet writes.
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
  transfer_wallets integer[], transfer_ranks integer[], transfer_kind_names text[], transfer_amounts bigint[],
  transfer_balance_offsets bigint[], transfer_subjects text[], transfer_notes text[],
  out available bigint[]
) language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  last_seq bigint[];
begin
  select m.available, m.seq into available, last_seq
    from move_wallets(today, wallet_accounts, wallet_available, wallet_held, wallet_cleared, wallet_funding, wallet_fees,
      wallet_transfers, wallet_day_totals, wallet_day_limits) m;

  insert into transfers (account_id, seq, kind, from_bucket, to_bucket, amount, available_after, order_id, reference, narration, at)
    select wallet_accounts[t.wallet], last_seq[t.wallet] + t.rank, t.kind, k.from_bucket, k.to_bucket, t.amount,
      available[t.wallet] + t.balance_offset, case when k.on_order then t.subject end,
      case when not k.on_order then t.subject when t.kind = 'refund' then t.note end, t.note, at
    from (
      select unnest(transfer_wallets) as wallet, unnest(transfer_ranks) as rank, unnest(transfer_kind_names) as kind,
        unnest(transfer_amounts) as amount, unnest(transfer_balance_offsets) as balance_offset, unnest(transfer_subjects) as subject,
        unnest(transfer_notes) as note
    ) t
    join transfer_kinds k on k.kind = t.kind;

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

  if cardinality(change_order_ids) > 0 or cardinality(poll_order_ids) > 0 then
    perform change_orders(at, wallet_accounts, change_wallets, change_order_ids, change_from_states, change_to_states,
      change_operator_refs, change_reasons, change_polled, change_callback_ids, change_notify, poll_accounts, poll_order_ids, poll_reasons, poll_due_times, poll_answered);
  end if;
end $$;
