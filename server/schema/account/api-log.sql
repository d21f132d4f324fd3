-- The log of client API requests, and when credentials and addresses were last used.

create table api_calls (
  account_id text not null,
  at timestamptz not null,
  request_id text not null,
  method text not null,
  path text not null,
  status smallint not null,
  error text,
  code integer,
  milliseconds real not null,
  address text not null,
  reference text,
  order_id text,
  signed text not null,
  credential_id text,
  times integer not null,
  token_id text,
  request_body text,
  reply_body text,
  primary key (account_id, at, request_id)
) partition by range (at);
-- Partitioned by day. Unlogged, so that writing it costs no WAL (docs/decisions/0010); the days are made like this one.
create unlogged table api_calls_default partition of api_calls default
  with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.2);
create index api_calls_errors on api_calls (account_id, at) where error is not null;
-- Rows are written in the order of their time, so that this index is small and costs hardly anything.
create index api_calls_times on api_calls using brin (at) with (pages_per_range = 32, autosummarize = on);
comment on table api_calls is 'Log of client API requests, to help with integration. Not history: it is empty after a crash of PostgreSQL.';
comment on column api_calls.path is 'The path of the route, without the values of its parameters.';
comment on column api_calls.signed is 'How the request was signed: none, secret, old_secret or token.';
comment on column api_calls.token_id is 'The API token of the request.';
comment on column api_calls.request_body is
  'The body of a POST or the query of a GET, masked and shortened. Null where the account does not keep it.';
comment on column api_calls.reply_body is 'The reply, masked and shortened.';
comment on column api_calls.times is 'More than 1 where many equal refusals are stored as one row.';

create unlogged table api_refused_signatures (
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
comment on table api_refused_signatures is
  'What the service computed for a signature that it refused; the latest few per account. Holds no secret.';

create table api_usage (
  account_id text not null,
  kind text not null,
  subject text not null,
  last_at timestamptz not null,
  last_address text not null,
  calls bigint not null,
  primary key (account_id, kind, subject)
) with (fillfactor = 50);
comment on table api_usage is 'When each token, secret and allowlist entry was last used, and which other addresses were refused.';
comment on column api_usage.kind is 'token, secret, entry (of the allowlist) or refused (an address that is not on it).';
comment on column api_usage.subject is 'The id of the token or secret, the allowlist entry or the address.';

create table api_signed_calls (
  account_id text not null,
  credential_id text not null,
  hour timestamptz not null,
  calls bigint not null,
  primary key (account_id, credential_id, hour)
) with (fillfactor = 50);
comment on table api_signed_calls is 'Signed requests per signing secret and hour.';
