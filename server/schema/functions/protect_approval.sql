-- Trigger function of approvals. A request never changes, a decision is made once, a final state is final, and two people with
-- a recent access link cannot approve for each other.
-- Locks: none beyond the row that is written.
create function protect_approval() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then raise exception 'an approval stays on record'; end if;
  if (new.approval_id, new.kind, new.about, new.input, new.amount, new.account_id, new.order_id, new.made_by, new.maker_person,
      new.created_at, new.expires_at)
    is distinct from (old.approval_id, old.kind, old.about, old.input, old.amount, old.account_id, old.order_id, old.made_by,
      old.maker_person, old.created_at, old.expires_at)
    then raise exception 'what was asked for cannot change'; end if;
  if old.state = 'waiting' and new.state = 'approved' and new.maker_person <> new.checker_person and have_access_link(new.maker_person, new.checker_person,
      new.decided_at - (select make_interval(hours => r.new_person_hours) from approval_rules r))
    then raise exception 'maker and checker of an approval have a recent tie'; end if;
  if old.state = 'waiting' and new.state in ('approved', 'rejected', 'withdrawn', 'expired') then return new; end if;
  if old.state <> 'approved' or new.state not in ('approved', 'done', 'failed')
    then raise exception 'an approval that is % cannot become %', old.state, new.state; end if;
  if (new.decided_by, new.checker_person, new.reason, new.decided_at)
    is distinct from (old.decided_by, old.checker_person, old.reason, old.decided_at)
    then raise exception 'an approval is decided once'; end if;
  if old.begun_at is not null and new.begun_at is distinct from old.begun_at
    then raise exception 'an approval is begun once'; end if;
  return new;
end $$;
