-- The operator's staff at the console.

-- Who stands behind a key, so that nobody counts as two by having one. Null for keys older than this.
alter table operator_keys add column created_by text;

-- enrol: the password was right, and a second factor has to be set up before anything else.
alter table sessions drop constraint sessions_stage_check;
alter table sessions add constraint sessions_stage_check check (stage in ('half', 'enrol', 'full'));
-- The account whose portal a member of staff looks at, changing nothing. Such a session is none of the console's.
alter table sessions add column view_account_id text references accounts;

-- A way from the console to a client's portal, for one use within a minute. Only the digest of its token is kept.
create table portal_views (
  digest bytea primary key,
  user_id text not null references users,
  account_id text not null references accounts,
  expires_at timestamptz not null
);
create index portal_views_by_end on portal_views (expires_at);

create index invitations_of_staff on invitations (created_at) where account_id is null and ended_at is null;
