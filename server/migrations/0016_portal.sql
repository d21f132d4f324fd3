-- What people do at the portal every day.

-- Work that takes longer than a click: it outlives the page and the process.
create table portal_jobs (
  account_id text not null references accounts,
  -- Begins with its time.
  job_id text not null,
  -- Who asked for it.
  user_id text not null,
  kind text not null,
  input jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  done bigint not null default 0,
  -- Null until it was counted.
  total bigint,
  -- Where it stands: whoever takes it over goes on from there. Written together with what was made until then.
  place jsonb,
  result jsonb,
  -- How often somebody began or went on with it: one that ends every process is given up.
  claims smallint not null default 0,
  -- What is written without the latest claim is too late.
  claim_id text,
  lease_until timestamptz,
  cancel_asked boolean not null default false,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  primary key (account_id, job_id),
  constraint portal_jobs_claimed check (state <> 'running' or (claim_id is not null and lease_until is not null)),
  constraint portal_jobs_finished check ((finished_at is not null) = (state in ('done', 'failed', 'cancelled')))
);
-- One at a time an account, whoever wants to run a second.
create unique index portal_jobs_running on portal_jobs (account_id) where state = 'running';
create index portal_jobs_open on portal_jobs (created_at) where state in ('waiting', 'running');
create index portal_jobs_finished_at on portal_jobs (finished_at) where finished_at is not null;

-- The files they make, in parts. They go after a week.
create table portal_files (
  account_id text not null,
  job_id text not null,
  part integer not null,
  content bytea not null,
  primary key (account_id, job_id, part),
  foreign key (account_id, job_id) references portal_jobs on delete cascade
);

-- From which balance on somebody wants to know.
create table low_balance_alerts (
  account_id text primary key references accounts,
  threshold bigint not null check (threshold > 0),
  emails text[] not null,
  -- As of the last look.
  below boolean not null,
  crossed_at timestamptz,
  -- Who is still to be told of that crossing, how often it was tried, and when the next try may be.
  untold text[] not null default '{}',
  tries smallint not null default 0,
  next_try_at timestamptz not null
);
create index low_balance_untold on low_balance_alerts (next_try_at) where untold <> '{}';

-- An account's own sandbox: an account that only the simulator serves.
create table account_twins (
  account_id text primary key references accounts,
  twin_id text not null unique references accounts,
  created_at timestamptz not null,
  check (account_id <> twin_id)
);

create index complaints_of_order on complaints (account_id, order_id);

-- Lists of what is seldom. What every order writes is not in it, so that accepting and settling one costs as much as before.
create index transfers_seldom on transfers (account_id, kind, seq) include (order_id) where kind not in ('hold', 'capture', 'fee');

-- Orders by their number or account. Kept by stretches of the table and made for a stretch when it is full, so that an
-- insert leaves it alone; the column never changes, so that settling stays a HOT update.
create index orders_target on orders using brin (target text_bloom_ops) with (pages_per_range = 32, autosummarize = on);
