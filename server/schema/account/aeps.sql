-- AEPS. Aadhaar numbers are stored as keyed digests and last four digits only; PID blocks are never stored.

create table aeps_outlets (
  account_id text not null,
  outlet_id text not null,
  state text not null check (state in ('OTP_PENDING', 'BIOMETRIC_PENDING', 'ACTIVE', 'SUSPENDED', 'REJECTED')),
  reason text not null default '',
  provider text not null,
  agent_code text,
  onboarding_url text,
  mobile text not null,
  email text not null,
  first_name text not null,
  last_name text not null,
  shop_name text not null,
  shop_type text not null,
  pan_masked text not null,
  aadhaar_last4 text not null check (aadhaar_last4 ~ '^[0-9]{4}$'),
  owner_digest bytea not null,
  address jsonb not null,
  bank_account_masked text not null,
  ifsc text not null,
  device_model text not null,
  device_serial text not null,
  latitude text not null,
  longitude text not null,
  otp_ref text,
  otp_sent_at timestamptz,
  daily_auth_until timestamptz,
  wrong_owner_day date,
  wrong_owner_count smallint not null default 0,
  last_used_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, outlet_id)
);
comment on table aeps_outlets is 'Shops that offer AEPS.';
comment on column aeps_outlets.outlet_id is 'Begins with its time of creation.';
comment on column aeps_outlets.state is
  'An ACTIVE outlet that was idle for too long is shown as REKYC_REQUIRED, which follows from last_used_at.';
comment on column aeps_outlets.reason is 'Why it was rejected or suspended.';
comment on column aeps_outlets.agent_code is 'The provider''s identifier of the outlet. Null until the provider has registered it.';
comment on column aeps_outlets.onboarding_url is 'The provider''s web page on which the owner completes the registration.';
comment on column aeps_outlets.owner_digest is 'Keyed digest of the owner''s Aadhaar number.';
comment on column aeps_outlets.wrong_owner_day is 'The last day in India with an authentication of the owner that was asked for.';
comment on column aeps_outlets.wrong_owner_count is 'How often on that day the Aadhaar number was not the owner''s.';
comment on column aeps_outlets.otp_ref is 'The latest one-time password. Earlier ones are no longer valid.';

create table aeps_authentications (
  account_id text not null,
  auth_ref text not null,
  outlet_id text not null,
  type text not null check (type in ('DAILY', 'TXN')),
  bank_iin text,
  person_digest bytea not null,
  valid_until timestamptz not null,
  order_id text,
  provider_auth_ref text not null default '',
  primary key (account_id, auth_ref)
);
create index aeps_authentications_by_outlet on aeps_authentications (account_id, outlet_id, valid_until);
comment on table aeps_authentications is 'Biometric authentications of the outlet''s owner.';
comment on column aeps_authentications.bank_iin is 'The bank that an authentication of type TXN is valid for.';
comment on column aeps_authentications.person_digest is 'Keyed digest of the Aadhaar number.';
comment on column aeps_authentications.order_id is 'The order that used an authentication of type TXN.';
comment on column aeps_authentications.provider_auth_ref is 'The provider''s own reference, which it wants with the transaction. Empty when it has none.';

create table aeps_transactions (
  account_id text not null,
  order_id text not null,
  outlet_id text not null,
  operation text not null,
  bank_name text not null,
  customer_digest bytea not null,
  customer_last4 text not null check (customer_last4 ~ '^[0-9]{4}$'),
  day date not null,
  primary key (account_id, order_id)
);
create index aeps_withdrawals_by_customer on aeps_transactions (account_id, outlet_id, customer_digest, day)
  where operation = 'cash_withdrawal';
comment on table aeps_transactions is 'What orders of this service add to the order: outlet, operation and customer.';
comment on column aeps_transactions.day is 'In India time.';
