-- Four-eyes approval: an action above a threshold is carried out after a second person has approved it.

create table approval_rules (
  singleton boolean primary key default true check (singleton),
  wallet_threshold bigint check (wallet_threshold > 0),
  order_threshold bigint check (order_threshold > 0),
  keys_included boolean not null default true,
  expire_hours integer not null default 24 check (expire_hours between 1 and 720),
  pricing_included boolean not null default true,
  providers_included boolean not null default true,
  new_person_hours integer not null default 24 check (new_person_hours between 0 and 8760)
);
comment on table approval_rules is
  'One row: what needs approval. A threshold that is null is off; the other settings apply while a threshold is set.';
comment on column approval_rules.keys_included is 'Actions through operator keys need approval as well.';
comment on column approval_rules.pricing_included is 'Fee and commission rules need approval.';
comment on column approval_rules.providers_included is
  'New providers, and changes of a provider''s description or secrets, need approval.';
comment on column approval_rules.new_person_hours is
  'For this long after one person gave another access, neither of them can approve for the other.';
insert into approval_rules default values;

create table approvals (
  approval_id text primary key,
  kind text not null check (kind in (
    'wallet', 'settle', 'reverse', 'refund', 'cancel', 'complaint_refund', 'rules', 'reconcile', 'bulk_settle',
    'pricing', 'pricing_end', 'provider', 'provider_secret', 'operator_key', 'transfer_settings',
    'single_sign_on')),
  about text not null,
  input jsonb not null,
  amount bigint,
  account_id text,
  order_id text,
  made_by text not null,
  maker_person text not null,
  state text not null default 'waiting'
    check (state in ('waiting', 'approved', 'rejected', 'withdrawn', 'expired', 'done', 'failed')),
  decided_by text,
  checker_person text,
  reason text,
  result jsonb,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
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
create trigger approvals_protected before update or delete on approvals for each row execute function protect_approval();
comment on table approvals is 'Requests for approval and their decisions. Never deleted; a trigger refuses changes of the request.';
comment on column approvals.about is 'What the request concerns. Only one open approval at a time may concern the same thing.';
comment on column approvals.input is 'The action as it was requested.';
comment on column approvals.amount is 'Negative for a debit. Null where no money moves.';
comment on column approvals.made_by is 'The actor who asked: a member of staff or an operator key.';
comment on column approvals.maker_person is 'The person behind the actor: nobody counts as two people by having a key.';
comment on column approvals.checker_person is 'The person who decided.';
comment on column approvals.reason is 'Reason of the decision.';
comment on column approvals.result is 'The result of the action; for a failed one, why.';
comment on column approvals.begun_at is 'Since when the action is recorded elsewhere and only has to be completed.';

create table unapproved_amounts (
  person text not null,
  area text not null check (area in ('wallet', 'order')),
  account_id text not null,
  about text not null,
  amount bigint not null check (amount >= 0),
  at timestamptz not null,
  primary key (person, area, about)
);
create index unapproved_amounts_sum on unapproved_amounts (person, area, account_id, at);
create index unapproved_amounts_at on unapproved_amounts (at);
comment on table unapproved_amounts is
  'Amounts that a person moved without approval, so that many small amounts count like one large amount.';
comment on column unapproved_amounts.person is 'As approvals.maker_person: a key belongs to the person who made it.';
comment on column unapproved_amounts.area is 'The threshold that the amount counts towards.';
comment on column unapproved_amounts.account_id is 'Empty for an action on several accounts.';
comment on column unapproved_amounts.about is 'Identifies the action, so that a repeat is counted once.';

create table unapproved_amount_locks (
  person text not null,
  area text not null,
  account_id text not null,
  at timestamptz not null,
  primary key (person, area, account_id)
);
comment on table unapproved_amount_locks is
  'One row per person, area and account, locked while an amount is counted, so that concurrent actions see each other.';

create table approval_payloads (
  approval_id text primary key references approvals,
  key_id text not null,
  sealed bytea not null
);
comment on table approval_payloads is
  'What an approved action needs and nobody may read, such as a provider''s new secret, sealed. Deleted when the approval ends.';
