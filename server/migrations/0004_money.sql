-- Five buckets a wallet; money only moves between them, so their sum stays zero.
create table wallets (
  account_id text primary key,
  available bigint not null default 0,
  held bigint not null default 0,
  cleared bigint not null default 0,
  funding bigint not null default 0,
  fees bigint not null default 0,
  overdraft bigint not null default 0,
  -- The last transfer's number.
  seq bigint not null default 0,
  -- Recharges of one India day that are not FAILED, for the daily limit.
  day date not null default '-infinity',
  day_total bigint not null default 0,
  constraint wallets_balanced check (available + held + cleared + funding + fees = 0),
  constraint wallets_covered check (available >= -overdraft),
  constraint wallets_held check (held >= 0)
) with (fillfactor = 50);

-- Every way money can move; the same table stands in ledger/moves.ts.
create table transfer_kinds (
  kind text primary key,
  from_bucket text not null,
  to_bucket text not null,
  on_order boolean not null
);
insert into transfer_kinds (kind, from_bucket, to_bucket, on_order) values
  ('hold', 'available', 'held', true),
  ('capture', 'held', 'cleared', true),
  ('fee', 'held', 'fees', true),
  ('void', 'held', 'available', true),
  ('reversal', 'cleared', 'available', true),
  ('fee_return', 'fees', 'available', true),
  ('refund', 'cleared', 'available', true),
  ('credit', 'cleared', 'available', true),
  ('credit_back', 'available', 'cleared', true),
  ('topup', 'funding', 'available', false),
  ('debit', 'available', 'funding', false);

-- One row is a debit and a credit at once. Never changed.
create table transfers (
  account_id text not null,
  seq bigint not null,
  kind text not null,
  from_bucket text not null check (from_bucket in ('available', 'held', 'cleared', 'funding', 'fees')),
  to_bucket text not null check (to_bucket in ('available', 'held', 'cleared', 'funding', 'fees')),
  amount bigint not null check (amount > 0),
  available_after bigint not null,
  order_id text,
  reference text,
  -- What a person wrote; a transfer of an order is told from the order.
  narration text not null,
  at timestamptz not null,
  primary key (account_id, seq),
  check (from_bucket <> to_bucket)
);
-- Everything happens to an order once, but for refunds of parts of it: each of those has a reference of its own.
create unique index transfers_once on transfers (account_id, order_id, kind) where order_id is not null and kind <> 'refund';
create unique index transfers_reference on transfers (account_id, reference) where reference is not null;

-- States: 0 pending, 1 SUCCESS, 2 FAILED. No index on what changes and half of every page kept free, so that settling is a
-- HOT update: all rows of a page are settled at once, before anything of it can be pruned.
create table orders (
  account_id text not null,
  order_id text not null,
  service text not null,
  reference text not null,
  -- Where a service has several calls that make orders, each has references of its own.
  call text not null default '',
  fingerprint text not null,
  state smallint not null check (state in (0, 1, 2)),
  amount bigint not null,
  amount_text text not null,
  fee bigint not null default 0,
  -- A success pays the wallet instead of taking from it.
  credit boolean not null default false,
  -- What cancellations have given back; null while there was none.
  refunded bigint,
  target text not null,
  operator text not null,
  circle text,
  -- The provider of the latest attempt, written before its first byte leaves.
  provider text not null,
  attempt smallint not null default 1,
  operator_ref text,
  reason text,
  -- Some reply for it said pending, so its end is due as a callback.
  answered_pending boolean not null default false,
  -- A request for it got no answer at all, so that version 3 sends its end.
  unanswered boolean not null default false,
  process_id text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, order_id)
) with (fillfactor = 50);
create unique index orders_reference on orders (account_id, service, reference, call);
create index orders_by_id on orders (order_id);

-- Orders that somebody must ask about again: said to be pending, in doubt, or found after a crash.
create table order_watch (
  account_id text not null,
  order_id text not null,
  why text not null,
  since timestamptz not null,
  polls integer not null default 0,
  not_found integer not null default 0,
  due_at timestamptz not null,
  -- After a day of asking, a person has to look.
  needs_human boolean not null default false,
  primary key (account_id, order_id)
);
create index order_watch_due on order_watch (due_at) where not needs_human;

