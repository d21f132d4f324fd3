-- Bill payments: what was fetched, and what an order has paid.

create table bill_fetches (
  account_id text not null,
  fetch_ref text not null,
  request_id text not null,
  -- Who was asked, and is asked again while it is pending.
  provider text not null,
  biller_id text not null,
  -- The biller's terms as they were: what was quoted is what is charged.
  terms jsonb not null,
  params jsonb not null,
  -- The first required parameter.
  target text not null,
  customer_mobile text not null,
  state text not null check (state in ('pending', 'SUCCESS', 'FAILED')),
  bills jsonb not null,
  -- What this bill takes, where the provider says so.
  least bigint,
  most bigint,
  reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  valid_until timestamptz not null,
  primary key (account_id, fetch_ref)
);

create unique index bill_fetches_request on bill_fetches (account_id, request_id);

create table bill_payments (
  account_id text not null,
  order_id text not null,
  -- Null where the biller is paid directly.
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

-- One payment for one fetch, whatever became of it; those without a fetch do not count.
create unique index bill_payments_fetch on bill_payments (account_id, fetch_ref);
