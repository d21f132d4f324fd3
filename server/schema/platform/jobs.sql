-- Background jobs that portal users and staff start: exports, recoveries, reconciliations.

create table jobs (
  owner text not null check (owner in ('client', 'staff')),
  queue text not null,
  job_id text primary key,
  started_by text not null,
  kind text not null,
  input jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  done bigint not null default 0,
  total bigint,
  resume_from jsonb,
  result jsonb,
  claims smallint not null default 0,
  claim_id text,
  lease_until timestamptz,
  cancel_asked boolean not null default false,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  account_id text generated always as (case when owner = 'client' then queue end) stored references accounts,
  constraint jobs_claimed check (state <> 'running' or (claim_id is not null and lease_until is not null)),
  constraint jobs_finished check ((finished_at is not null) = (state in ('done', 'failed', 'cancelled')))
);
create unique index jobs_running on jobs (owner, queue) where state = 'running';
create index jobs_newest on jobs (owner, queue, job_id);
create index jobs_open on jobs (created_at) where state in ('waiting', 'running');
create index jobs_finished_at on jobs (finished_at) where finished_at is not null;
comment on table jobs is 'Jobs of clients and staff. A job survives the page and the process that runs it.';
comment on column jobs.owner is 'client: started at the portal. staff: started at the console or through the operator API.';
comment on column jobs.queue is
  'One job of each queue runs at a time. For a client the account; for staff the job''s kind, unless the kind has several queues.';
comment on column jobs.job_id is 'Begins with its time of creation.';
comment on column jobs.started_by is 'The portal user, or the actor as in audit_log.';
comment on column jobs.done is 'Items processed so far.';
comment on column jobs.total is 'Items in all. Null until they were counted.';
comment on column jobs.resume_from is
  'Where the next process resumes. Written in one transaction with the part of the result made until then.';
comment on column jobs.claims is 'How often a process started or resumed it. A job that crashes every process is given up.';
comment on column jobs.claim_id is 'The latest claim. A write without it comes too late and is refused.';
comment on column jobs.cancel_asked is 'Somebody has asked for the running job to be cancelled.';

create table job_files (
  job_id text not null references jobs on delete cascade,
  part integer not null,
  content bytea not null,
  primary key (job_id, part)
);
comment on table job_files is 'Files that jobs made, in parts. Deleted after a week.';
