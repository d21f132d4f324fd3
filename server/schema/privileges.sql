-- Rights of the application's role. The migrator runs this file at every start, after the migrations. Where the database's
-- user may not create roles, it replaces corprail_app by that user. One table per revoke: a table that does not exist yet,
-- as after the restore of an older backup, is skipped.
grant usage on schema public to corprail_app;
grant select, insert, update, delete on all tables in schema public to corprail_app;
grant usage, select on all sequences in schema public to corprail_app;

-- Append only.
revoke update, delete, truncate on audit_log from corprail_app;
revoke update, delete, truncate on transfers from corprail_app;
revoke update, delete, truncate on signed_days from corprail_app;
revoke update, delete, truncate on signed_day_marks from corprail_app;
revoke update, delete, truncate on signing_runs from corprail_app;
revoke update, delete, truncate on order_references from corprail_app;
revoke update, delete, truncate on transfer_references from corprail_app;
revoke update, delete, truncate on staff_access_grants from corprail_app;
revoke update, delete, truncate on work_notes from corprail_app;
revoke update, delete, truncate on onboarding_reviews from corprail_app;
revoke update, delete, truncate on status_updates from corprail_app;

-- Dropped by months only, by the owner.
revoke update, delete, truncate on provider_exchanges from corprail_app;

-- Rows change, but are never deleted.
revoke delete, truncate on wallets from corprail_app;
revoke delete, truncate on orders from corprail_app;
revoke delete, truncate on ledger_month_sums from corprail_app;
revoke delete, truncate on ledger_month_sum_positions from corprail_app;
revoke delete, truncate on audit_head from corprail_app;
revoke delete, truncate on signing_keys from corprail_app;
revoke delete, truncate on approvals from corprail_app;
revoke delete, truncate on approval_rules from corprail_app;
revoke delete, truncate on pricing_rules from corprail_app;
revoke delete, truncate on onboardings from corprail_app;
revoke delete, truncate on onboarding_documents from corprail_app;

-- Written when a month is archived, by the owner.
revoke insert, update, delete, truncate on archived_months from corprail_app;
revoke insert, update, delete, truncate on ledger_closings from corprail_app;

-- Written by migrations only.
revoke insert, update, delete, truncate on schema_migrations from corprail_app;
revoke insert, update, delete, truncate on transfer_kinds from corprail_app;

-- Partitions are written through their tables, whose rights are above, and never directly.
do $$
declare
  one regclass;
begin
  for one in select oid::regclass from pg_class where relispartition and relkind = 'r' and relnamespace = 'public'::regnamespace loop
    execute format('revoke insert, update, delete, truncate on %s from corprail_app', one);
  end loop;
end $$;
