-- The optimistic write: posts a batch in one stateless call. Adds deltas to wallets, inserts transfers and orders, and changes
-- existing orders. Anything that is not as the caller assumed (a known reference, insufficient funds, an order in another
-- state) raises, and then nothing of the batch has happened.
-- Wallets come sorted by key; everything else names its wallet by its position among them. Commissions may be left out
-- altogether. Returns the available balance of each wallet before the batch.
-- Locks: the wallets in key order first (move_wallets), then rows that only the holder of their wallet writes.
create function write_orders(
  at timestamptz, today date, process text,
  w_account text[], w_available bigint[], w_held bigint[], w_cleared bigint[], w_funding bigint[], w_fees bigint[], w_rows integer[],
  w_day bigint[], w_limit bigint[],
  o_wallet integer[], o_order text[], o_service text[], o_reference text[], o_fingerprint text[], o_amount bigint[], o_amount_text text[],
  o_fee bigint[], o_commission bigint[], o_target text[], o_operator text[], o_circle text[], o_provider text[], o_call text[],
  o_credit smallint[],
  s_wallet integer[], s_order text[], s_from smallint[], s_to smallint[], s_operator_ref text[], s_reason text[], s_watched smallint[],
  s_callback text[], s_notify text[],
  p_account text[], p_order text[], p_why text[], p_due timestamptz[], p_answered smallint[],
  t_wallet integer[], t_rank integer[], t_kind text[], t_amount bigint[], t_offset bigint[], t_order text[], t_note text[],
  -- What each wallet had before.
  out available bigint[]
) language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  last_seq bigint[];
begin
  select m.available, m.seq into available, last_seq
    from move_wallets(today, w_account, w_available, w_held, w_cleared, w_funding, w_fees, w_rows, w_day, w_limit) m;

  insert into transfers (account_id, seq, kind, from_bucket, to_bucket, amount, available_after, order_id, reference, narration, at)
    select w_account[t.wallet], last_seq[t.wallet] + t.rank, t.kind, k.from_bucket, k.to_bucket, t.amount, available[t.wallet] + t.offset_after,
      case when k.on_order then t.about end, case when not k.on_order then t.about when t.kind = 'refund' then t.note end, t.note, at
    from (
      select unnest(t_wallet) as wallet, unnest(t_rank) as rank, unnest(t_kind) as kind, unnest(t_amount) as amount,
        unnest(t_offset) as offset_after, unnest(t_order) as about, unnest(t_note) as note
    ) t
    join transfer_kinds k on k.kind = t.kind;

  if cardinality(o_order) > 0 then
    insert into orders (account_id, order_id, service, reference, call, fingerprint, state, amount, amount_text, fee, commission, credit, target,
        operator, circle, provider, process_id, created_at, updated_at)
      select w_account[n.wallet], n.order_id, n.service, n.reference, n.call, n.fingerprint, 0, n.amount, n.amount_text, n.fee,
        nullif(n.commission, 0), n.credit = 1, n.target, n.operator, nullif(n.circle, ''), n.provider, process, at, at
      from (
        select unnest(o_wallet) as wallet, unnest(o_order) as order_id, unnest(o_service) as service, unnest(o_reference) as reference,
          unnest(o_fingerprint) as fingerprint, unnest(o_amount) as amount, unnest(o_amount_text) as amount_text, unnest(o_fee) as fee,
          unnest(o_commission) as commission, unnest(o_target) as target, unnest(o_operator) as operator, unnest(o_circle) as circle,
          unnest(o_provider) as provider, unnest(o_call) as call, unnest(o_credit) as credit
      ) n;
  end if;

  if cardinality(s_order) > 0 or cardinality(p_order) > 0 then
    perform change_orders(at, w_account, s_wallet, s_order, s_from, s_to, s_operator_ref, s_reason, s_watched, s_callback, s_notify,
      p_account, p_order, p_why, p_due, p_answered);
  end if;
end $$;
