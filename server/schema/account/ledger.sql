-- The ledger: wallets and the transfers between their buckets.

create table wallets (
  account_id text primary key,
  available bigint not null default 0,
  held bigint not null default 0,
  cleared bigint not null default 0,
  funding bigint not null default 0,
  fees bigint not null default 0,
  overdraft bigint not null default 0,
  seq bigint not null default 0,
  day date not null default '-infinity',
  day_total bigint not null default 0,
  moved_to smallint,
  constraint wallets_balanced check (available + held + cleared + funding + fees = 0),
  constraint wallets_covered check (available >= -overdraft),
  constraint wallets_held check (held >= 0)
) with (fillfactor = 50);
comment on table wallets is
  'One wallet per account, in five buckets. Money only moves between the buckets, so their sum is always zero. Never deleted.';
comment on column wallets.held is 'Reserved for pending orders.';
comment on column wallets.cleared is 'Owed to providers.';
comment on column wallets.funding is 'Paid in by the client, as a negative amount.';
comment on column wallets.seq is 'Number of the last transfer.';
comment on column wallets.day is 'The India day that day_total belongs to.';
comment on column wallets.moved_to is
  'The cell that the account has moved to, or is moving to. No money moves in this wallet any more; in the end it is empty.';
comment on column wallets.day_total is 'Recharges of that day that have not FAILED, for the daily limit.';

create table transfer_kinds (
  kind text primary key,
  from_bucket text not null,
  to_bucket text not null
);
comment on table transfer_kinds is
  'Every way in which money can move. A test compares the rows with the list in the ledger module. Read only.';
insert into transfer_kinds (kind, from_bucket, to_bucket) values
  ('hold', 'available', 'held'),
  ('capture', 'held', 'cleared'),
  ('fee', 'held', 'fees'),
  ('void', 'held', 'available'),
  ('reversal', 'cleared', 'available'),
  ('fee_return', 'fees', 'available'),
  ('refund', 'cleared', 'available'),
  ('credit', 'cleared', 'available'),
  ('credit_back', 'available', 'cleared'),
  ('commission', 'fees', 'available'),
  ('commission_back', 'available', 'fees'),
  ('topup', 'funding', 'available'),
  ('debit', 'available', 'funding');

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
  narration text not null,
  at timestamptz not null,
  check (from_bucket <> to_bucket)
) partition by range (at);
-- These indexes are unique in each partition: an index over all of them would have to begin with the time. Numbers follow
-- from the wallet's row, which is locked, and what happens to an order once follows from its state, which every write checks.
create table transfers_default partition of transfers default;
alter table transfers_default add primary key (account_id, seq);
-- Each kind of transfer happens to an order at most once, except refunds of parts of it: each refund has its own reference.
-- The column that differs most comes first, because comparing keys is most of the cost of an index entry.
create unique index transfers_once on transfers_default (order_id, kind, account_id) where order_id is not null and kind <> 'refund';
-- Lists of rare transfers. The kinds that every order writes are left out, so that the index costs an order nothing.
create index transfers_rare_kinds on transfers (account_id, kind, seq) include (order_id) where kind not in ('hold', 'capture', 'fee');
-- Orders that gave money back, the newest of all accounts first.
create index transfers_given_back on transfers (order_id)
  where kind in ('reversal', 'fee_return', 'refund', 'credit_back') and order_id is not null;
-- Transfers of all accounts by time. BRIN: an insert writes to it only when a block range is full.
create index transfers_at on transfers using brin (at, kind text_bloom_ops (n_distinct_per_range = 16))
  with (pages_per_range = 32, autosummarize = on);
comment on table transfers is 'Movements of money. One row is a debit and a credit at once, so it cannot be unbalanced. Append only.';
comment on column transfers.seq is 'Gapless per wallet.';
comment on column transfers.available_after is 'Available balance after the transfer.';
comment on column transfers.reference is 'Idempotency reference of a top-up, debit or refund.';
comment on column transfers.narration is 'Text by staff. Statements describe the transfer of an order from the order itself.';

-- Separate from transfers, so that a reference stays unique when its transfer is in another month or no longer in the table.
create table transfer_references (
  account_id text not null,
  reference text not null,
  seq bigint not null,
  kind text not null,
  amount bigint not null,
  primary key (account_id, reference)
);
comment on table transfer_references is
  'Which top-up, debit or refund has which reference. Written with the transfer, and never changed.';

create table ledger_closings (
  account_id text not null,
  month text not null check (month ~ '^[0-9]{4}-[0-9]{2}$'),
  seq bigint not null,
  available bigint not null,
  held bigint not null,
  cleared bigint not null,
  funding bigint not null,
  fees bigint not null,
  primary key (account_id, month),
  check (available + held + cleared + funding + fees = 0)
);
comment on table ledger_closings is
  'Where each account''s ledger stood at the end of a month that has left the database. Checks and statements start from the latest.';
comment on column ledger_closings.seq is 'The last transfer of the month. The five buckets are as they were after it.';

create table ledger_month_sums (
  account_id text not null,
  month text not null check (month ~ '^[0-9]{4}-[0-9]{2}$'),
  kind text not null,
  service text not null,
  operator text not null,
  credit boolean not null,
  transfers bigint not null,
  of_nothing bigint not null,
  amount bigint not null,
  primary key (account_id, month, kind, service, operator, credit)
) with (fillfactor = 50);
comment on table ledger_month_sums is
  'Sums of an account''s transfers by month, kind and operator, from number 1 up to its position. Monthly statements read them and add the later transfers. Sums of archived months stay.';
comment on column ledger_month_sums.month is 'The month in India of the transfers'' times.';
comment on column ledger_month_sums.service is 'Service, operator and credit are those of the order; empty and false for transfers without one.';
comment on column ledger_month_sums.of_nothing is 'The number of those transfers whose order has no amount.';

create table ledger_month_sum_positions (
  account_id text primary key,
  seq bigint not null
) with (fillfactor = 50);
comment on table ledger_month_sum_positions is
  'The number of the last transfer that an account''s ledger_month_sums contain. Changed in the transaction that adds to the sums.';

create table ledger_check_positions (
  account_id text not null,
  pass text not null check (pass in ('new', 'all')),
  seq bigint not null,
  available bigint not null,
  held bigint not null,
  cleared bigint not null,
  funding bigint not null,
  fees bigint not null,
  order_id text not null,
  checked_at timestamptz not null,
  primary key (account_id, pass)
) with (fillfactor = 50);
comment on table ledger_check_positions is
  'How far the continuous check has read the transfers of accounts that are too large for one step.';
comment on column ledger_check_positions.pass is
  'new: goes on where it stopped. all: reads everything from the beginning, and then again, so that a change of old rows is found.';
comment on column ledger_check_positions.seq is 'The last transfer that was checked. The five buckets are as they were after it.';
comment on column ledger_check_positions.order_id is 'The last order that the pass over everything has checked; empty in the other.';