-- Attempts of orders that took more than one, or whose only one did not end the order at once.
create table order_attempts (
  account_id text not null,
  order_id text not null,
  attempt smallint not null,
  provider text not null,
  started_at timestamptz not null,
  outcome text,
  detail text,
  ended_at timestamptz,
  primary key (account_id, order_id, attempt)
);

-- Which processes are alive, and since when their oldest unfinished order dates: what a crash leaves is found from there.
create table processes (
  process_id text primary key,
  host text not null,
  pid integer not null,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  oldest_open_at timestamptz not null
);

-- What clients are to be told: facts, never a signed message. A client's row is sent until its receiver answers 2xx.
create table callbacks (
  account_id text not null,
  -- Begins with its time, so that an order's callbacks sort as they happened.
  callback_id text not null,
  kind text not null check (kind in ('status', 'complaint')),
  order_id text not null,
  urid text not null,
  status text not null,
  amount bigint not null default 0,
  target text not null default '',
  operator_ref text,
  complaint_ref text,
  refund_amount bigint,
  reason text,
  resolved_at timestamptz,
  state text not null default 'waiting' check (state in ('waiting', 'delivered')),
  attempts integer not null default 0,
  next_at timestamptz not null,
  -- The account's callback settings that next_at was reckoned with.
  epoch integer not null default 0,
  last_http_status integer,
  last_error text,
  created_at timestamptz not null,
  delivered_at timestamptz,
  primary key (account_id, callback_id)
) with (fillfactor = 70);
create index callbacks_due on callbacks (account_id, kind, next_at) where state = 'waiting';
create index callbacks_unsettled on callbacks (account_id, order_id, kind, callback_id) where state = 'waiting';

-- An id for the next callback of an order: the proposed one, unless a clock that was set back makes it sort too early.
-- Asked while the order's row is locked; volatile, so that it sees what was committed while it waited for that lock.
create function next_callback_id(for_account text, for_order text, proposed text) returns text language plpgsql volatile as $$
declare
  latest text;
begin
  select max(callback_id) into latest from callbacks where account_id = for_account and order_id = for_order;
  return case when latest >= proposed then latest || 'A' else proposed end;
end $$;

-- Writes a batch in one stateless call: deltas are added to locked wallets; orders and transfers are inserted; orders
-- change state; orders that stay pending are watched. Anything that is not as assumed (a known reference, thin money,
-- an order in another state) raises, and then nothing of the batch has happened.
create function post_batch(
  at timestamptz, today date, process text,
  w_account text[], w_available bigint[], w_held bigint[], w_cleared bigint[], w_funding bigint[], w_fees bigint[], w_rows integer[],
  w_day bigint[], w_limit bigint[],
  o_account text[], o_order text[], o_service text[], o_reference text[], o_fingerprint text[], o_amount bigint[], o_amount_text text[],
  o_fee bigint[], o_target text[], o_operator text[], o_circle text[], o_provider text[], o_call text[], o_credit smallint[],
  s_account text[], s_order text[], s_from smallint[], s_to smallint[], s_operator_ref text[], s_reason text[], s_watched smallint[],
  s_callback text[], s_notify text[],
  p_account text[], p_order text[], p_why text[], p_due timestamptz[], p_answered smallint[],
  t_account text[], t_rank integer[], t_kind text[], t_amount bigint[], t_offset bigint[], t_order text[], t_note text[],
  out available bigint[]
) language plpgsql as $$
#variable_conflict use_column
declare
  touched integer;
