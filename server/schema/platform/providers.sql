-- Providers, which carry orders out, and how orders are routed to them.

create table providers (
  provider text primary key check (provider ~ '^[a-z][a-z0-9-]{0,31}$'),
  connector text not null check (connector in ('simulator', 'description', 'corprail', 'plugin')),
  settings jsonb not null,
  secret_key_id text,
  secret bytea,
  enabled boolean not null default true,
  created_at timestamptz not null,
  version integer not null default 1,
  candidate_version integer,
  candidate_percent integer not null default 0 check (candidate_percent between 0 and 100),
  check ((secret_key_id is null) = (secret is null))
);
comment on table providers is 'Providers with the connector that talks to each of them.';
comment on column providers.settings is 'The connector''s configuration. Never holds a secret.';
comment on column providers.secret is 'The provider''s secrets as one JSON object, sealed with the master key secret_key_id.';

comment on column providers.version is 'The current version, whose settings these are.';
comment on column providers.candidate_version is 'A version that is tried beside the current one. Null: none.';
comment on column providers.candidate_percent is
  'The share of new orders that the candidate gets. 0: it only reads the answers of the current version again.';

create table provider_versions (
  provider text not null references providers,
  version integer not null check (version > 0),
  connector text not null,
  settings jsonb not null,
  created_at timestamptz not null,
  created_by text not null,
  reason text,
  retired_at timestamptz,
  compared bigint not null default 0,
  differing bigint not null default 0,
  secrets_changed_at timestamptz,
  primary key (provider, version)
);
comment on table provider_versions is
  'Every version of a provider''s settings, with its author. An order is finished by the version with which it was sent.';
comment on column provider_versions.retired_at is 'When it stopped being current or the candidate. Null: it is one of them.';
comment on column provider_versions.secrets_changed_at is
  'When a secret that it uses last changed, and with it perhaps our account at the provider. Null: never.';
comment on column provider_versions.compared is 'How many answers it read again as the candidate.';
comment on column provider_versions.differing is 'How many of them it read otherwise than the current version.';

create table provider_version_differences (
  difference_id text primary key,
  provider text not null,
  version integer not null,
  at timestamptz not null,
  operation text not null,
  reference text not null,
  fields jsonb not null,
  foreign key (provider, version) references provider_versions
);
create index provider_version_differences_of on provider_version_differences (provider, version, difference_id);
comment on table provider_version_differences is
  'Answers that a candidate reads otherwise than the current version. The service keeps the newest of each version.';
comment on column provider_version_differences.reference is 'Our reference of the order, as the provider knows it.';
comment on column provider_version_differences.fields is 'What each of both read, by field, where they differ.';

create table provider_routes (
  service text not null,
  operator text not null,
  provider text not null references providers,
  priority integer not null default 100 check (priority between 1 and 1000),
  weight integer not null default 100 check (weight between 1 and 1000),
  enabled boolean not null default true,
  primary key (service, operator, provider)
);
comment on table provider_routes is
  'Which provider serves which service and operator; * means any. Only the most specific rows count for an order.';

create table provider_state (
  state_id text primary key,
  provider text not null references providers,
  key_id text not null,
  sealed bytea not null,
  changed_at timestamptz not null
);
create index provider_state_of on provider_state (provider);
comment on table provider_state is 'Small values that connectors share between processes, such as login tokens.';
comment on column provider_state.state_id is 'The provider''s name, @ and the version, a slash and the value''s name.';
comment on column provider_state.sealed is 'The value, sealed with the master key key_id.';

create table refused_provider_callbacks (
  refusal_id text primary key,
  provider text not null,
  at timestamptz not null,
  reason text not null,
  authentic boolean not null,
  method text not null,
  source text not null,
  reference text,
  excerpt text not null
);
create index refused_provider_callbacks_of on refused_provider_callbacks (provider, authentic, refusal_id);
comment on table refused_provider_callbacks is
  'Messages that arrived at /upstream/{provider}/callback and were refused, so that staff can see why. Anybody can send them, so the service keeps few of them and cuts them short.';
comment on column refused_provider_callbacks.provider is '- where the path named no known provider.';
comment on column refused_provider_callbacks.authentic is 'The message was signed with the provider''s secret.';
comment on column refused_provider_callbacks.source is 'The sender''s address.';
comment on column refused_provider_callbacks.excerpt is 'The beginning of the message, with secrets masked.';

create table provider_balances (
  provider text primary key,
  balance bigint,
  at timestamptz,
  declined_at timestamptz,
  check ((balance is null) = (at is null))
);
comment on table provider_balances is 'The latest known balance of ours at each provider, from its answers and from balance queries.';
comment on column provider_balances.at is 'When the provider told the balance.';
comment on column provider_balances.declined_at is 'When the provider last declined an order because our balance was too low.';

create table provider_lists (
  provider text not null references providers,
  name text not null check (name in ('bills.billers', 'transfers.banks', 'bus.cities', 'aeps.banks', 'plans')),
  key text not null default '',
  value jsonb,
  items integer not null default 0,
  refreshed_at timestamptz,
  checked_at timestamptz,
  failure text,
  failing_since timestamptz,
  failures integer not null default 0,
  due_at timestamptz not null,
  accept_smaller boolean not null default false,
  leased_until timestamptz,
  primary key (provider, name, key),
  check ((value is null) = (refreshed_at is null)),
  check ((failure is null) = (failing_since is null))
);
comment on table provider_lists is
  'The last good version of each list that a provider has: billers, banks, cities and plans. Requests are answered from here.';
comment on column provider_lists.name is 'The operation that gives the list.';
comment on column provider_lists.key is 'What the list is for: operator/circle of plans; empty for lists that the provider has once.';
comment on column provider_lists.value is 'As the operation''s schema has it. Null until the provider has given it for the first time.';
comment on column provider_lists.refreshed_at is 'When the provider gave this value.';
comment on column provider_lists.checked_at is 'When the provider was last asked.';
comment on column provider_lists.failure is 'Why the last answer was not taken over. Null when it was.';
comment on column provider_lists.failures is 'Consecutive refreshes that failed; they lengthen the pause before the next.';
comment on column provider_lists.due_at is 'When the provider is asked next.';
comment on column provider_lists.accept_smaller is 'Staff asked to take the next answer over even when it is much smaller or empty.';
comment on column provider_lists.leased_until is 'Until then the process that set it is asking the provider, and no other one does.';

insert into providers (provider, connector, settings, created_at) values ('simulator', 'simulator', '{}', now());
insert into provider_versions (provider, version, connector, settings, created_at, created_by)
  values ('simulator', 1, 'simulator', '{}', now(), 'system');
insert into provider_routes (service, operator, provider) values ('*', '*', 'simulator');
