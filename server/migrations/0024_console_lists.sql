-- Lists over all accounts. Nothing here is touched when an order is accepted or settled but the summaries of stretches of
-- the tables, which are made when a stretch is full.

-- Orders by whatever somebody may have of them. With the ids in it, a look can begin with the newest.
create index orders_search on orders using brin (
  target text_bloom_ops, reference text_bloom_ops, service text_bloom_ops (n_distinct_per_range = 16),
  operator text_bloom_ops (n_distinct_per_range = 64), provider text_bloom_ops (n_distinct_per_range = 16), order_id
) with (pages_per_range = 32, autosummarize = on);
drop index orders_target;

-- A settling order gets its operator's reference. From PostgreSQL 16 on that stays a HOT update under such an index; before,
-- it would not, and there a look for a reference reads on.
do $$
begin
  if current_setting('server_version_num')::integer >= 160000 then
    create index orders_operator_ref on orders using brin (operator_ref text_bloom_ops, order_id)
      with (pages_per_range = 32, autosummarize = on);
  end if;
end $$;

-- Orders that took money back, the newest of all accounts first.
create index transfers_taken_back on transfers (order_id)
  where kind in ('reversal', 'fee_return', 'refund', 'credit_back') and order_id is not null;
create index order_watch_newest on order_watch (order_id);

-- Ledger lines of all accounts by their time, and where the seldom kinds are.
create index transfers_at on transfers using brin (at, kind text_bloom_ops (n_distinct_per_range = 16))
  with (pages_per_range = 32, autosummarize = on);

create index complaints_due on complaints (due_by, complaint_ref) where status = 'OPEN';

-- What each process's running check of the ledger has found.
create table ledger_watch (
  process_id text primary key,
  -- Accounts looked at in this round, and how many there are in all.
  checked integer not null,
  wallets integer not null,
  round_began_at timestamptz not null,
  -- When the last whole round ended; null before the first.
  round_ended_at timestamptz,
  violations integer not null,
  -- Of which accounts, by which rule: the worst of them.
  broken jsonb not null,
  at timestamptz not null
);
