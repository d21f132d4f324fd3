-- Rate limits and nonces of the client API.

create table rate_limit_windows (
  account_id text not null,
  budget smallint not null,
  second bigint not null,
  total integer not null,
  counts integer[] not null,
  primary key (account_id, budget)
) with (fillfactor = 50);
comment on table rate_limit_windows is 'Requests of each account in the last minute, counted in sixty one-second slots.';
comment on column rate_limit_windows.budget is 'Which rate limit: each kind of request has its own.';
comment on column rate_limit_windows.second is 'Unix time of the latest slot.';
comment on column rate_limit_windows.total is 'Sum of the slots.';
comment on column rate_limit_windows.counts is 'Slot 1 + second % 60 counts the requests of that second.';

create table request_nonces (
  account_id text not null,
  nonce text not null,
  expires_at bigint not null,
  primary key (account_id, nonce)
);
create index request_nonces_expiry on request_nonces (expires_at);
comment on table request_nonces is 'Nonces of signed requests, so that none is accepted twice.';
comment on column request_nonces.expires_at is 'Unix time after which the request''s timestamp is too old anyway.';
