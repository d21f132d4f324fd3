-- The id of an order's next callback: the proposed id, or a later one where a clock that was set back makes it sort too early.
-- Locks: none, but the caller must hold the order's row. Volatile, so that it sees what was committed while the caller waited
-- for that lock.
create function next_callback_id(for_account text, for_order text, proposed text) returns text language plpgsql volatile as $$
declare
  latest text;
begin
  select max(callback_id) into latest from callbacks where account_id = for_account and order_id = for_order;
  return case when latest >= proposed then latest || 'A' else proposed end;
end $$;
