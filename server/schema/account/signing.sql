-- Signed days of the ledger.

create table signed_days (
  account_id text not null,
  day date not null,
  number bigint not null,
  first_seq bigint not null,
  last_seq bigint not null,
  closing_balance bigint not null,
  root bytea not null,
  hash bytea not null,
  signed_text text not null,
  signature bytea not null,
  key_id text not null,
  cell smallint not null default 0,
  primary key (account_id, day),
  unique (account_id, number)
);
create index signed_days_day on signed_days (day);
comment on table signed_days is
  'The Merkle root of an account''s transfers of one India day, signed. A day without transfers has no row. Append only.';
comment on column signed_days.number is 'Gapless per account.';
comment on column signed_days.first_seq is 'A day continues where the previous signed day ended, so that a late transfer is in the next one.';
comment on column signed_days.hash is 'SHA-256 of signed_text. The next signed day of the account contains it.';
comment on column signed_days.cell is 'The cell whose signing run contains the day. A day keeps it when its account is moved to another cell.';
comment on column signed_days.signed_text is 'The exact text that the signature covers. The other columns repeat parts of it.';

create table signed_day_marks (
  account_id text not null,
  day date not null,
  part integer not null,
  marks bytea not null,
  primary key (account_id, day, part)
);
comment on table signed_day_marks is
  'The first eight bytes of each transfer''s leaf hash, by which a verifier names the transfer that was changed. Append only.';
