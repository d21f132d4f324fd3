-- What the services that are signed share.

-- What a provider told of an order beside its reference: the service's own part of the reply is made of it.
create table order_results (
  account_id text not null,
  order_id text not null,
  result jsonb not null,
  primary key (account_id, order_id)
);

-- References of calls that make no order: a repeat finds the record that the first one made.
create table call_references (
  account_id text not null,
  -- The path, without its prefix.
  call text not null,
  request_id text not null,
  fingerprint text not null,
  record text not null,
  created_at timestamptz not null,
  primary key (account_id, call, request_id)
);

-- One-time passwords, as keyed digests. Three wrong tries spend one.
create table one_time_passwords (
  account_id text not null,
  otp_ref text not null,
  -- What it opens, and for whom: one made for something else opens nothing here.
  purpose text not null,
  subject text not null,
  mobile text not null,
  code_digest bytea not null,
  wrong_tries smallint not null default 0,
  used_at timestamptz,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (account_id, otp_ref)
);
