-- Work of the operator's staff that takes longer than a click, like that of clients in portal_jobs.

create table staff_jobs (
  -- Of each lane one runs at a time: its kind, unless the kind has lanes of its own.
  lane text not null,
  -- Begins with its time.
  job_id text primary key,
  -- Who asked for it, as the audit trail names them.
  asked_by text not null,
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
  constraint staff_jobs_claimed check (state <> 'running' or (claim_id is not null and lease_until is not null)),
  constraint staff_jobs_finished check ((finished_at is not null) = (state in ('done', 'failed', 'cancelled')))
);
create unique index staff_jobs_running on staff_jobs (lane) where state = 'running';
create index staff_jobs_open on staff_jobs (created_at) where state in ('waiting', 'running');
create index staff_jobs_finished_at on staff_jobs (finished_at) where finished_at is not null;

-- The files they make, in parts. They go after a week.
create table staff_files (
  lane text not null,
  job_id text not null references staff_jobs on delete cascade,
  part integer not null,
  content bytea not null,
  primary key (job_id, part)
);

-- A provider's own list of what it did on a day, held against ours.
create table reconciliations (
  -- Begins with its time.
  reconciliation_id text primary key,
  provider text not null references providers,
  -- In India.
  day date not null,
  -- The file's, as it was uploaded.
  name text not null,
  bytes bigint not null default 0,
  -- SHA-256 of the file: the same one uploaded again is told.
  digest bytea,
  -- What stands in it: delimiter, columns, rows, its last line. Null until it is here as a whole.
  shape jsonb,
  -- Which column is what, as of its latest run.
  mapping jsonb,
  -- Its latest run.
  job_id text,
  -- By outcome: how many, what they come to there and here. Null until a run is through.
  counts jsonb,
  -- Differences that nobody has resolved.
  open bigint not null default 0,
  created_by text not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  check ((counts is null) = (finished_at is null))
);
create index reconciliations_digest on reconciliations (digest);

-- The file as it came, in parts.
create table reconciliation_parts (
  reconciliation_id text not null references reconciliations on delete cascade,
  part integer not null,
  content bytea not null,
  primary key (reconciliation_id, part)
);

-- Which column is what in a provider's files, as of the latest run.
create table reconciliation_mappings (
  provider text primary key references providers,
  mapping jsonb not null,
  updated_by text not null,
  updated_at timestamptz not null
);

create table reconciliation_items (
  reconciliation_id text not null references reconciliations on delete cascade,
  -- The line of the file; orders that are missing there are counted on behind its last line.
  item integer not null,
  -- The line as it stands in the file; null for what is missing there.
  line_text text,
  -- What the line says: our order, the provider's own reference, amount, and status as in orders.
  reference text,
  provider_reference text,
  amount bigint,
  status smallint check (status in (0, 1, 2)),
  -- Null until it is decided.
  outcome text check (outcome in ('matched', 'differing', 'missing_here', 'missing_there', 'duplicate', 'unclear')),
  -- What differs, or why it is unclear.
  why text,
  -- Our order, with its amount, its status at this provider, and whether that was taken back here.
  account_id text,
  order_id text,
  here_amount bigint,
  here_status smallint check (here_status in (0, 1, 2)),
  taken_back boolean not null default false,
  -- Pending here and final there, for the same amount.
  can_settle boolean not null default false,
  resolved_at timestamptz,
  resolved_by text,
  note text,
  settled_at timestamptz,
  primary key (reconciliation_id, item),
  check ((resolved_at is null) = (resolved_by is null)),
  check (settled_at is null or resolved_at is not null)
);
create index reconciliation_items_outcome on reconciliation_items (reconciliation_id, outcome, item);
create index reconciliation_items_order on reconciliation_items (reconciliation_id, order_id) where order_id is not null;
