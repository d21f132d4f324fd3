-- What the services keep for the whole installation.

create table transfer_settings (
  singleton boolean primary key default true check (singleton),
  min_amount bigint not null default 1000000 check (min_amount > 0),
  max_amount bigint not null default 50000000,
  month_limit bigint not null default 250000000 check (month_limit >= 0),
  fee_basis_points bigint not null default 100 check (fee_basis_points between 0 and 10000),
  fee_least bigint not null default 100000 check (fee_least >= 0),
  penny_drop_fee bigint not null default 30000 check (penny_drop_fee >= 0),
  check (max_amount >= min_amount)
);
comment on table transfer_settings is 'One row: limits and fees of money transfers. Amounts are ten-thousandths of a rupee.';
comment on column transfer_settings.month_limit is 'Most that a sender may send in a calendar month of India.';
insert into transfer_settings default values;

create table bus_seat_holders (
  provider text not null,
  trip_id text not null,
  seat text not null,
  account_id text not null,
  block_ref text not null,
  departure_at timestamptz not null,
  claimed_at timestamptz,
  primary key (provider, trip_id, seat)
);
comment on table bus_seat_holders is
  'Which block of which account holds a seat; seats are contended by all accounts. A row counts while its block is held, or booked by an order that is not FAILED. Rows stay until CORPRAIL_UNUSED_DAYS after the departure, so that every request for a seat locks the same row.';

create table bus_trips (
  provider text not null,
  trip_id text not null,
  provider_trip_id text not null,
  from_city text not null,
  to_city text not null,
  day text not null,
  departure_at timestamptz not null,
  trip jsonb not null,
  primary key (provider, trip_id)
);
create index bus_trips_departed on bus_trips (departure_at);
comment on table bus_trips is
  'Trips that real providers have listed. Later requests name a trip by our trip_id alone. Deleted after the departure.';
comment on column bus_trips.day is 'The day of departure in India that was searched for.';

create table aeps_encryption_key (
  singleton boolean primary key default true check (singleton),
  key_id text not null,
  public_key text not null,
  secret_key_id text not null,
  secret bytea not null,
  created_at timestamptz not null
);
comment on table aeps_encryption_key is
  'One row: the public key that clients encrypt with, and, sealed, the private key and the key of the Aadhaar digests.';
comment on column bus_seat_holders.claimed_at is
  'With several cells: when the holder last claimed the seat. For a minute it counts as taken, because the block is written in another database.';
