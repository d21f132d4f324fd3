-- The same rules with the column first that tells rows apart: comparing keys is most of what an entry costs, and an order's
-- transfers come when it is among the newest. Either index is made before the old one goes, so that the rule holds throughout.
create unique index orders_reference_first on orders (reference, account_id, service, call);
drop index orders_reference;
alter index orders_reference_first rename to orders_reference;

create unique index transfers_order_first on transfers (order_id, kind, account_id) where order_id is not null and kind <> 'refund';
drop index transfers_once;
alter index transfers_order_first rename to transfers_once;

-- As before. Arrays are unnested where rows are made of them: in a FROM they would be written down first and read again.
create or replace function move_wallets(
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

-- The part of write_orders that changes orders which are there. By loops only: a plan that was made when the table was empty
-- would read all of it for every batch, until somebody analyzes it.
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

-- As before, with what is above.
create or replace function write_orders(
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
