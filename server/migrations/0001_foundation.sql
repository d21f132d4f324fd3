-- One row: what this installation is.
create table installation (
  singleton boolean primary key default true check (singleton),
  installation_id text not null,
  created_at timestamptz not null,
  -- Where the key file was when secrets were last sealed: a path, so that a second process of this machine finds it.
  master_key_file text not null,
  master_key_id text not null
);

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
  -- Once closed it stays so; its history can be read.
  closed_at timestamptz,
  -- Grows with every change of URL, version, token or secret: what waits is then due at once.
  callback_epoch integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index accounts_newest on accounts (created_at, account_id);

-- Tokens and secrets, sealed. Only a token is looked up, by its keyed digest.
create table credentials (
  account_id text not null references accounts,
  credential_id text not null,
  kind text not null check (kind in ('api_token', 'signing_secret', 'callback_secret')),
  key_id text not null,
  sealed bytea not null,
  digest bytea not null,
  created_at timestamptz not null,
  -- Null while current; a replaced signing secret works until then.
  expires_at timestamptz,
  primary key (account_id, credential_id)
);
create unique index credentials_one_current on credentials (account_id, kind) where expires_at is null;
create unique index credentials_digest on credentials (digest);

create table operator_keys (
  key_id text primary key,
  name text not null,
  digest bytea not null unique,
  created_at timestamptz not null
);

-- Append only: the application may insert and read, nothing else. Its gapless order is the order of commits,
-- because the head row is locked until then; so it is also the feed from which processes refresh their settings.
create table audit_log (
  seq bigint primary key,
  at timestamptz not null,
  actor text not null,
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  details text not null,
  previous_hash bytea not null,
  hash bytea not null
);
create index audit_log_subject on audit_log (subject_kind, subject_id, seq);

create table audit_head (
  singleton boolean primary key default true check (singleton),
  seq bigint not null,
  hash bytea not null
);
insert into audit_head (seq, hash) values (0, '\x');

-- A service brings its own row in the migration that makes its tables.
create table services (
  service text primary key,
  position integer not null,
  name text not null,
  -- What one of its transactions is called in a sentence.
  transaction text not null,
  enabled boolean not null default true,
  opens_at text check (opens_at ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  closes_at text check (closes_at ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$')
);

create table operators (
  operator text primary key,
  position integer not null,
  name text not null,
  kind text not null,
  account_label text not null,
  account_pattern text not null,
  account_example text not null,
  min_amount bigint not null,
  max_amount bigint not null,
  denominations bigint[] not null default '{}',
  enabled boolean not null default true
);

create table operator_aliases (
  alias text primary key,
  operator text not null references operators
);
