-- What `corprail apply` has applied, so that later changes elsewhere can be found.

create table applied_configuration (
  singleton boolean primary key default true check (singleton),
  applied_at timestamptz not null,
  applied_by text not null,
  fingerprint text not null,
  alert_on_drift boolean not null,
  whole_kinds text[] not null,
  drift text
);
comment on table applied_configuration is 'At most one row: the configuration files that were applied last.';
comment on column applied_configuration.whole_kinds is 'The kinds of which all objects were applied. An object of these kinds that appears later is drift.';
comment on column applied_configuration.drift is 'How the settings differ from what was applied, as the last check found it. Null: they do not.';

create table applied_configuration_objects (
  kind text not null,
  name text not null,
  digest text not null,
  primary key (kind, name)
);
comment on table applied_configuration_objects is 'The objects of the applied configuration files, each with the SHA-256 of its value.';
