-- Who carries out what clients ask for. Settings never hold a secret; secrets are one sealed JSON object.
create table providers (
  provider text primary key check (provider ~ '^[a-z][a-z0-9-]{0,31}$'),
  connector text not null check (connector in ('simulator', 'http-template', 'corprail')),
  settings jsonb not null,
  secret_key_id text,
  secret bytea,
  enabled boolean not null default true,
  created_at timestamptz not null,
  check ((secret_key_id is null) = (secret is null))
);

-- Which provider serves which operator; '*' is any. Only the most specific rows count for an order.
create table provider_routes (
  service text not null,
  operator text not null,
  provider text not null references providers,
  priority integer not null default 100 check (priority between 1 and 1000),
  weight integer not null default 100 check (weight between 1 and 1000),
  enabled boolean not null default true,
  primary key (service, operator, provider)
);

insert into providers (provider, connector, settings, created_at) values ('simulator', 'simulator', '{}', now());
insert into provider_routes (service, operator, provider) values ('*', '*', 'simulator');
