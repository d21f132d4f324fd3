-- One person must not pass for two: at approvals, at sign-in, and in a client's account.

-- Approval settings. They apply while a threshold is set; until then nothing needs a second person.
alter table approval_rules
  alter column keys_included set default true,
  -- Fee and commission rules need approval.
  add column pricing_included boolean not null default true,
  -- New providers, and changes of a provider's description or secrets, need approval.
  add column providers_included boolean not null default true,
  -- For this long after one person let another in, neither of them can approve for the other.
  add column new_person_hours integer not null default 24 check (new_person_hours between 0 and 8760);
-- Keys stay excluded only where somebody has excluded them.
update approval_rules set keys_included = true
where not exists (
  select from audit_log
  where action = 'approval_rules.changed' and details::jsonb #>> '{changes,keys_included,to}' = 'false');

alter table approvals drop constraint approvals_kind_check;
alter table approvals add constraint approvals_kind_check check (kind in (
  'wallet', 'settle', 'reverse', 'refund', 'cancel', 'complaint_refund', 'rules', 'reconcile',
  'pricing', 'pricing_end', 'provider', 'provider_secret', 'operator_key'));

-- What a person did to an account without a second person, so that many small amounts count like one large one.
create table approval_acts (
  -- As approvals.maker_person: a key belongs to whoever made it.
  person text not null,
  -- The threshold that the amount counts towards.
  area text not null check (area in ('wallet', 'order')),
  -- Empty for an act on several accounts.
  account_id text not null,
  -- The same act again is counted once.
  about text not null,
  amount bigint not null check (amount >= 0),
  at timestamptz not null,
  primary key (person, area, about)
);
create index approval_acts_sum on approval_acts (person, area, account_id, at);
create index approval_acts_at on approval_acts (at);

-- One row per person, area and account, locked while an act is counted: of many at once each sees those before it.
create table approval_act_locks (
  person text not null,
  area text not null,
  account_id text not null,
  at timestamptz not null,
  primary key (person, area, account_id)
);

-- What an approval needs to be carried out and nobody may read, such as a provider's new secret. It goes when the approval ends.
create table approval_payloads (
  approval_id text primary key references approvals,
  key_id text not null,
  sealed bytea not null
);

-- Who gave a member of staff their access, and when: by an invitation, a role, enabling, or a reset second factor.
create table staff_ties (
  person text not null,
  by_person text not null,
  why text not null check (why in ('invited', 'role_changed', 'enabled', 'second_factor_reset')),
  at timestamptz not null
);
create index staff_ties_person on staff_ties (person, at);
create index staff_ties_by_person on staff_ties (by_person, at);

-- Whether two people are connected by ties made after a time, also through others.
create function are_tied(one text, other text, since timestamptz) returns boolean language sql stable as $$
  with recursive circle (person) as (
    select one
    union
    select case when t.person = c.person then t.by_person else t.person end
    from circle c join staff_ties t on c.person in (t.person, t.by_person)
    where t.at > since
  )
  select exists (select from circle where circle.person = other)
$$;

-- As before, and in addition: whoever approves has no recent tie to whoever asked.
create or replace function keep_approval() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then raise exception 'an approval stays on record'; end if;
  if (new.approval_id, new.kind, new.about, new.input, new.amount, new.account_id, new.order_id, new.made_by, new.maker_person,
      new.created_at, new.expires_at)
    is distinct from (old.approval_id, old.kind, old.about, old.input, old.amount, old.account_id, old.order_id, old.made_by,
      old.maker_person, old.created_at, old.expires_at)
    then raise exception 'what was asked for cannot change'; end if;
  if old.state = 'waiting' and new.state = 'approved' and new.maker_person <> new.checker_person and are_tied(new.maker_person, new.checker_person,
      new.decided_at - (select make_interval(hours => r.new_person_hours) from approval_rules r))
    then raise exception 'maker and checker of an approval have a recent tie'; end if;
  if old.state = 'waiting' and new.state in ('approved', 'rejected', 'withdrawn', 'expired') then return new; end if;
  if old.state <> 'approved' or new.state not in ('approved', 'done', 'failed')
    then raise exception 'an approval that is % cannot become %', old.state, new.state; end if;
  if (new.decided_by, new.checker_person, new.reason, new.decided_at)
    is distinct from (old.decided_by, old.checker_person, old.reason, old.decided_at)
    then raise exception 'an approval is decided once'; end if;
  if old.begun_at is not null and new.begun_at is distinct from old.begun_at
    then raise exception 'an approval is begun once'; end if;
  return new;
end $$;

-- Who stands behind an invitation: of one sent with a key, whoever made the key. The key may be gone when it is accepted.
alter table invitations add column inviter_person text;

-- A session that views a client's portal ends with the console session it was started from.
alter table sessions add column parent_session_id text references sessions on delete cascade;
create index sessions_by_parent on sessions (parent_session_id) where parent_session_id is not null;
alter table portal_views add column session_id text references sessions on delete cascade;
create index portal_views_by_session on portal_views (session_id);
-- Those of before have no such session, and end now.
delete from portal_views;
delete from sessions where view_account_id is not null;

-- Browsers that somebody has completed a sign-in from. Others' wrong passwords do not count against them.
create table known_devices (
  -- Of the cookie's token, which is nowhere else than in the browser.
  digest bytea not null,
  user_id text not null references users,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  primary key (digest, user_id)
);
create index known_devices_by_user on known_devices (user_id);
create index known_devices_by_use on known_devices (last_used_at);

-- Mails to a client's owners about changes that were not their own. A row goes when its mail was taken, or given up.
create table owner_notices (
  notice_id text primary key,
  -- The audit entry it tells of.
  seq bigint not null,
  account_id text not null references accounts,
  recipient text not null,
  subject text not null,
  body text not null,
  tries smallint not null default 0,
  next_try_at timestamptz not null,
  created_at timestamptz not null,
  unique (seq, recipient)
);
create index owner_notices_due on owner_notices (next_try_at);
-- Up to which entry of the audit log notices were written.
create table owner_notices_written (
  only_one boolean primary key default true check (only_one),
  seq bigint not null
);
insert into owner_notices_written (seq) select coalesce(max(seq), 0) from audit_log;
