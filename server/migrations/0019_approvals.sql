-- Four eyes: what reaches a threshold is done once somebody else has agreed to it.

-- One row. A threshold that is null is off.
create table approval_rules (
  only_one boolean primary key default true check (only_one),
  wallet_threshold bigint check (wallet_threshold > 0),
  order_threshold bigint check (order_threshold > 0),
  -- Whether operator keys are subject to them as well.
  keys_included boolean not null default false,
  expire_hours integer not null default 24 check (expire_hours between 1 and 720)
);
insert into approval_rules default values;

create table approvals (
  approval_id text primary key,
  kind text not null
    check (kind in ('wallet', 'settle', 'reverse', 'refund', 'cancel', 'complaint_refund', 'rules', 'reconcile')),
  -- What only one open approval at a time can be about.
  about text not null,
  -- What is to be done, as it was asked for.
  input jsonb not null,
  -- Negative for a debit; null where no money is meant.
  amount bigint,
  account_id text,
  order_id text,
  made_by text not null,
  -- Who stands behind the actor: nobody is two persons by having a key.
  maker_person text not null,
  state text not null default 'waiting'
    check (state in ('waiting', 'approved', 'rejected', 'withdrawn', 'expired', 'done', 'failed')),
  decided_by text,
  checker_person text,
  -- Of the decision.
  reason text,
  -- What came of it; of a failed one, why.
  result jsonb,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  -- Since when its work is on record elsewhere and only has to be carried on.
  begun_at timestamptz,
  finished_at timestamptz,
  constraint approvals_four_eyes check (checker_person is null or checker_person <> maker_person),
  constraint approvals_checked check ((state in ('approved', 'rejected', 'done', 'failed')) = (checker_person is not null)),
  constraint approvals_decided check ((state = 'waiting') = (decided_at is null) and (decided_at is null) = (decided_by is null)),
  constraint approvals_finished check ((state in ('done', 'failed')) = (finished_at is not null))
);
create index approvals_newest on approvals (created_at, approval_id);
create index approvals_open on approvals (state, created_at) where state in ('waiting', 'approved');
create unique index approvals_about on approvals (about) where state in ('waiting', 'approved');

-- What was asked for never changes, a decision is made once, and an end is the end.
create function keep_approval() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then raise exception 'an approval stays on record'; end if;
  if (new.approval_id, new.kind, new.about, new.input, new.amount, new.account_id, new.order_id, new.made_by, new.maker_person,
      new.created_at, new.expires_at)
    is distinct from (old.approval_id, old.kind, old.about, old.input, old.amount, old.account_id, old.order_id, old.made_by,
      old.maker_person, old.created_at, old.expires_at)
    then raise exception 'what was asked for cannot change'; end if;
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
create trigger approvals_kept before update or delete on approvals for each row execute function keep_approval();

-- A ticket that two people have cancelled: which approval it was, and who asked for it.
alter table bus_cancellations add column approval_id text, add column made_by text;
create unique index bus_cancellations_approval on bus_cancellations (approval_id) where approval_id is not null;
