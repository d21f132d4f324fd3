-- Mails about a low wallet balance.

create table low_balance_alerts (
  account_id text primary key references accounts,
  threshold bigint check (threshold > 0),
  emails text[] not null,
  below boolean not null,
  crossed_at timestamptz,
  pending_recipients text[] not null default '{}',
  send_attempts smallint not null default 0,
  next_attempt_at timestamptz not null,
  mailed_at timestamptz
);
create index low_balance_alerts_due on low_balance_alerts (next_attempt_at) where pending_recipients <> '{}';
comment on table low_balance_alerts is 'From which balance on a client wants a mail.';
comment on column low_balance_alerts.threshold is 'Null: the alert is off. Its row stays, so that switching it off and on allows no further mail.';
comment on column low_balance_alerts.below is 'The balance was below the threshold at the last check.';
comment on column low_balance_alerts.pending_recipients is 'Recipients of the last crossing who have not been sent their mail yet.';
comment on column low_balance_alerts.send_attempts is 'Failed attempts to send these mails.';
comment on column low_balance_alerts.mailed_at is 'When the last mail was first tried. The next one is sent an hour later at the earliest.';
