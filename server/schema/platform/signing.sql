-- Signing of the ledger: the keys, and one run for each India day.

create table signing_keys (
  key_id text primary key,
  public_key text not null,
  secret_key_id text not null,
  secret bytea not null,
  created_at timestamptz not null
);
comment on table signing_keys is 'Ed25519 keys that sign days of the ledger and exports. The newest one signs. Never deleted.';
comment on column signing_keys.key_id is 'The fingerprint of the public key, so that an id stands for one key only.';
comment on column signing_keys.public_key is 'PEM.';
comment on column signing_keys.secret_key_id is 'The master key that the private key is sealed with.';

create table signing_runs (
  run bigint primary key,
  day date not null unique,
  accounts integer not null,
  lines bigint not null,
  hash bytea not null,
  signed_text text not null,
  signature bytea not null,
  key_id text not null,
  signed_at timestamptz not null
);
comment on table signing_runs is
  'One row for each India day that was signed: the Merkle root over the signed days of all accounts, and the head of the audit log. Each run contains the hash of the previous one. Append only.';
comment on column signing_runs.run is 'Gapless.';
comment on column signing_runs.hash is 'SHA-256 of signed_text. The anchor file outside the database holds it too.';
