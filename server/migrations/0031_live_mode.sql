-- Whether real money moves (contract, section 9a). A row means that the installation is live; without one it is in trial.
create table installation_mode (
  singleton boolean primary key default true check (singleton),
  live_since timestamptz not null,
  -- 'route': a route to a real provider was saved, and nothing takes that back. 'setting': a process was started as live.
  cause text not null check (cause in ('route', 'setting'))
);
