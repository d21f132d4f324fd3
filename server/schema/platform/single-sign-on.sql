-- Single sign-on with OpenID Connect: identity providers, whose subjects are which users, and open sign-ins.

create table identity_providers (
  provider_id text primary key,
  realm text not null check (realm in ('portal', 'console')),
  account_id text,
  name text not null,
  issuer text not null,
  client_id text not null,
  key_id text,
  sealed bytea,
  role_claim text,
  role_map jsonb not null default '[]',
  default_role text,
  grants_manager boolean not null default false,
  creates_members boolean not null default false,
  second_factor text not null check (second_factor in ('local', 'provider')),
  enforced boolean not null default false,
  enabled boolean not null default true,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  changed_by text not null,
  changed_by_person text,
  check ((realm = 'portal') = (account_id is not null)),
  check ((key_id is null) = (sealed is null)),
  check (enabled or not enforced)
);
create unique index identity_providers_of_staff on identity_providers (realm) where account_id is null;
create unique index identity_providers_of_account on identity_providers (account_id) where account_id is not null;
comment on table identity_providers is 'OpenID Connect providers: at most one for staff and one for each account.';
comment on column identity_providers.sealed is 'The client secret, sealed with the master key. Null for a public client.';
comment on column identity_providers.role_claim is 'The claim that decides the role at every sign-in. Null: colleagues assign roles.';
comment on column identity_providers.role_map is 'Values of the claim and their roles, in order of precedence.';
comment on column identity_providers.default_role is 'The role without a matching value, and of new members without a claim. Null: refused.';
comment on column identity_providers.grants_manager is 'Whether a claim may make somebody an owner or an admin.';
comment on column identity_providers.creates_members is 'Whether a first sign-in creates the member without an invitation.';
comment on column identity_providers.second_factor is 'local: the second factor of this installation applies. provider: the provider''s.';
comment on column identity_providers.enforced is 'Members with an address of its domains cannot sign in with a password or passkey.';
comment on column identity_providers.changed_by_person is 'The person behind changed_by, where known.';

create table sign_on_domains (
  realm text not null check (realm in ('portal', 'console')),
  domain text not null,
  account_id text,
  primary key (realm, domain),
  check ((realm = 'portal') = (account_id is not null))
);
create index sign_on_domains_by_account on sign_on_domains (account_id, domain);
comment on table sign_on_domains is
  'Mail domains for which an identity provider may speak. A domain belongs to staff or to one account; staff assign those of accounts.';

create table user_identities (
  provider_id text not null references identity_providers on delete cascade,
  issuer text not null,
  subject text not null,
  user_id text not null references users,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  primary key (provider_id, issuer, subject),
  unique (user_id, provider_id, issuer)
);
comment on table user_identities is 'The subject of an identity provider that a user is bound to since the first sign-in through it.';

create table sign_on_requests (
  digest bytea primary key,
  realm text not null check (realm in ('portal', 'console')),
  provider_id text not null references identity_providers on delete cascade,
  session_id text references sessions on delete cascade,
  redirect_uri text not null,
  next_path text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index sign_on_requests_by_end on sign_on_requests (expires_at);
create index sign_on_requests_by_session on sign_on_requests (session_id) where session_id is not null;
comment on table sign_on_requests is
  'Browsers that are at an identity provider. State, nonce and code verifier are derived from the cookie''s token, whose digest this is.';
comment on column sign_on_requests.session_id is 'The session whose user confirms their identity. Null for a sign-in.';

create table used_logout_tokens (
  provider_id text not null references identity_providers on delete cascade,
  jti text not null,
  expires_at timestamptz not null,
  primary key (provider_id, jti)
);
create index used_logout_tokens_by_end on used_logout_tokens (expires_at);
comment on table used_logout_tokens is 'Back-channel logout tokens that were used, until they expire, so that none works twice.';
