-- The status page: what staff write on it, and the measured states of the last days. At home only.

create table status_settings (
  singleton boolean primary key default true check (singleton),
  visibility text not null default 'clients' check (visibility in ('public', 'clients', 'off'))
);
comment on table status_settings is 'One row: who sees the status page.';
insert into status_settings default values;

create table status_events (
  event_id text primary key,
  kind text not null check (kind in ('incident', 'maintenance')),
  title text not null,
  components text[] not null,
  state text not null,
  starts_at timestamptz not null,
  ends_at timestamptz,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint status_events_state check (state in ('resolved', 'done', 'cancelled')
    or (kind = 'incident' and state in ('investigating', 'identified', 'monitoring'))
    or (kind = 'maintenance' and state in ('planned', 'in_progress'))),
  constraint status_events_planned check (kind = 'incident' or ends_at > starts_at)
);
create index status_events_newest on status_events (created_at, event_id);
comment on table status_events is 'Incidents and maintenance windows that staff announce.';
comment on column status_events.components is 'What it affects, such as service:bills or operator:AT.';
comment on column status_events.ends_at is 'The planned end of a maintenance window, or when an incident was resolved.';

create table status_updates (
  event_id text not null references status_events,
  update_id text primary key,
  state text not null,
  text text not null,
  written_by text not null,
  at timestamptz not null
);
create index status_updates_of_event on status_updates (event_id, at);
comment on table status_updates is 'What staff wrote about an incident or a maintenance window. Append only.';

create table status_days (
  component text not null,
  day date not null,
  samples integer not null default 0,
  degraded integer not null default 0,
  down integer not null default 0,
  primary key (component, day)
);
comment on table status_days is 'How often a component was measured on a day in India, and how often it was degraded or down.';

create table announcements (
  announcement_id text primary key,
  title text not null,
  text text not null,
  shown_from timestamptz not null,
  shown_until timestamptz,
  created_by text not null,
  created_at timestamptz not null,
  withdrawn_at timestamptz
);
create index announcements_newest on announcements (created_at, announcement_id);
comment on table announcements is 'Messages of the platform that the portal shows to every member.';

create table announcement_dismissals (
  user_id text not null,
  announcement_id text not null references announcements,
  at timestamptz not null,
  primary key (user_id, announcement_id)
);
comment on table announcement_dismissals is 'Which member does not want to see which announcement any more.';

create table status_subscriptions (
  subscription_id text primary key,
  user_id text unique references users,
  account_id text unique,
  url text,
  created_by text not null,
  created_at timestamptz not null,
  check ((user_id is null) = (account_id is not null)),
  check ((account_id is null) = (url is null))
);
comment on table status_subscriptions is 'Who is notified of incidents and maintenance: members by mail, and accounts by a webhook.';
comment on column status_subscriptions.url is 'Where a webhook is posted, signed with the account''s callback secret. Null for mail.';

create table status_notices (
  update_id text not null references status_updates,
  subscription_id text not null references status_subscriptions on delete cascade,
  attempts smallint not null default 0,
  next_attempt_at timestamptz not null,
  primary key (update_id, subscription_id)
);
create index status_notices_due on status_notices (next_attempt_at);
create index status_notices_of_subscription on status_notices (subscription_id);
comment on table status_notices is 'Updates that subscribers still have to be sent. A row is deleted when it was delivered or given up.';
