-- The log of client API calls. It is a help for those who look at it, not history: unlogged, so that writing it costs no WAL
-- (docs/decisions/0010). After a crash of PostgreSQL it is empty.
create unlogged table api_calls (
  account_id text not null,
  at timestamptz not null,
  request_id text not null,
  method text not null,
  -- The route's, not what was written in its place.
  path text not null,
  status smallint not null,
  error text,
  code integer,
  milliseconds real not null,
  address text not null,
  reference text,
  order_id text,
  -- none, secret, old_secret, token
  signed text not null,
  credential_id text,
  -- More than one where a flood of the same refusal stands in one row.
  times integer not null,
  primary key (account_id, at, request_id)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.2);
create index api_calls_errors on api_calls (account_id, at) where error is not null;

-- What the service computed for a signature that it refused; the latest few of an account. Nothing here is secret.
create unlogged table refused_signatures (
  account_id text not null,
  at timestamptz not null,
  request_id text not null,
  method text not null,
  path text not null,
  canonical_query text not null,
  body_sha256 text not null,
  timestamp text not null,
  nonce text not null,
  reason text not null,
  primary key (account_id, at, request_id)
);

-- What was last used, by whom: one row for what is asked about, whatever the number of calls.
create table call_usage (
  account_id text not null,
  -- token; secret (by its id); entry (of the allowlist); refused (an address that is not on it)
  kind text not null,
  subject text not null,
  last_at timestamptz not null,
  last_address text not null,
  calls bigint not null,
  primary key (account_id, kind, subject)
) with (fillfactor = 50);

create table signed_calls (
  account_id text not null,
  credential_id text not null,
  hour timestamptz not null,
  calls bigint not null,
  primary key (account_id, credential_id, hour)
) with (fillfactor = 50);

-- The last signed version 3 test of an account, and the callback settings that it was made with.
create table callback_tests (
  account_id text primary key references accounts,
  epoch integer not null,
  at timestamptz not null,
  http_status integer,
  -- Null for a delivery.
  error text
);
