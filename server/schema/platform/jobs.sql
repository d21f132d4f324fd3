-- Background jobs that portal users and staff start: exports, bulk uploads, reconciliations.

create table portal_jobs (
  account_id text not null references accounts,
  job_id text not null,
  user_id text not null,
  kind text not null,
  input jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  done bigint not null default 0,
  total bigint,
  place jsonb,
  result jsonb,
  claims smallint not null default 0,
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
-- One running job per account.
create unique index portal_jobs_running on portal_jobs (account_id) where state = 'running';
create index portal_jobs_open on portal_jobs (created_at) where state in ('waiting', 'running');
create index portal_jobs_finished_at on portal_jobs (finished_at) where finished_at is not null;
comment on table portal_jobs is 'Jobs of portal users. A job survives the page and the process that runs it.';
comment on column portal_jobs.job_id is 'Begins with its time of creation.';
comment on column portal_jobs.user_id is 'The user who started it.';
comment on column portal_jobs.total is 'Null until it was counted.';
comment on column portal_jobs.place is
  'Where the next process resumes. Written in one transaction with the part of the result made until then.';
comment on column portal_jobs.claims is 'How often a process started or resumed it. A job that crashes every process is given up.';
comment on column portal_jobs.claim_id is 'The latest claim. A write without it comes too late and is refused.';

create table portal_files (
  account_id text not null,
  job_id text not null,
  part integer not null,
  content bytea not null,
  primary key (account_id, job_id, part),
  foreign key (account_id, job_id) references portal_jobs on delete cascade
);
comment on table portal_files is 'Files that the jobs of portal users made, in parts. Deleted after a week.';

create table staff_jobs (
  queue text not null,
  job_id text primary key,
  asked_by text not null,
  kind text not null,
  input jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  done bigint not null default 0,
  total bigint,
  place jsonb,
  result jsonb,
  claims smallint not null default 0,
  claim_id text,
  lease_until timestamptz,
  cancel_asked boolean not null default false,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  constraint staff_jobs_claimed check (state <> 'running' or (claim_id is not null and lease_until is not null)),
  constraint staff_jobs_finished check ((finished_at is not null) = (state in ('done', 'failed', 'cancelled')))
);
create unique index staff_jobs_running on staff_jobs (queue) where state = 'running';
create index staff_jobs_open on staff_jobs (created_at) where state in ('waiting', 'running');
create index staff_jobs_finished_at on staff_jobs (finished_at) where finished_at is not null;
comment on table staff_jobs is 'Jobs of staff. The columns mean the same as in portal_jobs.';
comment on column staff_jobs.queue is 'One job of each queue runs at a time. The job''s kind, unless the kind has several queues.';
comment on column staff_jobs.asked_by is 'The actor who started it, as in audit_log.';

create table staff_files (
  queue text not null,
  job_id text not null references staff_jobs on delete cascade,
  part integer not null,
  content bytea not null,
  primary key (job_id, part)
);
comment on table staff_files is 'Files that the jobs of staff made, in parts. Deleted after a week.';
