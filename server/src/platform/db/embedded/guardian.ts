/**
 * PostgreSQL's parent process: a shell that reads from a pipe to the service. When the pipe closes, because the service
 * stops or is killed, the shell requests a fast shutdown. When PostgreSQL exits, the shell exits with the same status.
 * It ignores signals, because PostgreSQL must never run without it. The service writes one line when PostgreSQL is ready;
 * before that PostgreSQL may miss a signal, so the signal is repeated. The script is plain POSIX: dash and busybox have
 * no `read -t`, and background jobs read /dev/null unless their input is redirected.
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
