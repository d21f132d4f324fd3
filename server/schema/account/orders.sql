-- Orders, their attempts at providers, and what is needed to repeat and to finish them.

-- Tables of history are partitioned by month; the months are made by server/src/platform/db/partitions, as copies of the
-- default partition, which takes rows whose month is missing. Storage parameters therefore belong to the default partition.

-- No index covers a column that settling changes, except BRIN, and half of every page stays free: settling is then a HOT
-- update even when all rows of a page are settled before the page can be pruned.
create table orders (
  account_id text not null,
  order_id text not null,
  service text not null,
  reference text not null,
  operation text not null default '',
  fingerprint text not null,
  state smallint not null check (state in (0, 1, 2)),
  amount bigint not null,
  amount_text text not null,
  fee bigint not null default 0,
  credit boolean not null default false,
  refunded bigint,
  target text not null,
  operator text not null,
  circle text,
  provider text not null,
  attempt smallint not null default 1,
  operator_ref text,
  reason text,
  answered_pending boolean not null default false,
  unanswered boolean not null default false,
  process_id text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  commission bigint,
  provider_version integer,
  primary key (account_id, order_id)
) partition by range (order_id);
create table orders_default partition of orders default with (fillfactor = 50);
create index orders_by_id on orders (order_id);
-- Searches over all accounts. BRIN: accepting an order writes to it only when a block range is full. The order id is
-- included so that a search can start with the newest ranges.
create index orders_search on orders using brin (
  target text_bloom_ops, reference text_bloom_ops, service text_bloom_ops (n_distinct_per_range = 16),
  operator text_bloom_ops (n_distinct_per_range = 64), provider text_bloom_ops (n_distinct_per_range = 16), order_id
) with (pages_per_range = 32, autosummarize = on);
-- Settling sets operator_ref. That stays a HOT update under a BRIN index from PostgreSQL 16 on; before, the index is left
-- out and a search for an operator reference reads the table.
do $$
begin
  if current_setting('server_version_num')::integer >= 160000 then
    create index orders_operator_ref on orders using brin (operator_ref text_bloom_ops, order_id)
      with (pages_per_range = 32, autosummarize = on);
  end if;
end $$;
comment on table orders is 'Orders of all services: recharges, bill payments, money transfers, bus bookings, AEPS. Never deleted; a month leaves as a whole, after it was archived.';
comment on column orders.reference is 'The client''s own reference (urid or request_id).';
comment on column orders.operation is 'The operation of the service, where several make orders: each has its own references.';
comment on column orders.fingerprint is 'Digest of the request, to tell a repeat from another request with the same reference.';
comment on column orders.state is '0 pending, 1 SUCCESS, 2 FAILED.';
comment on column orders.amount_text is 'The amount as the client wrote it.';
comment on column orders.credit is 'A success pays the wallet instead of charging it.';
comment on column orders.refunded is 'What cancellations have given back. Null: nothing.';
comment on column orders.target is 'The number or account that the order is for.';
comment on column orders.provider is 'Provider of the latest attempt, written before the request is sent.';
comment on column orders.answered_pending is 'A reply said pending, so the final state is sent as a callback.';
comment on column orders.unanswered is 'A request got no reply at all, so callback version 3 sends the final state.';
comment on column orders.process_id is 'The process that accepted the order.';
comment on column orders.provider_version is
  'The version of the provider''s settings with which the latest attempt was made, and by which its answers are read. Null: the simulator, which has no versions.';
comment on column orders.commission is 'What a success pays the wallet, fixed when the order was accepted. Null: nothing.';

-- Separate from orders, so that a reference stays unique when its order is no longer in the table, and small, because its
-- entries arrive in random order: after a checkpoint nearly every page of the index is logged in full once.
create table order_references (
  account_id text not null,
  digest uuid not null,
  order_id text not null,
  primary key (digest)
);
-- Orders of archived months by their id. BRIN: entries are in the order of their ids, and a new one costs nearly nothing.
create index order_references_by_order on order_references using brin (order_id) with (pages_per_range = 32, autosummarize = on);
comment on table order_references is 'Which order has which client reference. Written with the order, and never changed.';
comment on column order_references.digest is
  '16 bytes of SHA-256 over account, service, reference and operation: see order_reference_digest.';

