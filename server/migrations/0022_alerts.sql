-- What the console shows of the house, and what it warns of.

-- Orders by the minute they were asked for, counted from the orders and counted again while they may still change. Nothing
-- stands here that does not stand there: unlogged, and after a crash counted anew.
create unlogged table counted_minutes (
  minute timestamptz primary key,
  counted_at timestamptz not null,
  -- How many of its orders were not final then.
  pending integer not null
);
create unlogged table order_minutes (
  minute timestamptz not null,
  provider text not null,
  operator text not null,
  -- As an order's; 3 is an attempt that this provider did not carry out, so that another was tried.
  state smallint not null,
  -- How long it took to be final, as the place in overview/traffic/spans.ts; -1 where that says nothing.
  span smallint not null,
  orders integer not null,
  -- What of it the provider is owed.
  owed bigint not null,
  primary key (minute, provider, operator, state, span)
);

-- When somebody last did what one process at a time does.
create unlogged table turns (
  job text primary key,
  taken_at timestamptz not null
);

-- What each process knows that no other does; its heartbeat stands in processes.
create unlogged table process_reports (
  process_id text primary key,
  at timestamptz not null,
  report jsonb not null
);

create table alerts (
  -- Begins with its time.
  alert_id text primary key,
  kind text not null,
  -- What it is about, where there are several: a provider, a job. Else empty.
  subject text not null,
  message text not null,
  opened_at timestamptz not null,
  -- When it was last found to be so.
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

-- From which figures on somebody is told. Null is never.
create table alert_settings (
  singleton boolean primary key default true check (singleton),
  provider_success_percent integer default 70 check (provider_success_percent between 1 and 100),
  -- With fewer orders than this in a quarter of an hour, their share says nothing.
  provider_success_orders integer not null default 20 check (provider_success_orders between 1 and 100000),
  breaker_open boolean not null default true,
  pending_orders integer default 20 check (pending_orders between 0 and 100000),
  human_tasks integer default 1 check (human_tasks between 1 and 100000),
  callback_minutes integer default 15 check (callback_minutes between 1 and 10080),
  job_failures integer default 3 check (job_failures between 1 and 1000),
  failed_jobs integer default 1 check (failed_jobs between 1 and 1000),
  clock_seconds integer default 5 check (clock_seconds between 1 and 3600),
  -- What has not been so for this long is over.
  close_seconds integer not null default 60 check (close_seconds between 0 and 3600)
);
insert into alert_settings default values;
