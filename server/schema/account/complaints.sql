-- Complaints of clients about orders.

create table complaints (
  account_id text not null,
  complaint_ref text not null,
  order_id text not null,
  request_id text,
  reason_code text not null,
  description text not null,
  status text not null default 'OPEN' check (status in ('OPEN', 'RESOLVED', 'REFUNDED')),
  stage text not null default 'logged' check (stage in ('logged', 'with_operator', 'decided', 'refund_blocked')),
  blocked_by text,
  refund_amount bigint not null default 0 check (refund_amount >= 0),
  reason text not null default '',
  raised_at timestamptz not null,
  due_by timestamptz not null,
  resolved_at timestamptz,
  archived_order jsonb,
  primary key (account_id, complaint_ref),
  constraint complaints_decided check ((status = 'OPEN') = (resolved_at is null) and (status = 'OPEN') = (stage <> 'decided')),
  constraint complaints_refund check (status = 'REFUNDED' or refund_amount = 0)
);
create unique index complaints_one_open on complaints (account_id, order_id) where status = 'OPEN';
create unique index complaints_request on complaints (account_id, request_id) where request_id is not null;
create index complaints_newest on complaints (account_id, raised_at, complaint_ref);
create index complaints_of_order on complaints (account_id, order_id);
-- For staff, over all accounts.
create index complaints_by_ref on complaints (complaint_ref);
create index complaints_newest_of_all on complaints (raised_at, complaint_ref);
create index complaints_due on complaints (due_by, complaint_ref) where status = 'OPEN';
comment on table complaints is 'Complaints about orders. What the order itself says is read from orders.';
comment on column complaints.request_id is 'The client''s own reference, so that a repeated request finds the complaint.';
comment on column complaints.blocked_by is 'Why the last refund could not be posted.';
comment on column complaints.archived_order is
  'What complaints show of their order, as it was when its month left the database for the archive. Null: it has not left.';
comment on column complaints.reason is 'The answer to the client.';

create table provider_complaints (
  account_id text not null,
  complaint_ref text not null,
  provider text not null,
  provider_complaint_ref text,
  tries integer not null default 0,
  next_at timestamptz not null,
  last_answer text not null default '',
  primary key (account_id, complaint_ref)
);
create index provider_complaints_due on provider_complaints (next_at);
comment on table provider_complaints is
  'Open complaints that are passed on to the order''s provider, which is asked for its decision until there is one.';
comment on column provider_complaints.provider_complaint_ref is 'The provider''s own reference. Null until it has taken the complaint.';
comment on column provider_complaints.last_answer is 'The provider''s last words, for staff.';
