-- Rate limits and nonces of the client API.

create table gate_budgets (
  account_id text not null,
  budget smallint not null,
  second bigint not null,
  total integer not null,
  counts integer[] not null,
  primary key (account_id, budget)
) with (fillfactor = 50);
comment on table gate_budgets is 'Requests of each account in the last minute, counted in sixty one-second slots.';
comment on column gate_budgets.budget is 'Which rate limit: each kind of request has its own.';
comment on column gate_budgets.second is 'Unix time of the latest slot.';
comment on column gate_budgets.total is 'Sum of the slots.';
comment on column gate_budgets.counts is 'Slot 1 + second % 60 counts the requests of that second.';

create table gate_nonces (
  account_id text not null,
  nonce text not null,
  expires_at bigint not null,
  primary key (account_id, nonce)
);
create index gate_nonces_expiry on gate_nonces (expires_at);
comment on table gate_nonces is 'Nonces of signed requests, so that none is accepted twice.';
comment on column gate_nonces.expires_at is 'Unix time after which the request''s timestamp is too old anyway.';
