-- The directory of accounts: settings, credentials, sandbox accounts.

create table accounts (
  account_id text primary key,
  name text not null,
  sandbox boolean not null,
  standing text not null default 'active' check (standing in ('active', 'paused', 'inactive')),
  kyc text not null default 'verified' check (kyc in ('verified', 'pending')),
  agreement text not null default 'signed' check (agreement in ('signed', 'pending')),
  wallet text not null default 'active' check (wallet in ('active', 'suspended')),
  signing_required boolean not null default false,
  money_per_minute integer not null default 600 check (money_per_minute between 1 and 1000000),
  get_per_minute integer not null default 300 check (get_per_minute between 1 and 1000000),
  daily_limit bigint check (daily_limit >= 0),
  services text[] not null default '{recharge}',
  allowlist text[] not null default '{}',
  callback_url text,
  complaint_callback_url text,
  callback_version smallint not null default 2 check (callback_version in (2, 3)),
  callbacks_paused boolean not null default false,
  log_bodies text not null default 'failures' check (log_bodies in ('none', 'failures', 'all')),
  closed_at timestamptz,
  callback_settings_version integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index accounts_newest on accounts (created_at, account_id);
comment on table accounts is 'Clients and their settings. A sandbox account is a row of its own.';
comment on column accounts.money_per_minute is 'Rate limit of requests that move money.';
comment on column accounts.get_per_minute is 'Rate limit of requests that only read.';
comment on column accounts.daily_limit is 'Most that recharges of one India day may add up to. Null: no limit.';
comment on column accounts.log_bodies is 'Which requests the API log keeps with their masked bodies.';
comment on column accounts.closed_at is 'A closed account stays closed; its history can be read.';
comment on column accounts.callback_settings_version is
  'Grows with every change of callback URL, version, token or secret. Waiting callbacks of an older value become due at once.';

create table credentials (
  account_id text not null references accounts,
  credential_id text not null,
  kind text not null check (kind in ('api_token', 'signing_secret', 'callback_secret')),
  key_id text not null,
  sealed bytea not null,
  digest bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  is_primary boolean not null default true,
  name text not null default '',
  scopes text[],
  read_only boolean not null default false,
  revoked_at timestamptz,
  primary key (account_id, credential_id),
  check (kind = 'api_token' or (is_primary and scopes is null and not read_only and revoked_at is null))
);
create unique index credentials_one_current on credentials (account_id, kind) where expires_at is null and is_primary;
create unique index credentials_digest on credentials (digest);
comment on table credentials is 'API tokens, signing secrets and callback secrets, sealed with the master key.';
comment on column credentials.key_id is 'The master key that seals the value.';
comment on column credentials.digest is 'Keyed digest. Only a token is looked up by it.';
comment on column credentials.expires_at is
  'Null while current. A replaced signing secret and an additional token work until this time.';
comment on column credentials.is_primary is
  'False for the additional tokens of an account. The current primary token is the key of version 2 callbacks.';
comment on column credentials.name is 'What the client calls a token. Empty for secrets.';
comment on column credentials.scopes is 'The scopes that a token is limited to. Null: no limit.';
comment on column credentials.read_only is 'Whether a token may make GET requests only.';
comment on column credentials.revoked_at is 'When an additional token was revoked.';

create table sandbox_accounts (
  account_id text primary key references accounts,
  sandbox_id text not null unique references accounts,
  created_at timestamptz not null,
  check (account_id <> sandbox_id)
);
comment on table sandbox_accounts is 'Which account has which sandbox account. Only the simulator serves a sandbox account.';
