-- Makes callbacks due whose times were computed from settings that have changed since, and closes the breakers of their targets.
-- Changes at most `chunk` callbacks per target and returns how many; the caller repeats until none is left.
-- Locks: rows that another session holds are skipped and left for the next call, so that one locked row does not delay the
-- others. A target gets the new settings once none of its callbacks is left.
create function renew_callbacks(at timestamptz, for_accounts text[], chunk integer) returns integer language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  target record;
  renewed integer;
  total integer := 0;
begin
  for target in
    select t.account_id, t.kind, a.callback_settings_version from callback_targets t join accounts a on a.account_id = t.account_id
    where t.settings_version <> a.callback_settings_version and (for_accounts is null or t.account_id = any(for_accounts))
    order by t.account_id, t.kind
  loop
    update callbacks c set next_at = at, retry_step = 0, settings_version = target.callback_settings_version
    from (
      select k.account_id, k.callback_id from (
        select w.account_id, w.callback_id, w.settings_version from callbacks w
        where w.account_id = target.account_id and w.kind = target.kind and w.state = 'waiting' offset 0) w
      cross join lateral (
        select k.account_id, k.callback_id from callbacks k
        where k.account_id = w.account_id and k.callback_id = w.callback_id and k.state <> 'delivered' for update skip locked) k
      where w.settings_version <> target.callback_settings_version limit chunk) w
    where c.account_id = w.account_id and c.callback_id = w.callback_id;
    get diagnostics renewed = row_count;
    total := total + renewed;
    if not exists (
      select from (
        select w.settings_version from callbacks w
        where w.account_id = target.account_id and w.kind = target.kind and w.state = 'waiting' offset 0) w
      where w.settings_version <> target.callback_settings_version)
    then
      update callback_targets t set settings_version = target.callback_settings_version, failures = 0, slow = false, probe_at = null
      from (
        select k.account_id, k.kind from callback_targets k
        where k.account_id = target.account_id and k.kind = target.kind
          and k.settings_version <> target.callback_settings_version for update skip locked) k
      where t.account_id = k.account_id and t.kind = k.kind;
    end if;
  end loop;
  return total;
end $$;