begin
  -- Locked in key order, so that two processes never wait for each other.
  perform 1 from wallets where wallets.account_id = any(w_account) order by account_id for update;
  with moved as (
    update wallets w set
      available = w.available + d.available, held = w.held + d.held, cleared = w.cleared + d.cleared,
      funding = w.funding + d.funding, fees = w.fees + d.fees, seq = w.seq + d.rows,
      -- A batch of yesterday that commits after one of today leaves today's total alone.
      day_total = case when w.day = today then w.day_total + d.day_delta when w.day = today + 1 then w.day_total else d.day_delta end,
      day = case when w.day = today + 1 then w.day else today end
    from unnest(w_account, w_available, w_held, w_cleared, w_funding, w_fees, w_rows, w_day, w_limit)
      as d (account_id, available, held, cleared, funding, fees, rows, day_delta, day_limit)
    where w.account_id = d.account_id
      and (d.day_limit < 0 or case when w.day = today then w.day_total else 0 end + d.day_delta <= d.day_limit)
    returning w.account_id, w.seq - d.rows as seq_before, w.available - d.available as available_before, w.available as available_now
  ), written as (
    insert into transfers (account_id, seq, kind, from_bucket, to_bucket, amount, available_after, order_id, reference, narration, at)
    select m.account_id, m.seq_before + t.rank, t.kind, k.from_bucket, k.to_bucket, t.amount, m.available_before + t.offset_after,
      case when k.on_order then t.about end, case when not k.on_order then t.about when t.kind = 'refund' then t.note end, t.note, at
    from unnest(t_account, t_rank, t_kind, t_amount, t_offset, t_order, t_note)
      as t (account_id, rank, kind, amount, offset_after, about, note)
    join transfer_kinds k on k.kind = t.kind
    join moved m on m.account_id = t.account_id
  )
  select array_agg(m.available_now order by d.place), count(m.account_id) into available, touched
    from unnest(w_account) with ordinality as d (account_id, place) join moved m on m.account_id = d.account_id;
  if touched <> cardinality(w_account) then raise exception 'a wallet was not as assumed'; end if;

  if cardinality(o_order) > 0 then
    insert into orders (account_id, order_id, service, reference, call, fingerprint, state, amount, amount_text, fee, credit, target, operator,
        circle, provider, process_id, created_at, updated_at)
      select n.account_id, n.order_id, n.service, n.reference, n.call, n.fingerprint, 0, n.amount, n.amount_text, n.fee, n.credit = 1,
        n.target, n.operator,
        nullif(n.circle, ''), n.provider, process, at, at
      from unnest(o_account, o_order, o_service, o_reference, o_fingerprint, o_amount, o_amount_text, o_fee, o_target, o_operator,
        o_circle, o_provider, o_call, o_credit)
        as n (account_id, order_id, service, reference, fingerprint, amount, amount_text, fee, target, operator, circle, provider, call,
          credit);
  end if;

  if cardinality(s_order) > 0 then
    with changed as (
      update orders o set state = s.to_state, operator_ref = coalesce(nullif(s.operator_ref, ''), o.operator_ref),
        reason = nullif(s.reason, ''), updated_at = at
      from unnest(s_account, s_order, s_from, s_to, s_operator_ref, s_reason, s_callback, s_notify)
        as s (account_id, order_id, from_state, to_state, operator_ref, reason, callback_id, notify)
      where o.account_id = s.account_id and o.order_id = s.order_id and o.state = s.from_state
      returning o.account_id, o.order_id, o.reference, o.state, o.amount, o.target, o.operator_ref,
        o.answered_pending, o.unanswered, s.callback_id, s.notify
    ), told as (
      -- Spec, Events, status callbacks: which change is sent in which version.
      insert into callbacks (account_id, callback_id, kind, order_id, urid, status, amount, target, operator_ref, next_at, epoch, created_at)
      select c.account_id, next_callback_id(c.account_id, c.order_id, c.callback_id), 'status', c.order_id, c.reference, case c.state when 1 then 'SUCCESS' else 'FAILED' end,
        c.amount, c.target, c.operator_ref, at, a.callback_epoch, at
      from changed c join accounts a on a.account_id = c.account_id
      where a.callback_url is not null and case c.notify
        when 'pending' then c.answered_pending or (c.unanswered and a.callback_version = 3)
        when 'always' then true
        when 'version 3' then a.callback_version = 3 end
    )
    select count(*) into touched from changed;
    if touched <> cardinality(s_order) then raise exception 'an order was not as assumed'; end if;
    if 1 = any(s_watched) then
      delete from order_watch k using unnest(s_account, s_order, s_watched) as s (account_id, order_id, watched)
        where s.watched = 1 and k.account_id = s.account_id and k.order_id = s.order_id;
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
