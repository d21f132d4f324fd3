-- Who signs in: clients at the portal, and the operator's staff at the console.
create table users (
  user_id text primary key,
  realm text not null check (realm in ('portal', 'console')),
  -- The account whose portal they see; staff have none.
  account_id text references accounts,
  -- Lower case, as it is compared.
  email text not null,
  name text not null,
  role text not null,
  -- argon2id, with its parameters.
  password_hash text not null,
  disabled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((realm = 'portal') = (account_id is not null)),
  check (
    (realm = 'portal' and role in ('owner', 'developer', 'operations', 'read_only'))
    or (realm = 'console' and role in ('admin', 'finance', 'operations', 'support', 'auditor'))
  )
);
create unique index users_email on users (realm, email);
create index users_by_account on users (account_id, user_id);

-- A link that works once. Only the digest of its token is kept.
create table invitations (
  invitation_id text primary key,
  realm text not null check (realm in ('portal', 'console')),
  account_id text references accounts,
  email text not null,
  role text not null,
  digest bytea not null unique,
  invited_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Used, or taken back: either way it is over.
  ended_at timestamptz
);
create index invitations_open on invitations (account_id, created_at) where ended_at is null;

create table password_resets (
  digest bytea primary key,
  user_id text not null references users,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index password_resets_by_user on password_resets (user_id);

create table sessions (
  session_id text primary key,
  -- Of the cookie's token, which is nowhere else than in the browser.
  digest bytea not null unique,
  user_id text not null references users,
  -- half: the password was right, the second factor is owed.
  stage text not null check (stage in ('half', 'full')),
  proved_at timestamptz not null,
  address text not null,
  user_agent text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_by_user on sessions (user_id);
create index sessions_by_end on sessions (expires_at);

create table user_totps (
  user_id text primary key references users,
  key_id text not null,
  sealed bytea not null,
  -- Null until the first code was right.
  confirmed_at timestamptz,
  -- A code is accepted once: neither this step's nor an earlier one's again.
  last_step bigint not null default 0,
  created_at timestamptz not null
);

-- A row goes when its code is used.
create table recovery_codes (
  user_id text not null references users,
  digest bytea not null,
  primary key (user_id, digest)
);

create table passkeys (
  passkey_id text primary key,
  user_id text not null references users,
  name text not null,
  -- The authenticator's own name for it, base64url.
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_by_user on passkeys (user_id);

-- What an authenticator must sign: once, and soon. A row goes when it is used.
create table passkey_challenges (
  challenge text primary key,
  realm text not null check (realm in ('portal', 'console')),
  purpose text not null check (purpose in ('register', 'sign_in', 'prove')),
  -- Null when nobody has said yet who they are.
  user_id text references users,
  expires_at timestamptz not null
);
create index passkey_challenges_by_end on passkey_challenges (expires_at);

-- Wrong tries by digest of e-mail, address or user, counted in windows, for all processes.
create table tries (
  scope text not null,
  key bytea not null,
  count integer not null,
  began_at timestamptz not null,
  primary key (scope, key)
);
create index tries_by_begin on tries (began_at);

-- What a portal shows of the audit log: entries about its people, and whatever its people did.
create index audit_log_people on audit_log ((details::jsonb ->> 'account_id'), seq) where subject_kind = 'portal_user';
create index audit_log_actor on audit_log (actor, seq);
