-- Mails about a low wallet balance.

create table low_balance_alerts (
  account_id text primary key references accounts,
  threshold bigint not null check (threshold > 0),
  emails text[] not null,
  below boolean not null,
  crossed_at timestamptz,
  untold text[] not null default '{}',
  tries smallint not null default 0,
  next_try_at timestamptz not null
);
create index low_balance_untold on low_balance_alerts (next_try_at) where untold <> '{}';
comment on table low_balance_alerts is 'From which balance on a client wants a mail.';
comment on column low_balance_alerts.below is 'The balance was below the threshold at the last check.';
comment on column low_balance_alerts.untold is 'Recipients of the last crossing who have not been sent their mail yet.';
comment on column low_balance_alerts.tries is 'Failed attempts to send these mails.';
