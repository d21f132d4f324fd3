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
  since timestamptz not null,
  held boolean not null default false
);
comment on table account_cells is
  'Which cell holds an account. An account without a row is at home. Accounts are never deleted, so no other table refers to it.';

comment on column account_cells.held is 'The account is being moved: requests about it are refused as busy.';

create table account_moves (
  move_id text primary key,
  account_id text not null,
  account_ids text[] not null,
  from_cell smallint not null,
  to_cell smallint not null check (to_cell <> from_cell),
  phase text not null check (phase in ('held', 'copied', 'switched', 'done', 'cancelled')),
  callbacks_paused text[] not null,
  started_by text not null,
  started_at timestamptz not null,
  phase_at timestamptz not null
);
create unique index account_moves_open on account_moves (account_id) where phase not in ('done', 'cancelled');
comment on table account_moves is 'Moves of accounts between cells. A move that was interrupted is resumed from its phase.';
comment on column account_moves.account_ids is 'The account and its sandbox account, which always share a cell.';
comment on column account_moves.phase is
  'held: writes are refused. copied: the new cell has everything. switched: the new cell serves the account. done: the old cell has nothing left of it.';
comment on column account_moves.callbacks_paused is 'The accounts whose callbacks were paused before the move, and stay so.';
