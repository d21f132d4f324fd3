-- Sign-in of portal users and staff, operator keys, and mails about changes of access.

create table operator_keys (
  key_id text primary key,
  name text not null,
  digest bytea not null unique,
  created_at timestamptz not null,
  created_by text,
  role text check (role in ('admin', 'finance', 'operations', 'support', 'auditor')),
  expires_at timestamptz,
  source_addresses text[] not null default '{}',
  last_used_at timestamptz,
  last_used_from text
);
comment on table operator_keys is 'Keys of the operator API, as digests.';
comment on column operator_keys.role is 'The key may make the calls of this staff role. Null: every call.';
comment on column operator_keys.expires_at is 'From this time on the key is refused. Null: never.';
comment on column operator_keys.source_addresses is 'Addresses and CIDR ranges from which the key works. Empty: from everywhere.';
comment on column operator_keys.last_used_at is 'Time of the last accepted request, at most a minute old. Null: never used.';
comment on column operator_keys.created_by is
  'The person who made the key and who counts as the actor for four-eyes approval. Null for the key that the first start creates.';

create table users (
  user_id text primary key,
  realm text not null check (realm in ('portal', 'console')),
  account_id text,
  email text not null,
  name text not null,
  role text not null,
  language text check (language ~ '^[a-z]{2,3}$'),
  password_hash text,
  disabled_at timestamptz,
  break_glass boolean not null default false,
  break_glass_used_at timestamptz,
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
comment on table users is 'Portal users of clients, and staff, who use the console.';
comment on column users.account_id is 'The client''s account. Null for staff.';
comment on column users.email is 'In lower case.';
comment on column users.language is
  'The language of the portal and of mails that the user chose, as an ISO 639 code. Null: none was chosen.';
comment on column users.password_hash is 'argon2id, with its parameters. Null: the user has only signed in through an identity provider.';
comment on column users.break_glass is
  'The user signs in with a password even where single sign-on is enforced, for the time when the identity provider fails.';
comment on column users.break_glass_used_at is 'When the user last signed in so.';
create index users_break_glass on users (break_glass_used_at) where break_glass_used_at is not null;

create table invitations (
  invitation_id text primary key,
  realm text not null check (realm in ('portal', 'console')),
  account_id text,
  email text not null,
  role text not null,
  digest bytea not null unique,
  invited_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  inviter_person text
);
create index invitations_open on invitations (account_id, created_at) where ended_at is null;
create index invitations_of_staff on invitations (created_at) where account_id is null and ended_at is null;
comment on table invitations is 'Links that create a user. Each works once; only the digest of its token is stored.';
comment on column invitations.ended_at is 'When it was used or revoked.';
comment on column invitations.inviter_person is
  'The person behind invited_by: for an operator key, the person who made the key, which may be gone when the invitation is accepted.';

create table password_resets (
  digest bytea primary key,
  user_id text not null references users,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index password_resets_by_user on password_resets (user_id);
comment on table password_resets is 'Open links that set a new password, as digests of their tokens.';

create table sessions (
  session_id text primary key,
  digest bytea not null unique,
  user_id text not null references users,
  stage text not null check (stage in ('half', 'enrol', 'full')),
  proved_at timestamptz not null,
  address text not null,
  user_agent text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  view_account_id text,
  parent_session_id text references sessions on delete cascade,
  identity_provider_id text,
  identity_subject text,
  identity_session_id text
);
create index sessions_by_user on sessions (user_id);
create index sessions_by_end on sessions (expires_at);
create index sessions_by_identity on sessions (identity_provider_id, identity_subject) where identity_provider_id is not null;
create index sessions_by_parent on sessions (parent_session_id) where parent_session_id is not null;
comment on table sessions is 'Browser sessions. Only the digest of the cookie''s token is stored.';
comment on column sessions.stage is
  'half: the password was right, the second factor is missing. enrol: a second factor must be set up first. full: signed in.';
comment on column sessions.proved_at is 'When the user last proved who they are; sensitive actions need a recent proof.';
comment on column sessions.view_account_id is
  'The account whose portal a member of staff views read-only. Such a session cannot use the console.';
comment on column sessions.parent_session_id is 'The console session that such a portal view was started from, and ends with.';
comment on column sessions.identity_provider_id is 'The identity provider that signed the user in. Null for a password or a passkey.';
comment on column sessions.identity_subject is 'The user''s identifier at the provider (sub).';
comment on column sessions.identity_session_id is 'The provider''s session (sid), if its ID token named one.';

create table portal_view_links (
  digest bytea primary key,
  user_id text not null references users,
  account_id text not null,
  expires_at timestamptz not null,
  session_id text references sessions on delete cascade
);
create index portal_view_links_by_end on portal_view_links (expires_at);
create index portal_view_links_by_session on portal_view_links (session_id);
comment on table portal_view_links is
  'Links from the console to a client''s portal. Each works once within a minute; only the digest of its token is stored.';

create table user_totps (
  user_id text primary key references users,
  key_id text not null,
  sealed bytea not null,
  confirmed_at timestamptz,
  last_step bigint not null default 0,
  created_at timestamptz not null
);
comment on table user_totps is 'Secrets of authenticator apps (TOTP), sealed with the master key.';
comment on column user_totps.confirmed_at is 'Null until the first correct code.';
comment on column user_totps.last_step is 'Time step of the last accepted code. Codes of this step and earlier ones are refused.';

create table recovery_codes (
  user_id text not null references users,
  digest bytea not null,
  primary key (user_id, digest)
);
comment on table recovery_codes is 'Unused recovery codes, as digests. Using a code deletes its row.';

create table passkeys (
  passkey_id text primary key,
  user_id text not null references users,
  name text not null,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_by_user on passkeys (user_id);
comment on table passkeys is 'WebAuthn credentials of users.';
comment on column passkeys.credential_id is 'The authenticator''s identifier, base64url.';

create table passkey_challenges (
  challenge text primary key,
  realm text not null check (realm in ('portal', 'console')),
  purpose text not null check (purpose in ('register', 'sign_in', 'prove')),
  user_id text references users,
  expires_at timestamptz not null
);
create index passkey_challenges_by_end on passkey_challenges (expires_at);
comment on table passkey_challenges is 'WebAuthn challenges that wait for a signature. Using one deletes its row.';
comment on column passkey_challenges.user_id is 'Null for a sign-in, where the user is not known yet.';

create table sign_in_attempts (
  scope text not null,
  key bytea not null,
  count integer not null,
  window_started_at timestamptz not null,
  primary key (scope, key)
);
create index sign_in_attempts_by_window on sign_in_attempts (window_started_at);
comment on table sign_in_attempts is 'Failed sign-in attempts in the current time window, for all processes.';
comment on column sign_in_attempts.key is 'Digest of the e-mail, address or user that the attempts are counted by.';
comment on column sign_in_attempts.window_started_at is 'Start of the window.';

create table known_devices (
  digest bytea not null,
  user_id text not null references users,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  primary key (digest, user_id)
);
create index known_devices_by_user on known_devices (user_id);
create index known_devices_by_use on known_devices (last_used_at);
comment on table known_devices is
  'Browsers from which a user has completed a sign-in. Wrong passwords sent from elsewhere do not lock the user out there.';
comment on column known_devices.digest is 'Digest of the token in the browser''s cookie.';

create table staff_access_grants (
  person text not null,
  granted_by text not null,
  how text not null check (how in ('invited', 'role_changed', 'enabled', 'second_factor_reset', 'single_sign_on')),
  at timestamptz not null
);
create index staff_access_grants_person on staff_access_grants (person, at);
create index staff_access_grants_granted_by on staff_access_grants (granted_by, at);
comment on table staff_access_grants is
  'Who gave a member of staff their access, how and when. Two people with a recent link cannot approve for each other. Append only.';

create table owner_notices (
  notice_id text primary key,
  seq bigint not null,
  account_id text not null,
  recipient text not null,
  subject text not null,
  body text not null,
  send_attempts smallint not null default 0,
  next_attempt_at timestamptz not null,
  created_at timestamptz not null,
  unique (seq, recipient)
);
create index owner_notices_due on owner_notices (next_attempt_at);
comment on table owner_notices is
  'Mails to the owners of an account about changes that somebody else made. A row is deleted when its mail was sent or given up.';
comment on column owner_notices.seq is 'The audit_log entry that the mail is about.';

create table owner_notice_cursor (
  singleton boolean primary key default true check (singleton),
  seq bigint not null
);
comment on table owner_notice_cursor is 'One row: the last audit_log entry for which owner_notices were written.';
insert into owner_notice_cursor (seq) values (0);
