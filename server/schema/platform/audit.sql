-- The audit log.

create table audit_log (
  seq bigint primary key,
  at timestamptz not null,
  actor text not null,
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  details text not null,
  previous_hash bytea not null,
  hash bytea not null
);
create index audit_log_subject on audit_log (subject_kind, subject_id, seq);
-- The portal shows entries about its own users, and everything that they did.
create index audit_log_portal_users on audit_log ((details::jsonb ->> 'account_id'), seq) where subject_kind = 'portal_user';
create index audit_log_actor on audit_log (actor, seq);
comment on table audit_log is
  'Every change of settings and every action of staff and portal users, in a hash chain. Append only. Processes also read it to refresh their cached settings.';
comment on column audit_log.seq is 'Gapless, and the order of commits, because audit_head is locked until the commit.';

create table audit_head (
  singleton boolean primary key default true check (singleton),
  seq bigint not null,
  hash bytea not null
);
comment on table audit_head is 'One row: the last entry of audit_log. Its lock orders the writers.';
insert into audit_head (seq, hash) values (0, '\x');
