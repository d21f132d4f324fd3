-- Seats set aside, and the ticket that is made of them. Names and proofs of identity go to the provider and are not kept.
create table bus_blocks (
  account_id text not null,
  block_ref text not null,
  request_id text not null,
  provider text not null,
  trip_id text not null,
  operator text not null,
  mobile text not null,
  -- What a ticket shows and a cancellation is reckoned by, as it was when the seats were set aside.
  trip jsonb not null,
  departure_at timestamptz not null,
  partial_cancel boolean not null,
  -- Null until the provider has confirmed the seats.
  total bigint,
  fare_changed boolean not null default false,
  provider_ref text not null default '',
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Its one booking, whatever became of that.
  order_id text,
  ticket_no text,
  primary key (account_id, block_ref)
);
create unique index bus_blocks_order on bus_blocks (account_id, order_id) where order_id is not null;
create unique index bus_blocks_ticket on bus_blocks (account_id, ticket_no) where ticket_no is not null;

create table bus_block_seats (
  account_id text not null,
  block_ref text not null,
  seat text not null,
  fare bigint not null,
  -- The cancellation that has it; null while the passenger has it.
  cancel_id text,
  primary key (account_id, block_ref, seat)
);

-- Which block has a seat, whoever's it is. A claim counts while its block is held, or booked by an order that is not FAILED;
-- a row is never deleted, so that all who want a seat meet at it.
create table bus_seats (
  provider text not null,
  trip_id text not null,
  seat text not null,
  account_id text not null,
  block_ref text not null,
  primary key (provider, trip_id, seat)
);

create table bus_cancel_quotes (
  account_id text not null,
  ticket_no text not null,
  quote_ref text not null,
  seats text[] not null,
  refund bigint not null,
  charges bigint not null,
  valid_until timestamptz not null,
  primary key (account_id, ticket_no, quote_ref)
);

-- On record before the provider is asked, so that what it has cancelled is paid back even after a crash.
create table bus_cancellations (
  account_id text not null,
  cancel_id text not null,
  block_ref text not null,
  order_id text not null,
  -- The client's own; null when an operator cancels.
  request_id text,
  actor text,
  reason text not null,
  seats text[] not null,
  refund bigint not null,
  state text not null check (state in ('asked', 'done')),
  created_at timestamptz not null,
  primary key (account_id, cancel_id)
);
create index bus_cancellations_asked on bus_cancellations (account_id, block_ref) where state = 'asked';
