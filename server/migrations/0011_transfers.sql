-- Money transfer: whose money it is, where it goes, what it may cost and how much of it.

-- One row. Amounts are ten-thousandths of a rupee, the fee's share is in hundredths of a percent.
create table transfer_settings (
  only_row boolean primary key default true check (only_row),
  min_amount bigint not null default 1000000 check (min_amount > 0),
  max_amount bigint not null default 50000000,
  -- What a sender may send in a month of India.
  month_limit bigint not null default 250000000 check (month_limit >= 0),
  fee_basis_points bigint not null default 100 check (fee_basis_points between 0 and 10000),
  fee_least bigint not null default 100000 check (fee_least >= 0),
  penny_drop_fee bigint not null default 30000 check (penny_drop_fee >= 0),
  check (max_amount >= min_amount)
);
insert into transfer_settings default values;

create table transfer_senders (
  account_id text not null,
  mobile text not null,
  first_name text not null,
  last_name text,
  pincode text not null,
  status text not null default 'OTP_PENDING' check (status in ('OTP_PENDING', 'VERIFIED', 'BLOCKED')),
  created_at timestamptz not null,
  primary key (account_id, mobile)
);

-- The clear account number is nowhere: sealed for the provider, a keyed digest to find it by, its end for people.
create table transfer_beneficiaries (
  account_id text not null,
  -- Begins with its time.
  beneficiary_id text not null,
  sender text not null,
  name text not null,
  mobile text,
  bank text not null,
  bank_name text not null,
  ifsc text not null,
  account_masked text not null,
  account_key_id text not null,
  account_sealed bytea not null,
  account_digest bytea not null,
  status text not null default 'OTP_PENDING' check (status in ('OTP_PENDING', 'ACTIVE', 'DELETED')),
  created_at timestamptz not null,
  primary key (account_id, beneficiary_id)
);
create unique index transfer_beneficiaries_account on transfer_beneficiaries (account_id, sender, account_digest, ifsc)
  where status <> 'DELETED';
create index transfer_beneficiaries_sender on transfer_beneficiaries (account_id, sender, beneficiary_id);
create index transfer_beneficiaries_key on transfer_beneficiaries (account_key_id);

-- Which order asked the bank about which beneficiary. What it told stands with the order.
create table transfer_penny_drops (
  account_id text not null,
  order_id text not null,
  beneficiary_id text not null,
  primary key (account_id, order_id)
);
create index transfer_penny_drops_beneficiary on transfer_penny_drops (account_id, beneficiary_id, order_id);

create table transfer_quotes (
  account_id text not null,
  transfer_ref text not null,
  sender text not null,
  beneficiary_id text not null,
  mode text not null check (mode in ('IMPS', 'NEFT')),
  amount bigint not null check (amount > 0),
  amount_text text not null,
  fee bigint not null check (fee >= 0),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Its transfer, once there is one, and the month of India in which it counts.
  order_id text,
  used_month text check (used_month ~ '^[0-9]{4}-[0-9]{2}$'),
  primary key (account_id, transfer_ref),
  check ((order_id is null) = (used_month is null))
);
create unique index transfer_quotes_order on transfer_quotes (account_id, order_id) where order_id is not null;
create index transfer_quotes_used on transfer_quotes (account_id, sender, used_month) where order_id is not null;

-- Whether a beneficiary's password can still be used is asked by what it opens.
create index one_time_passwords_subject on one_time_passwords (account_id, purpose, subject);
