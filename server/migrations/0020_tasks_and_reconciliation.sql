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
