/**
 * PostgreSQL's parent: a shell that holds the reading end of a pipe to us. When the pipe closes, because we stop or
 * because we were killed, it asks PostgreSQL for a fast shutdown. When PostgreSQL ends by itself, the shell ends too,
 * with the same status. Signals to the shell are ignored: PostgreSQL must never be left without it.
 * We write one line when PostgreSQL is ready. Before that a signal may come too early to be heard, so it is repeated.
 * Plain POSIX: dash and busybox know no `read -t`, and give background jobs /dev/null as input unless told otherwise.
 */
export const GUARDIAN = `
trap '' HUP INT TERM
exec 3<&0 </dev/null
"$@" 3<&- &
server=$!
{
  if read -r _ <&3; then
    read -r _ <&3
    kill -INT "$server"
  else
    while kill -INT "$server"; do sleep 1; done
  fi
} >/dev/null 2>&1 &
watcher=$!
exec 3<&-
wait "$server"
status=$?
kill -KILL "$watcher" 2>/dev/null
exit "$status"
`;
