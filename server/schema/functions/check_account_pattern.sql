-- Trigger function of operators. A client's account number is matched against the operator's pattern while the request waits,
-- so a pattern must not be one that some input makes slow: only characters, classes and bounded repetition between ^ and $,
-- at most three of them variable. A trigger instead of a constraint, because an operator that already has another pattern
-- must still be changeable in its other columns.
-- Locks: none beyond the row that is written.
create function check_account_pattern() returns trigger language plpgsql as $body$
begin
  if length(new.account_pattern) > 120
    or new.account_pattern !~ '^\^((\[\^?[A-Za-z0-9 _./:@#-]+\]|\\[dw./]|[A-Za-z0-9 _/:@#-])(\?|\{[0-9]{1,2}(,[0-9]{1,2})?\})?)+\$$'
    or length(new.account_pattern) - length(translate(new.account_pattern, ',?', '')) > 3
  then
    raise check_violation using
      message = format('The account pattern of the operator %s is not allowed.', new.operator),
      hint = 'Write ^, then characters or classes with ?, {n} or {n,m} behind them (three that vary at most), then $.';
  end if;
  return new;
end $body$;
