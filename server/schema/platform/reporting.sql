-- What the console shows of the whole installation, and the alerts it raises.

create unlogged table counted_order_minutes (
  minute timestamptz primary key,
  counted_at timestamptz not null,
  pending integer not null
);
comment on table counted_order_minutes is
  'Minutes whose orders are counted in order_counts. Unlogged: after a crash they are counted again from orders.';
comment on column counted_order_minutes.pending is 'Orders that were not final when the minute was counted; while there are any it is counted again.';

create unlogged table order_counts (
  minute timestamptz not null,
  sandbox boolean not null,
  provider text not null,
  operator text not null,
  state smallint not null,
  latency_bucket smallint not null,
  orders integer not null,
  owed bigint not null,
  primary key (minute, sandbox, provider, operator, state, latency_bucket)
);
comment on table order_counts is 'Number of orders of live and of sandbox accounts, by minute of creation, provider, operator, state and latency.';
comment on column order_counts.state is 'As orders.state; 3 is an attempt that this provider declined, so that another one was tried.';
comment on column order_counts.latency_bucket is 'Latency bucket: index into the list of buckets in the reporting module. -1: not measured.';
comment on column order_counts.owed is 'Amount owed to the provider.';

create table alerts (
  alert_id text primary key,
  kind text not null,
  subject text not null,
  message text not null,
  opened_at timestamptz not null,
  seen_at timestamptz not null,
  closed_at timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by text,
  note text,
  constraint alerts_acknowledged check
    ((acknowledged_at is null) = (acknowledged_by is null) and (acknowledged_at is null) = (note is null))
);
create unique index alerts_one_open on alerts (kind, subject) where closed_at is null;
create index alerts_newest on alerts (opened_at, alert_id);
comment on table alerts is 'Alerts for staff.';
comment on column alerts.alert_id is 'Begins with its time of creation.';
comment on column alerts.subject is 'The provider or job that the alert is about; empty where there is only one.';
comment on column alerts.seen_at is 'When the condition was last found.';

create table alert_settings (
  singleton boolean primary key default true check (singleton),
  provider_success_percent integer default 70 check (provider_success_percent between 1 and 100),
  provider_success_orders integer not null default 20 check (provider_success_orders between 1 and 100000),
  breaker_open boolean not null default true,
  pending_orders integer default 20 check (pending_orders between 0 and 100000),
  human_tasks integer default 1 check (human_tasks between 1 and 100000),
  callback_minutes integer default 15 check (callback_minutes between 1 and 10080),
  job_failures integer default 3 check (job_failures between 1 and 1000),
  failed_jobs integer default 1 check (failed_jobs between 1 and 1000),
  provider_balance integer default 1000 check (provider_balance between 0 and 1000000000),
  provider_float boolean not null default true,
  clock_seconds integer default 5 check (clock_seconds between 1 and 3600),
  close_seconds integer not null default 60 check (close_seconds between 0 and 3600)
);
comment on table alert_settings is 'One row: from which figures on an alert opens. Null: never.';
comment on column alert_settings.provider_success_orders is
  'A success rate is computed only from at least this many orders in a quarter of an hour.';
comment on column alert_settings.provider_balance is 'In rupees: our balance at a provider is lower.';
comment on column alert_settings.provider_float is 'A provider declined an order because our balance there was too low.';
comment on column alert_settings.close_seconds is 'The alert closes after the condition has been clear for this long.';
insert into alert_settings default values;

create table ledger_check_state (
  process_id text primary key,
  checked integer not null,
  wallets integer not null,
  round_began_at timestamptz not null,
  round_ended_at timestamptz,
  violations integer not null,
  broken jsonb not null,
  at timestamptz not null
);
comment on table ledger_check_state is 'What the continuous ledger check of each process has found.';
comment on column ledger_check_state.checked is 'Wallets checked in the current round.';
comment on column ledger_check_state.wallets is 'Wallets in all.';
comment on column ledger_check_state.round_ended_at is 'End of the last complete round. Null before the first.';
comment on column ledger_check_state.broken is 'Accounts and rules of the worst violations.';

create table notification_reads (
  user_id text not null,
  notification_id text not null,
  read_at timestamptz not null,
  primary key (user_id, notification_id)
);
comment on table notification_reads is 'Which entries of the bell a staff member has marked as read. Deleted after they left the bell.';