create table pending_polls (
  account_id text not null,
  order_id text not null,
  why text not null,
  since timestamptz not null,
  polls integer not null default 0,
  not_found integer not null default 0,
  due_at timestamptz not null,
  needs_human boolean not null default false,
  is_unanswered boolean not null default false,
  resends integer not null default 0,
  resent_at timestamptz,
  primary key (account_id, order_id)
);
create index pending_polls_due on pending_polls (due_at) where not needs_human;
create index pending_polls_newest on pending_polls (order_id);
comment on table pending_polls is
  'Orders whose status must be asked again: pending at the provider, in doubt, or found after a crash.';
comment on column pending_polls.polls is 'How often the provider was asked.';
comment on column pending_polls.not_found is 'How often in a row the provider did not know the order.';
comment on column pending_polls.needs_human is 'Polling has stopped after a day; staff must decide.';
comment on column pending_polls.is_unanswered is 'The sending had no usable answer, so a provider that carries a reference out once may get it again.';
comment on column pending_polls.resends is 'How often the order was sent again with the same reference.';

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
) partition by range (order_id);
create table order_attempts_default partition of order_attempts default;
comment on table order_attempts is
  'Attempts at providers, of orders that took more than one or whose only attempt did not finish the order at once.';

create sequence provider_reference_numbers;
create table provider_references (
  provider text not null,
  reference text not null,
  subject text not null,
  primary key (provider, reference)
);
create unique index provider_references_subject on provider_references (provider, subject);
comment on table provider_references is
  'References in the form that a provider demands, written before they are sent, for providers that do not take ours.';
comment on column provider_references.subject is 'Our own reference: an order_id, or the id of a fetch, block or cancellation.';

create table order_results (
  account_id text not null,
  order_id text not null,
  result jsonb not null,
  primary key (account_id, order_id)
) partition by range (order_id);
create table order_results_default partition of order_results default;
comment on table order_results is
  'What a provider reported of an order beside its reference. The service''s part of the reply is made from it.';

create table idempotent_requests (
  account_id text not null,
  operation text not null,
  request_id text not null,
  fingerprint text not null,
  record text not null,
  created_at timestamptz not null,
  primary key (account_id, operation, request_id)
);
comment on table idempotent_requests is
  'Idempotency of operations that make no order: a repeated request finds the record that the first one made.';
comment on column idempotent_requests.operation is 'Path of the operation without its prefix.';
comment on column idempotent_requests.record is 'Identifier of the record.';

create table one_time_passwords (
  account_id text not null,
  otp_ref text not null,
  purpose text not null,
  subject text not null,
  mobile text not null,
  minted_by text not null default 'service' check (minted_by in ('service', 'provider', 'nobody')),
  code_digest bytea,
  provider text,
  provider_otp_ref text,
  code_length smallint not null default 6 check (code_length between 3 and 10),
  wrong_attempts smallint not null default 0,
  times_sent smallint not null default 1,
  used_at timestamptz,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (account_id, otp_ref),
  check ((minted_by = 'service') = (code_digest is not null)),
  check ((minted_by = 'provider') = (provider is not null and provider_otp_ref is not null))
);
create index one_time_passwords_subject on one_time_passwords (account_id, purpose, subject);
-- How many were sent to a mobile lately.
create index one_time_passwords_mobile on one_time_passwords (account_id, mobile, sent_at);
comment on table one_time_passwords is
  'One-time passwords: our own as keyed digests, those of providers by their reference. Three wrong entries invalidate one.';
comment on column one_time_passwords.minted_by is
  'Who made the code: this service, a provider, which then also checks it, or nobody, where the provider needs no code.';
comment on column one_time_passwords.times_sent is 'How many messages went out under this reference.';
comment on column one_time_passwords.provider_otp_ref is 'The provider''s own reference of its code. May be empty.';
comment on column one_time_passwords.purpose is
  'What it confirms. It is valid for this purpose and subject only. count: a message that a provider is asked to send, until its password is stored.';
