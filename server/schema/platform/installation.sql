-- The installation and the processes that run it.

create table installation (
  singleton boolean primary key default true check (singleton),
  installation_id text not null,
  created_at timestamptz not null,
  master_key_file text not null,
  master_key_id text not null,
  cell smallint not null default 0 check (cell between 0 and 31)
);
comment on table installation is 'One row that identifies this installation, in the database of every cell.';
comment on column installation.cell is 'The cell that this database is; 0 is home. A process refuses the database of another cell.';
comment on column installation.master_key_file is
  'Path of the key file when secrets were last sealed, so that a second process on the same machine finds it.';

create table installation_mode (
  singleton boolean primary key default true check (singleton),
  live_since timestamptz not null,
  cause text not null check (cause in ('route', 'setting'))
);
comment on table installation_mode is
  'Whether real money moves (contract, section 9a). One row means live; no row means trial.';
comment on column installation_mode.cause is
  'route: a route to a real provider was saved, which cannot be undone. setting: a process was started in live mode.';

create table processes (
  process_id text primary key,
  host text not null,
  pid integer not null,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  oldest_open_at timestamptz not null,
  clock_offset_seconds integer not null default 0
);
comment on table processes is 'Running processes and their heartbeats.';
comment on column processes.oldest_open_at is
  'When the oldest unfinished order of the process was created. After a crash, orphaned orders are searched from this time on.';
comment on column processes.clock_offset_seconds is
  'Deliberate shift of the process clock (CORPRAIL_CLOCK_OFFSET_SECONDS). Nonces are kept until they have expired by the slowest clock.';

create table orphan_searches (
  process_id text primary key,
  from_order_id text not null,
  due_at timestamptz not null,
  ends_at timestamptz not null
);
comment on table orphan_searches is
  'Processes that are gone and whose orders are searched again: the database may still have been executing a statement of theirs.';
comment on column orphan_searches.from_order_id is 'Order ids begin with their time, so no orphaned order of the process has a smaller id.';
comment on column orphan_searches.due_at is 'When the next search is due.';
comment on column orphan_searches.ends_at is 'A search from this time on is the last.';

create unlogged table process_reports (
  process_id text primary key,
  at timestamptz not null,
  report jsonb not null
);
comment on table process_reports is 'Figures that only the process itself knows, for the system status. Unlogged: processes report again after a crash.';

create unlogged table periodic_job_runs (
  job text primary key,
  started_at timestamptz not null
);
comment on table periodic_job_runs is
  'When a periodic job that only one process at a time may run was last started. Unlogged: after a crash the jobs simply run again.';

create table archived_months (
  month text primary key check (month ~ '^[0-9]{4}-[0-9]{2}$'),
  first_order_id text not null,
  end_order_id text not null,
  checked_from text not null,
  manifest_sha256 text not null,
  detached_at timestamptz not null,
  dropped_at timestamptz
);
comment on table archived_months is
  'Months whose orders, transfers and callbacks have left the database, after their archive was verified.';
comment on column archived_months.first_order_id is 'The smallest order id of the month.';
comment on column archived_months.end_order_id is 'The smallest order id after the month.';
comment on column archived_months.checked_from is
  'The ledger check leaves out orders before this id, which is an hour later: clocks differ, and some of their transfers may have left.';
comment on column archived_months.manifest_sha256 is 'SHA-256 of the archive''s manifest, which names the checksum of every file.';
comment on column archived_months.dropped_at is 'Null while the detached tables are still there.';

create table archive_runs (
  singleton boolean primary key default true check (singleton),
  started_at timestamptz not null,
  ended_at timestamptz,
  failure text
);
comment on table archive_runs is 'The last scheduled move of old months to the archive. Only home has a row.';
comment on column archive_runs.failure is 'Why the last run that ended has failed, which is an alert for a day; null if it has not.';

-- Put on the partitions of a month while it is archived, so that the archive is what leaves the database.
create function refuse_change_of_archived_month() returns trigger language plpgsql as $$
begin
  raise exception 'the month of this record is being archived' using errcode = '55006';
end $$;
