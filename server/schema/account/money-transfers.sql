-- Money transfer: senders, beneficiaries, account verification (penny drop) and quotes.

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
comment on table transfer_senders is 'People who send money.';

create table transfer_provider_senders (
  account_id text not null,
  mobile text not null,
  provider text not null,
  status text not null check (status in ('OTP_PENDING', 'VERIFIED', 'BLOCKED')),
  updated_at timestamptz not null,
  primary key (account_id, mobile, provider)
);
comment on table transfer_provider_senders is 'Which providers keep which senders. Only for providers that register senders themselves.';

create table transfer_beneficiaries (
  account_id text not null,
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
comment on table transfer_beneficiaries is
  'People who receive money. The bank account number is stored sealed for the provider, as a keyed digest to find it by, and masked to show.';
comment on column transfer_beneficiaries.beneficiary_id is 'Begins with its time of creation.';
comment on column transfer_beneficiaries.sender is 'Mobile number of the sender.';

create table transfer_provider_beneficiaries (
  account_id text not null,
  beneficiary_id text not null,
  provider text not null,
  beneficiary_ref text not null,
  status text not null check (status in ('OTP_PENDING', 'ACTIVE')),
  updated_at timestamptz not null,
  primary key (account_id, beneficiary_id, provider)
);
comment on table transfer_provider_beneficiaries is
  'Which providers keep which beneficiaries. Only for providers that register beneficiaries themselves.';
comment on column transfer_provider_beneficiaries.beneficiary_ref is 'The provider''s own identifier. May be empty.';

create table transfer_penny_drops (
  account_id text not null,
  order_id text not null,
  beneficiary_id text not null,
  archived_name text,
  primary key (account_id, order_id)
);
create index transfer_penny_drops_beneficiary on transfer_penny_drops (account_id, beneficiary_id, order_id);
comment on table transfer_penny_drops is
  'Which order verified which beneficiary''s bank account. The result is in order_results.';
comment on column transfer_penny_drops.archived_name is
  'The name at the bank, written when the month of a successful order leaves the database for the archive.';

create table transfer_quotes (
  account_id text not null,
  transfer_ref text not null,
  sender text not null,
  beneficiary_id text not null,
  mode text not null check (mode in ('IMPS', 'NEFT')),
  amount bigint not null check (amount > 0),
  amount_text text not null,
  fee bigint not null check (fee >= 0),
  provider text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  order_id text,
  used_month text check (used_month ~ '^[0-9]{4}-[0-9]{2}$'),
  primary key (account_id, transfer_ref),
  check ((order_id is null) = (used_month is null))
);
create unique index transfer_quotes_order on transfer_quotes (account_id, order_id) where order_id is not null;
create index transfer_quotes_used on transfer_quotes (account_id, sender, used_month) where order_id is not null;
create index transfer_quotes_age on transfer_quotes using brin (created_at) with (pages_per_range = 32, autosummarize = on);
comment on table transfer_quotes is
  'Quotes for money transfers. Each is good for one transfer. Unused ones are deleted CORPRAIL_UNUSED_DAYS after they expired.';
comment on column transfer_quotes.provider is
  'The provider that keeps sender and beneficiary or minted the one-time password. Null when any that needs no registration can send.';
comment on column transfer_quotes.order_id is 'The transfer that used the quote.';
comment on column transfer_quotes.used_month is 'The calendar month of India in which that transfer counts towards the sender''s limit.';
