-- What a bulk action of staff is about: the orders or callbacks that its preview showed, and the result of each.

create table bulk_selections (
  selection_id text primary key,
  action text not null check (action in ('requery', 'settle', 'resend')),
  mode text check (mode in ('live', 'test')),
  made_by text not null,
  created_at timestamptz not null,
  started_at timestamptz,
  items integer not null,
  amount bigint not null
);
create index bulk_selections_created on bulk_selections (created_at);
comment on table bulk_selections is
  'Previews of bulk actions. A selection is carried out at most once. Home has the row that counts; a cell with items of it has a copy.';
comment on column bulk_selections.selection_id is 'Begins with its time of creation.';
comment on column bulk_selections.mode is 'Whether its accounts are live or sandbox accounts. Null: an operator key chose among all.';
comment on column bulk_selections.started_at is 'When its job was created. Null: only previewed, or waiting for approval.';
comment on column bulk_selections.items is 'The number of its items, without those that the preview left out.';

create table bulk_items (
  selection_id text not null references bulk_selections on delete cascade,
  place integer not null,
  account_id text not null,
  item_id text not null,
  amount bigint not null,
  attempt smallint,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'skipped')),
  detail text not null default '',
  primary key (selection_id, place)
);
create index bulk_items_waiting on bulk_items (selection_id, place) where state = 'waiting';
comment on table bulk_items is
  'The orders or callbacks of a selection, each in the cell of its account. The result is written with the change itself, so that each is carried out once.';
comment on column bulk_items.item_id is 'The order''s or callback''s id.';
comment on column bulk_items.attempt is 'The order''s attempt at the preview. An order that has gone on to another is not settled. Null: a callback.';
comment on column bulk_items.detail is 'What happened, or why it was skipped.';
