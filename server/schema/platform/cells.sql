-- Cells: the databases that hold the accounts. These tables are used in the home cell only.

create table cells (
  cell smallint primary key check (cell between 1 and 31),
  added_at timestamptz not null
);
comment on table cells is
  'The cells beside home, by their number in CORPRAIL_CELLS. A process that is not told the address of one of them does not start.';

create table account_cells (
  account_id text primary key,
  cell smallint not null check (cell between 0 and 31),
  since timestamptz not null
);
comment on table account_cells is
  'Which cell holds an account. An account without a row is at home. Accounts are never deleted, so no other table refers to it.';
