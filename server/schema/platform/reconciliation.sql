-- Reconciliation: a provider's statement of a day compared with our orders.

create table reconciliations (
  reconciliation_id text primary key,
  provider text not null references providers,
  day date not null,
  name text not null,
  bytes bigint not null default 0,
  digest bytea,
  shape jsonb,
  mapping jsonb,
  job_id text,
  counts jsonb,
  open bigint not null default 0,
  created_by text not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  check ((counts is null) = (finished_at is null))
);
create index reconciliations_digest on reconciliations (digest);
comment on table reconciliations is 'One uploaded statement of a provider and the result of comparing it.';
comment on column reconciliations.reconciliation_id is 'Begins with its time of creation.';
comment on column reconciliations.day is 'In India time.';
comment on column reconciliations.name is 'Name of the uploaded file.';
comment on column reconciliations.digest is 'SHA-256 of the file, to recognise the same file uploaded again.';
comment on column reconciliations.shape is
  'What the file contains: delimiter, columns, rows, its last line. Null until the upload is complete.';
comment on column reconciliations.mapping is 'Which column of the file means what, as of the latest run.';
comment on column reconciliations.job_id is 'The latest run.';
comment on column reconciliations.counts is
  'Number and amounts by outcome, on the provider''s side and on ours. Null until a run has finished.';
comment on column reconciliations.open is 'Differences that nobody has resolved.';

create table reconciliation_file_parts (
  reconciliation_id text not null references reconciliations on delete cascade,
  part integer not null,
  content bytea not null,
  primary key (reconciliation_id, part)
);
comment on table reconciliation_file_parts is 'The uploaded file, in parts.';

create table reconciliation_mappings (
  provider text primary key references providers,
  mapping jsonb not null,
  updated_by text not null,
  updated_at timestamptz not null
);
comment on table reconciliation_mappings is 'Which column of a provider''s files means what, as of its latest run.';

create table reconciliation_items (
  reconciliation_id text not null references reconciliations on delete cascade,
  item integer not null,
  line_text text,
  reference text,
  provider_reference text,
  amount bigint,
  status smallint check (status in (0, 1, 2)),
  outcome text check (outcome in ('matched', 'differing', 'missing_here', 'missing_there', 'archived', 'duplicate', 'unclear')),
  why text,
  account_id text,
  order_id text,
  here_amount bigint,
  here_status smallint check (here_status in (0, 1, 2)),
  attempt smallint,
  taken_back boolean not null default false,
  can_settle boolean not null default false,
  resolved_at timestamptz,
  resolved_by text,
  note text,
  settled_at timestamptz,
  version integer not null default 0,
  primary key (reconciliation_id, item),
  check ((resolved_at is null) = (resolved_by is null)),
  check (settled_at is null or resolved_at is not null)
);
create index reconciliation_items_outcome on reconciliation_items (reconciliation_id, outcome, item);
create index reconciliation_items_order on reconciliation_items (reconciliation_id, order_id) where order_id is not null;
comment on table reconciliation_items is 'One line of the statement, or one of our orders that the statement lacks.';
comment on column reconciliation_items.item is
  'Line number in the file. Orders that the file lacks are numbered after its last line.';
comment on column reconciliation_items.line_text is 'The line of the file. Null for an order that the file lacks.';
comment on column reconciliation_items.reference is
  'Our reference that the line names: the order id, or the one that was made for a provider that does not take our order ids.';
comment on column reconciliation_items.status is 'The status that the line states, as in orders.state.';
comment on column reconciliation_items.outcome is 'Null until it was compared.';
comment on column reconciliation_items.why is 'What differs, or why the outcome is unclear.';
comment on column reconciliation_items.here_amount is 'Amount of our order.';
comment on column reconciliation_items.here_status is 'Status of our order at this provider.';
comment on column reconciliation_items.attempt is 'The order''s attempt when the line was compared. An order that has gone on to another is not settled.';
comment on column reconciliation_items.taken_back is 'Our order succeeded at this provider and was reversed later.';
comment on column reconciliation_items.can_settle is 'Pending here and final at the provider, for the same amount.';
comment on column reconciliation_items.version is 'Counts the changes since the run, such as resolving and reopening.';

create table reconciliation_selected_items (
  reconciliation_id text not null references reconciliations on delete cascade,
  selection_id text not null,
  item integer not null,
  version integer not null,
  primary key (reconciliation_id, selection_id, item)
);
comment on table reconciliation_selected_items is
  'The items that a settlement was asked for, and that a second person may have approved. Only these are settled, and only unchanged ones.';
comment on column reconciliation_selected_items.selection_id is 'Digest of the run and the selected items, so that the same request names the same selection.';
comment on column reconciliation_selected_items.version is 'The item''s version when it was selected.';
