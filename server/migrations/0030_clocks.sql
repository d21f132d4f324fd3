-- How far each process's clock is shifted on purpose (CORPRAIL_CLOCK_OFFSET_SECONDS). A nonce is kept until it has expired by the
-- slowest of them.
alter table processes add column clock_offset_seconds integer not null default 0;
