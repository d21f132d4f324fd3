-- A client's account number is matched against the operator's pattern while the request waits, so a pattern must not be
-- one that some input makes slow: characters, classes and limited repetition between ^ and $, at most three of them
-- varying. A trigger instead of a constraint: an operator that has another pattern already can still be switched off.
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

create trigger account_pattern before insert or update of account_pattern on operators
  for each row execute function check_account_pattern();
