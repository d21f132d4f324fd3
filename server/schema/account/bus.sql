-- Bus booking: blocked seats, tickets and cancellations. Names and proofs of identity go to the provider and are not stored.

create table bus_blocks (
  account_id text not null,
  block_ref text not null,
  request_id text not null,
  provider text not null,
  trip_id text not null,
  operator text not null,
  mobile text not null,
  trip jsonb not null,
  departure_at timestamptz not null,
  partial_cancel boolean not null,
  total bigint,
  fare_changed boolean not null default false,
  provider_ref text not null default '',
  created_at timestamptz not null,
  expires_at timestamptz not null,
  order_id text,
  ticket_no text,
  primary key (account_id, block_ref)
);
create unique index bus_blocks_order on bus_blocks (account_id, order_id) where order_id is not null;
create unique index bus_blocks_ticket on bus_blocks (account_id, ticket_no) where ticket_no is not null;
create index bus_blocks_age on bus_blocks using brin (created_at) with (pages_per_range = 32, autosummarize = on);
comment on table bus_blocks is
  'Seats reserved for a short time, and the ticket that they become. Those that nobody booked are deleted CORPRAIL_UNUSED_DAYS after they expired.';
comment on column bus_blocks.trip is
  'The trip when the seats were blocked: a ticket shows it and a cancellation fee is computed from it.';
comment on column bus_blocks.partial_cancel is 'Single seats can be cancelled.';
comment on column bus_blocks.total is 'Null until the provider has confirmed the seats.';
comment on column bus_blocks.order_id is 'The one booking of the block, also if it failed.';

create table bus_block_seats (
  account_id text not null,
  block_ref text not null,
  seat text not null,
  fare bigint not null,
  cancel_id text,
  primary key (account_id, block_ref, seat)
);
comment on table bus_block_seats is 'The seats of a block.';
comment on column bus_block_seats.cancel_id is 'The cancellation of the seat. Null while the passenger has it.';

create table bus_cancel_quotes (
  account_id text not null,
  ticket_no text not null,
  quote_ref text not null,
  seats text[] not null,
  refund bigint not null,
  charges bigint not null,
  valid_until timestamptz not null,
  by_provider boolean not null default false,
  primary key (account_id, ticket_no, quote_ref)
);
comment on table bus_cancel_quotes is 'What a cancellation would refund.';
comment on column bus_cancel_quotes.by_provider is 'The provider stated the amounts. Otherwise they follow from the trip''s charges.';

create table bus_cancellations (
  account_id text not null,
  cancel_id text not null,
  block_ref text not null,
  order_id text not null,
  request_id text,
  actor text,
  reason text not null,
  seats text[] not null,
  refund bigint not null,
  state text not null check (state in ('asked', 'done')),
  created_at timestamptz not null,
  next_at timestamptz not null,
  approval_id text,
  made_by text,
  asked_until timestamptz,
  asked_times integer not null default 0,
  doubt text,
  primary key (account_id, cancel_id)
);
create index bus_cancellations_asked on bus_cancellations (account_id, block_ref) where state = 'asked';
create index bus_cancellations_due on bus_cancellations (next_at) where state = 'asked';
create unique index bus_cancellations_approval on bus_cancellations (approval_id) where approval_id is not null;
comment on table bus_cancellations is
  'Cancellations. Written before the provider is asked, so that a cancelled seat is refunded even after a crash.';
comment on column bus_cancellations.request_id is 'The client''s own reference. Null when staff cancel.';
comment on column bus_cancellations.actor is 'The member of staff who cancelled. Null for the client.';
comment on column bus_cancellations.next_at is 'When the background job next asks the provider, if there is no result by then.';
comment on column bus_cancellations.approval_id is 'The approval of a cancellation that needed one.';
comment on column bus_cancellations.made_by is 'Who asked for that approval.';
comment on column bus_cancellations.asked_until is
  'Until then, by the database''s clock, a call to the provider may be in progress and nobody else makes one. Null: none is.';
comment on column bus_cancellations.asked_times is
  'Calls to the provider. A refusal of the first call is decisive; after a call without an answer, the seats may be cancelled.';
comment on column bus_cancellations.doubt is
  'Why the provider''s answers do not say whether the seats are cancelled, so that staff must decide. Null: no such answer so far.';
