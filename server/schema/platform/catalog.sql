-- The catalogue: services, operators, circles, number series and plans. catalog-data.sql fills it.

create table services (
  service text primary key,
  position integer not null,
  name text not null,
  transaction text not null,
  enabled boolean not null default true,
  opens_at text check (opens_at ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  closes_at text check (closes_at ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$')
);
comment on table services is 'Services that clients can use, with their opening hours in India time.';
comment on column services.transaction is 'What one transaction of the service is called in a sentence.';

create table operators (
  operator text primary key,
  position integer not null,
  name text not null,
  kind text not null,
  account_label text not null,
  account_pattern text not null,
  account_example text not null,
  min_amount bigint not null,
  max_amount bigint not null,
  denominations bigint[] not null default '{}',
  enabled boolean not null default true
);
create trigger account_pattern before insert or update of account_pattern on operators
  for each row execute function check_account_pattern();
comment on table operators is 'Telecom and DTH operators that can be recharged.';
comment on column operators.account_pattern is
  'Regular expression of a valid number. A trigger allows only patterns that no input can make slow.';
comment on column operators.denominations is 'The only amounts that the operator accepts. Empty: any amount within the limits.';

create table operator_aliases (
  alias text primary key,
  operator text not null references operators
);
comment on table operator_aliases is 'Other codes by which clients may name an operator.';

create table circles (
  circle text primary key check (circle ~ '^[A-Z]{2}$'),
  name text not null
);
comment on table circles is 'Telecom circles of India.';

create table number_series (
  prefix text primary key check (prefix ~ '^[6-9][0-9]{0,5}$'),
  operator text not null references operators,
  circle text not null references circles
);
comment on table number_series is
  'Which operator and circle a mobile number belongs to. The longest matching prefix decides; a prefix of one digit is the fallback.';

create table plans (
  operator text not null references operators,
  circle text not null,
  amount bigint not null check (amount > 0),
  category text not null,
  validity text not null,
  data text not null,
  talktime text not null,
  description text not null,
  primary key (operator, circle, amount, category)
);
comment on table plans is 'Recharge plans on sale.';
comment on column plans.circle is 'A circle, or * for a plan that is sold everywhere.';
