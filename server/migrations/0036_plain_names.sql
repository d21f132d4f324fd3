-- Plain names: a job waits in a queue, and an account has a sandbox account.
alter table staff_jobs rename column lane to queue;
alter table staff_files rename column lane to queue;
alter table account_twins rename to sandbox_accounts;
alter table sandbox_accounts rename column twin_id to sandbox_id;
