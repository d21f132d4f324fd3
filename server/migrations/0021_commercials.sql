-- What the operator and its clients have agreed on: what orders cost beside their amount, and what they earn.

-- A rule holds for an account or all, a service or all, an operator of that service or all; the closest one to an order
-- counts, and counts alone. Of several for the same, the one that began last. Nothing of a rule changes but its end.
create table commercial_rules (
  -- Begins with its time.
  rule_id text primary key,
  account_id text references accounts,
  service text,
  operator text,
  -- Shares are in hundredths of a percent.
  fee_flat bigint not null check (fee_flat >= 0),
  fee_basis_points integer not null check (fee_basis_points between 0 and 10000),
  fee_least bigint check (fee_least > 0),
  fee_most bigint check (fee_most > 0),
  commission_flat bigint not null check (commission_flat >= 0),
  commission_basis_points integer not null check (commission_basis_points between 0 and 10000),
  commission_least bigint check (commission_least > 0),
  commission_most bigint check (commission_most > 0),
  valid_from timestamptz not null,
  -- Set by hand. One that ends before it begins was taken back, and the one before it goes on.
  ended_at timestamptz,
  reason text not null,
  created_by text not null,
  created_at timestamptz not null,
  ended_by text,
  check (operator is null or service is not null),
  check (fee_least <= fee_most),
  check (commission_least <= commission_most)
);
create index commercial_rules_scope on commercial_rules (account_id, service, operator, valid_from);

-- What its success pays the wallet, agreed when it was accepted; null for nothing, which needs no room in the row.
alter table orders add column commission bigint;

insert into transfer_kinds (kind, from_bucket, to_bucket, on_order) values
  ('commission', 'fees', 'available', true),
  ('commission_back', 'available', 'fees', true);

-- As post_orders, with the orders' commissions. They may be left out as a whole: then there are none.
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
  touched integer;
begin
  select m.available, m.seq into available, last_seq
    from move_wallets(today, w_account, w_available, w_held, w_cleared, w_funding, w_fees, w_rows, w_day, w_limit) m;

  insert into transfers (account_id, seq, kind, from_bucket, to_bucket, amount, available_after, order_id, reference, narration, at)
    select w_account[t.wallet], last_seq[t.wallet] + t.rank, t.kind, k.from_bucket, k.to_bucket, t.amount, available[t.wallet] + t.offset_after,
      case when k.on_order then t.about end, case when not k.on_order then t.about when t.kind = 'refund' then t.note end, t.note, at
    from unnest(t_wallet, t_rank, t_kind, t_amount, t_offset, t_order, t_note) as t (wallet, rank, kind, amount, offset_after, about, note)
    join transfer_kinds k on k.kind = t.kind;

  if cardinality(o_order) > 0 then
    insert into orders (account_id, order_id, service, reference, call, fingerprint, state, amount, amount_text, fee, commission, credit, target,
        operator, circle, provider, process_id, created_at, updated_at)
      select w_account[n.wallet], n.order_id, n.service, n.reference, n.call, n.fingerprint, 0, n.amount, n.amount_text, n.fee,
        nullif(n.commission, 0), n.credit = 1, n.target, n.operator, nullif(n.circle, ''), n.provider, process, at, at
      from unnest(o_wallet, o_order, o_service, o_reference, o_fingerprint, o_amount, o_amount_text, o_fee, o_commission, o_target,
        o_operator, o_circle, o_provider, o_call, o_credit)
        as n (wallet, order_id, service, reference, fingerprint, amount, amount_text, fee, commission, target, operator, circle, provider,
          call, credit);
  end if;

  if cardinality(s_order) > 0 then
    with changed as (
      update orders o set state = s.to_state, operator_ref = coalesce(nullif(s.operator_ref, ''), o.operator_ref),
        reason = nullif(s.reason, ''), updated_at = at
      from unnest(s_wallet, s_order, s_from, s_to, s_operator_ref, s_reason, s_callback, s_notify)
        as s (wallet, order_id, from_state, to_state, operator_ref, reason, callback_id, notify)
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
      delete from order_watch k using unnest(s_wallet, s_order, s_watched) as s (wallet, order_id, watched)
        where s.watched = 1 and k.account_id = w_account[s.wallet] and k.order_id = s.order_id;
    end if;
  end if;

  if cardinality(p_order) > 0 then
    update orders o set answered_pending = o.answered_pending or p.answered = 1, updated_at = at
      from unnest(p_account, p_order, p_answered) as p (account_id, order_id, answered)
      where o.account_id = p.account_id and o.order_id = p.order_id and o.state = 0;
    get diagnostics touched = row_count;
    if touched <> cardinality(p_order) then raise exception 'a pending order was not as assumed'; end if;
    insert into order_watch (account_id, order_id, why, since, due_at)
      select p.account_id, p.order_id, p.why, at, p.due_at
      from unnest(p_account, p_order, p_why, p_due) as p (account_id, order_id, why, due_at)
      on conflict do nothing;
  end if;
end $$;

-- For processes of the version before, which know of no commission, nor of a fee on an order that pays its wallet: such an
-- order stays as it is for them, and one of this version ends it.
create or replace function post_orders(
  at timestamptz, today date, process text,
  w_account text[], w_available bigint[], w_held bigint[], w_cleared bigint[], w_funding bigint[], w_fees bigint[], w_rows integer[],
  w_day bigint[], w_limit bigint[],
  o_wallet integer[], o_order text[], o_service text[], o_reference text[], o_fingerprint text[], o_amount bigint[], o_amount_text text[],
  o_fee bigint[], o_target text[], o_operator text[], o_circle text[], o_provider text[], o_call text[], o_credit smallint[],
  s_wallet integer[], s_order text[], s_from smallint[], s_to smallint[], s_operator_ref text[], s_reason text[], s_watched smallint[],
  s_callback text[], s_notify text[],
  p_account text[], p_order text[], p_why text[], p_due timestamptz[], p_answered smallint[],
  t_wallet integer[], t_rank integer[], t_kind text[], t_amount bigint[], t_offset bigint[], t_order text[], t_note text[],
  out available bigint[]
) language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  perform from unnest(s_wallet, s_order) as s (wallet, order_id)
    cross join lateral (
      select o.commission, o.credit, o.fee from orders o where o.account_id = w_account[s.wallet] and o.order_id = s.order_id offset 0) o
    where o.commission is not null or (o.credit and o.fee > 0);
  if found then raise exception 'an order has what this version does not know'; end if;
  select w.available into available from write_orders(
    at, today, process, w_account, w_available, w_held, w_cleared, w_funding, w_fees, w_rows, w_day, w_limit,
    o_wallet, o_order, o_service, o_reference, o_fingerprint, o_amount, o_amount_text, o_fee, '{}', o_target, o_operator, o_circle,
    o_provider, o_call, o_credit, s_wallet, s_order, s_from, s_to, s_operator_ref, s_reason, s_watched, s_callback, s_notify,
    p_account, p_order, p_why, p_due, p_answered, t_wallet, t_rank, t_kind, t_amount, t_offset, t_order, t_note) w;
end $$;
