-- Onboarding of clients: what they state about themselves, their documents, and the reviews of staff.

create table onboardings (
  account_id text primary key references accounts,
  state text not null default 'draft' check (state in ('draft', 'submitted', 'returned', 'completed')),
  company jsonb,
  contacts jsonb not null default '[]',
  version integer not null default 1,
  author_people text[] not null,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  submitted_by text,
  submitted_at timestamptz,
  completed_at timestamptz,
  constraint onboardings_submitted check (state = 'draft' or (submitted_by is not null and submitted_at is not null)),
  constraint onboardings_completed check ((state = 'completed') = (completed_at is not null))
);
create index onboardings_newest on onboardings (created_at, account_id);
create index onboardings_pan on onboardings ((company ->> 'pan'));
comment on table onboardings is
  'Accounts that were created by the onboarding. Whether KYC and agreement are approved is in accounts.';
comment on column onboardings.company is 'Legal name, kind of entity, PAN, GSTIN and address. Null until they are given.';
comment on column onboardings.version is 'Grows with every change of the details, so that two people do not overwrite each other.';
comment on column onboardings.author_people is 'Everybody who entered details or documents. With four eyes none of them reviews.';

create table onboarding_documents (
  account_id text not null references accounts,
  document_id text primary key,
  kind text not null check (kind in (
    'pan_card', 'gst_certificate', 'incorporation', 'address_proof', 'bank_proof', 'signatory_proof', 'resolution', 'agreement', 'other')),
  name text not null,
  media_type text not null check (media_type in ('application/pdf', 'image/png', 'image/jpeg')),
  bytes integer not null check (bytes > 0),
  digest bytea not null,
  key_id text,
  sealed_key bytea,
  content bytea,
  uploaded_by text not null,
  uploaded_at timestamptz not null,
  erased_at timestamptz,
  constraint onboarding_documents_erased check (
    (erased_at is null) = (content is not null) and (content is null) = (key_id is null) and (content is null) = (sealed_key is null))
);
create index onboarding_documents_of_account on onboarding_documents (account_id, uploaded_at);
comment on table onboarding_documents is
  'Documents of clients. Each is encrypted with its own key, which is sealed with the master key. A deleted one keeps its row.';
comment on column onboarding_documents.digest is 'SHA-256 of the file, so that a copy can be compared after the file is erased.';
comment on column onboarding_documents.key_id is 'The master key that seals the file''s key.';
comment on column onboarding_documents.content is 'AES-256-GCM: initialisation vector, encrypted file, tag.';

create table onboarding_reviews (
  account_id text not null references accounts,
  review_id text primary key,
  review text not null check (review in ('kyc', 'agreement')),
  decision text not null check (decision in ('approved', 'returned')),
  reason text not null,
  reviewed_by text not null,
  reviewer_person text not null,
  author_people text[] not null,
  four_eyes boolean not null,
  at timestamptz not null,
  constraint onboarding_reviews_four_eyes check (not four_eyes or reviewer_person <> all (author_people))
);
create index onboarding_reviews_of_account on onboarding_reviews (account_id, at);
comment on table onboarding_reviews is 'Decisions about KYC and agreement. Append only.';
comment on column onboarding_reviews.author_people is 'Who had entered details or documents at that time.';
comment on column onboarding_reviews.four_eyes is 'Whether approval by a second person was on. Then the reviewer is not an author.';
