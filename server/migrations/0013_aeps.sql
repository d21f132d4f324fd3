-- AEPS. Aadhaar numbers are here as keyed digests and last four digits only; PID blocks are nowhere.

-- One row an installation: what clients encrypt with, and, sealed, what decrypts it and keys the digests.
create table aeps_key (
  only_one boolean primary key default true check (only_one),
  key_id text not null,
  public_key text not null,
  secret_key_id text not null,
  secret bytea not null,
  created_at timestamptz not null
);

create table aeps_outlets (
  account_id text not null,
  -- Begins with its time, so that the newest come last.
  outlet_id text not null,
  -- An ACTIVE one that was idle for too long reads REKYC_REQUIRED: that follows from last_used_at.
  state text not null check (state in ('OTP_PENDING', 'BIOMETRIC_PENDING', 'ACTIVE', 'SUSPENDED', 'REJECTED')),
  -- Why it was rejected or suspended.
  reason text not null default '',
  provider text not null,
  -- The provider's own name for it; null until the provider has taken it on.
  agent_code text,
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
  -- The one-time password that was sent last: none before it opens anything.
  otp_ref text,
  otp_sent_at timestamptz,
  daily_auth_until timestamptz,
  last_used_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, outlet_id)
);

create table aeps_authentications (
  account_id text not null,
  auth_ref text not null,
  outlet_id text not null,
  type text not null check (type in ('DAILY', 'TXN')),
  -- Of a TXN one: the bank it is good for.
  bank_iin text,
  person_digest bytea not null,
  valid_until timestamptz not null,
  -- The order that used a TXN one up.
  order_id text,
  primary key (account_id, auth_ref)
);
create index aeps_authentications_by_outlet on aeps_authentications (account_id, outlet_id, valid_until);

-- What an order of this service is about; the order itself knows the mobile, the bank and the money.
create table aeps_transactions (
  account_id text not null,
  order_id text not null,
  outlet_id text not null,
  call text not null,
  bank_name text not null,
  customer_digest bytea not null,
  customer_last4 text not null check (customer_last4 ~ '^[0-9]{4}$'),
  -- The India day.
  day date not null,
  primary key (account_id, order_id)
);
create index aeps_withdrawals_by_customer on aeps_transactions (account_id, outlet_id, customer_digest, day)
  where call = 'cash_withdrawal';
