-- Who of the staff handles which complaint, order or alert, and what staff wrote about it.

create table work_items (
  account_id text not null,
  kind text not null check (kind in ('complaint', 'order', 'alert')),
  item_id text not null,
  assigned_to text,
  assigned_by text not null,
  assigned_at timestamptz not null,
  primary key (account_id, kind, item_id),
  constraint work_items_account check ((account_id = '') = (kind = 'alert'))
);
create index work_items_of_person on work_items (assigned_to, kind, item_id) where assigned_to is not null;
comment on table work_items is 'Complaints, orders and alerts that are or were assigned to a staff member.';
comment on column work_items.account_id is 'The account of the complaint or order. Empty for an alert, which belongs to the installation.';
comment on column work_items.item_id is 'The complaint''s reference, the order''s id or the alert''s id.';
comment on column work_items.assigned_to is 'The user id of a staff member. Null: released again.';
comment on column work_items.assigned_by is 'The actor, as in audit_log.';

create table work_notes (
  account_id text not null,
  kind text not null check (kind in ('complaint', 'order', 'alert')),
  item_id text not null,
  note_id text not null,
  event text not null check (event in ('note', 'assigned', 'released')),
  author text not null,
  text text not null,
  assigned_to text,
  notifies text[] not null,
  at timestamptz not null,
  primary key (account_id, kind, item_id, note_id),
  constraint work_notes_account check ((account_id = '') = (kind = 'alert')),
  constraint work_notes_assigned check ((event = 'assigned') = (assigned_to is not null)),
  constraint work_notes_text check (event <> 'note' or text <> '')
);
create index work_notes_for_person on work_notes using gin (notifies);
comment on table work_notes is 'Notes of staff, and every change of an assignment with the words that were given. Append-only.';
comment on column work_notes.note_id is 'Begins with its time of creation.';
comment on column work_notes.author is 'The actor, as in audit_log.';
comment on column work_notes.assigned_to is 'For an assignment: the user id of the staff member who got it.';
comment on column work_notes.notifies is 'The user ids of the staff members whose bell shows it.';
