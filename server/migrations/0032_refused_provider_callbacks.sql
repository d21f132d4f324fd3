-- Messages that arrived at /upstream/{provider}/callback and were not taken in, so that the staff can see why. The service
-- keeps them few and short: anybody can send them.
create table refused_provider_callbacks (
  refusal_id text primary key,
  -- '-' where the path named no provider of ours.
  provider text not null,
  at timestamptz not null,
  reason text not null,
  -- It proved with the provider's secret that it is the provider's.
  authentic boolean not null,
  method text not null,
  source text not null,
  reference text,
  -- Masked and cut.
  excerpt text not null
);
create index refused_provider_callbacks_of on refused_provider_callbacks (provider, authentic, refusal_id);
