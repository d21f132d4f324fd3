-- Roll-ups of orders for the analytics pages. A background job keeps them; they can be rebuilt from orders.

create table order_rollups (
  account_id text not null,
  hour timestamptz not null,
  service text not null,
  operator text not null,
  circle text not null,
  provider text not null,
  state smallint not null check (state in (0, 1, 2, 3)),
  reason text not null,
  orders integer not null,
  amount bigint not null,
  latency integer[] not null,
  primary key (account_id, hour, service, operator, circle, provider, state, reason)
);
create index order_rollups_hours on order_rollups using brin (hour) with (pages_per_range = 32, autosummarize = on);
comment on table order_rollups is
  'Orders by account, hour of creation in India, and everything that analytics can filter by; also sums over all accounts.';
comment on column order_rollups.account_id is
  'An account, with a row for each hour, or with @ before it, for each day; or all live or sandbox accounts: *live and *test have a row for each day, #live and #test one for each hour.';
comment on column order_rollups.circle is 'Empty for orders without a circle.';
comment on column order_rollups.state is 'As orders.state; 3 is FAILED after SUCCESS.';
comment on column order_rollups.reason is 'Code of the failure; empty for orders that have not failed.';
comment on column order_rollups.amount is 'Sum of the amounts, without fees.';
comment on column order_rollups.latency is 'Orders by time to their final state: see the list of bounds in the reporting module.';

create table order_rollup_days (
  account_id text not null,
  day date not null,
  dimension text not null check (dimension in ('all', 'service', 'operator', 'circle', 'provider', 'reason')),
  name text not null,
  state smallint not null check (state in (0, 1, 2, 3)),
  orders integer not null,
  amount bigint not null,
  latency integer[] not null,
  primary key (account_id, dimension, day, name, state)
);
create index order_rollup_days_all on order_rollup_days (dimension, day);
comment on table order_rollup_days is
  'The sums of order_rollups by India day and one dimension at a time, so that long periods over all accounts are read fast.';
comment on column order_rollup_days.name is 'Value of the dimension; empty for all.';

create table order_rollup_changes (
  account_id text not null,
  order_id text not null,
  state smallint not null,
  attempt smallint not null,
  primary key (account_id, order_id, state, attempt)
);
comment on table order_rollup_changes is
  'Orders that changed so long after their creation that they may be rolled up already: their hours are counted again.';

create table order_rollup_position (
  singleton boolean primary key default true check (singleton),
  next_order_id text not null default ''
);
comment on table order_rollup_position is 'One row: orders with a smaller id are rolled up.';
insert into order_rollup_position default values;
