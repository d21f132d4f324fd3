-- Fees and commissions that the platform has agreed with its clients.

create table pricing_rules (
  rule_id text primary key,
  account_id text,
  service text,
  operator text,
  fee_flat bigint not null check (fee_flat >= 0),
  fee_basis_points integer not null check (fee_basis_points between 0 and 10000),
  fee_min bigint check (fee_min > 0),
  fee_max bigint check (fee_max > 0),
  commission_flat bigint not null check (commission_flat >= 0),
  commission_basis_points integer not null check (commission_basis_points between 0 and 10000),
  commission_min bigint check (commission_min > 0),
  commission_max bigint check (commission_max > 0),
  valid_from timestamptz not null,
  ended_at timestamptz,
  reason text not null,
  created_by text not null,
  created_at timestamptz not null,
  ended_by text,
  check (operator is null or service is not null),
  check (fee_min <= fee_max),
  check (commission_min <= commission_max)
);
create index pricing_rules_scope on pricing_rules (account_id, service, operator, valid_from);
comment on table pricing_rules is
  'What an order costs beside its amount, and what it earns. A rule applies to an account or all, a service or all, an operator of that service or all. The most specific rule decides alone; among equals the one that began last. Only the end of a rule ever changes.';
comment on column pricing_rules.rule_id is 'Begins with its time of creation.';
comment on column pricing_rules.ended_at is
  'Set by staff. A rule that ends before it begins was withdrawn, and the rule before it continues.';
