-- Callbacks to clients. A target is an account and a kind of callback: one URL at a time.

create table callbacks (
  account_id text not null,
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
  settings_version integer not null default 0,
  last_http_status integer,
  last_error text,
  created_at timestamptz not null,
  delivered_at timestamptz,
  retry_step integer not null default 0,
  retry_tier smallint not null generated always as (case when retry_step < 3 then 0 else 1 end) stored,
  last_ts bigint not null default 0,
  version smallint,
  primary key (account_id, callback_id)
) partition by range (callback_id);
create table callbacks_default partition of callbacks default
  with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.05);
-- Many rows share one time. Deduplicated index entries could be marked dead only all together, so they are kept apart.
create index callbacks_due on callbacks (account_id, kind, retry_tier, next_at) with (deduplicate_items = off) where state = 'waiting';
create index callbacks_of_order on callbacks (account_id, order_id, kind, callback_id);
comment on table callbacks is
  'Outbox of callbacks: facts, never a signed message. A callback is sent until its receiver answers 2xx.';
comment on column callbacks.callback_id is 'Begins with its time, so that the callbacks of an order sort as they happened.';
comment on column callbacks.urid is 'The client''s reference of the order.';
comment on column callbacks.settings_version is 'Value of accounts.callback_settings_version when next_at was computed.';
comment on column callbacks.retry_step is 'Failed attempts since it was last made due: position in the back-off.';
comment on column callbacks.retry_tier is '0 for the first attempt and its first two retries, which the breaker never holds back; 1 for later ones.';
comment on column callbacks.last_ts is 'The ts of the last attempt. The next attempt has a later one.';
comment on column callbacks.delivered_at is 'The latest delivery. Sending it again does not clear it.';
comment on column callbacks.version is 'Callback version of the last attempt.';

create table callback_claims (
  account_id text not null,
  kind text not null,
  callback_id text not null,
  claim_id text not null,
  ends_at timestamptz not null,
  ts bigint not null,
  version smallint not null,
  settings_version integer not null,
  primary key (account_id, kind, callback_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
comment on table callback_claims is
  'Attempts in flight. Kept apart from callbacks, whose every index would have to follow the lease. A claim that has ended stays until the next attempt takes it over, because that attempt needs a later ts.';
comment on column callback_claims.claim_id is 'A finish that names another claim comes too late.';
comment on column callback_claims.settings_version is 'Value of accounts.callback_settings_version that the attempt is made with.';

create table callback_targets (
  account_id text not null,
  kind text not null,
  failures integer not null default 0,
  slow boolean not null default false,
  probe_at timestamptz,
  settings_version integer not null,
  primary key (account_id, kind)
) with (fillfactor = 50);
comment on table callback_targets is 'State of each target: its circuit breaker and whether it answers slowly. Its row is the lock of its claims.';
comment on column callback_targets.failures is 'Failed attempts in a row.';
comment on column callback_targets.probe_at is 'Null while the breaker is closed; else when the next probe may be sent.';
comment on column callback_targets.settings_version is 'Value of accounts.callback_settings_version that the waiting callbacks were scheduled with.';

create table callback_attempts (
  account_id text not null,
  callback_id text not null,
  attempt integer not null,
  at timestamptz not null,
  url text not null,
  version smallint not null,
  http_status integer,
  error text,
  milliseconds integer not null,
  reply text,
  primary key (account_id, callback_id, attempt, at)
) partition by range (at);
create table callback_attempts_default partition of callback_attempts default;
comment on table callback_attempts is 
  'Log of delivery attempts. Dropped by months, when a whole month is older than CORPRAIL_CALLBACK_LOG_DAYS.';
comment on column callback_attempts.error is 'Null for a delivery.';
comment on column callback_attempts.reply is 'The beginning of the receiver''s reply, masked. Null if it was empty.';

create table callback_tests (
  account_id text primary key references accounts,
  settings_version integer not null,
  url text not null,
  credential_id text,
  at timestamptz not null,
  http_status integer,
  error text
);
comment on table callback_tests is 'The last signed version 3 test callback of an account.';
comment on column callback_tests.settings_version is 'Value of accounts.callback_settings_version that it was made with.';
comment on column callback_tests.credential_id is 'The callback secret that it was signed with.';
comment on column callback_tests.error is 'Null for a delivery.';

create view callback_queues as
  with recursive targets as (
    (select c.account_id, c.kind, c.retry_tier, c.next_at from callbacks c where c.state = 'waiting'
      order by c.account_id, c.kind, c.retry_tier, c.next_at limit 1)
    union all
    select n.account_id, n.kind, n.retry_tier, n.next_at from targets t cross join lateral (
      select c.account_id, c.kind, c.retry_tier, c.next_at from callbacks c
      where c.state = 'waiting' and (c.account_id, c.kind, c.retry_tier) > (t.account_id, t.kind, t.retry_tier)
      order by c.account_id, c.kind, c.retry_tier, c.next_at limit 1) n
  )
  select account_id, kind, retry_tier, next_at from targets;
comment on view callback_queues is
  'Targets and tiers with waiting callbacks, each with its earliest time. A loose index scan: one probe per row, however many callbacks wait.';
