-- Bill payments: fetched bills and the orders that pay them.

create table bill_fetches (
  account_id text not null,
  fetch_ref text not null,
  request_id text not null,
  provider text not null,
  biller_id text not null,
  terms jsonb not null,
  params jsonb not null,
  target text not null,
  customer_mobile text not null,
  state text not null check (state in ('pending', 'SUCCESS', 'FAILED')),
  bills jsonb not null,
  min_amount bigint,
  max_amount bigint,
  reason text,
  provider_ref text not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  valid_until timestamptz not null,
  primary key (account_id, fetch_ref)
);
create unique index bill_fetches_request on bill_fetches (account_id, request_id);
create index bill_fetches_age on bill_fetches using brin (created_at) with (pages_per_range = 32, autosummarize = on);
comment on table bill_fetches is
  'Bills that were fetched from billers. Deleted CORPRAIL_UNUSED_DAYS after they expired, paid ones after CORPRAIL_EVIDENCE_DAYS.';
comment on column bill_fetches.provider is 'The provider that was asked, and is asked again while the fetch is pending.';
comment on column bill_fetches.terms is 'The biller''s terms at the time of the fetch: the quoted fee is the charged fee.';
comment on column bill_fetches.target is 'Value of the first required parameter.';
comment on column bill_fetches.provider_ref is 'The provider''s own id of the fetch, which the payment gets. Empty: it has none.';
comment on column bill_fetches.min_amount is 'Smallest amount that this bill accepts, where the provider states one.';
comment on column bill_fetches.max_amount is 'Largest amount that this bill accepts, where the provider states one.';

create table bill_payments (
  account_id text not null,
  order_id text not null,
  fetch_ref text,
  biller_id text not null,
  biller_name text not null,
  category text not null,
  bill_number text not null,
  customer_name text not null,
  due_date text not null,
  payment_mode text not null,
  primary key (account_id, order_id)
);
-- One payment per fetch, also after a failed one. Payments without a fetch do not conflict.
create unique index bill_payments_fetch on bill_payments (account_id, fetch_ref);
comment on table bill_payments is 'The bill that an order pays.';
comment on column bill_payments.fetch_ref is 'Null where the biller is paid without fetching a bill.';
