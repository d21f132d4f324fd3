-- What was said between the service and a provider about an order.

create table provider_exchanges (
  account_id text not null,
  order_id text not null,
  exchange_id text not null,
  attempt smallint not null,
  provider text not null,
  operation text not null,
  at timestamptz not null,
  milliseconds integer not null,
  request text not null,
  reply text,
  problem text,
  primary key (account_id, order_id, exchange_id, at)
) partition by range (at);
create table provider_exchanges_default partition of provider_exchanges default;
comment on table provider_exchanges is
  'Requests to providers and their replies, as evidence of an attempt. Secrets and identities are masked before they are stored. Dropped by months, when a whole month is older than CORPRAIL_EVIDENCE_DAYS.';
comment on column provider_exchanges.exchange_id is 'Begins with its time.';
comment on column provider_exchanges.operation is 'The connector''s operation, such as bills.pay or bills.pay.status.';
comment on column provider_exchanges.at is 'When the request was begun.';
comment on column provider_exchanges.reply is 'Null: there was no reply; problem says why.';

create table order_provider_refs (
  account_id text not null,
  order_id text not null,
  attempt smallint not null,
  provider text not null,
  provider_ref text,
  cost bigint,
  balance bigint,
  at timestamptz not null,
  primary key (account_id, order_id, attempt)
) partition by range (order_id);
create table order_provider_refs_default partition of order_provider_refs default;
create index order_provider_refs_find on order_provider_refs (provider, provider_ref) where provider_ref is not null;
comment on table order_provider_refs is 'What a provider told of an attempt beside its outcome: the latest of each.';
comment on column order_provider_refs.provider_ref is 'The provider''s own id of the transaction. Status queries and callbacks use it.';
comment on column order_provider_refs.cost is 'What the provider charged us.';
comment on column order_provider_refs.balance is 'Our balance at the provider after the transaction.';
