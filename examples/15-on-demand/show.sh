#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# show.sh [FOLDER]: an Implementation Repository, and a server that it starts when somebody calls.
# FOLDER has demand_server and demand_client; callis is looked for there, and in PATH.
set -eu
programs=$(cd "${1:-.}" && pwd)
PATH=$programs:$PATH
site=$(mktemp -d)
running=
end() {
  [ -z "${CALLIS_IMR:-}" ] || callis imr stop greeter 2>/dev/null || true
  [ -z "$running" ] || kill "$running" 2>/dev/null || true
  wait
  rm -rf "$site"
}
trap end EXIT
trap 'exit 1' INT TERM

callis-imr serve -ORBLog error --ior-file "$site/imr" -ORBEndpoint "unix:$site/socket" >/dev/null &
running=$!
until [ -s "$site/imr" ]; do
  kill -0 $running || exit 1
  sleep 0.02
done
CALLIS_IMR=$(cat "$site/imr")
export CALLIS_IMR

register() { callis imr add greeter --linger 5 "$@" -- "$programs/demand_server" "$site/greeter" -ORBEndpoint tcp:127.0.0.1:0; }
call() { demand_client "$(cat "$site/greeter")" "$@"; }

register
callis imr start greeter # once, for its reference
callis imr stop greeter
echo "Registered, and not running:"
callis imr ls
echo "The first call starts it:"
call Ada
call Bob
echo "Its process is killed, and the next call starts another:"
kill -9 "$(callis imr status greeter | sed -n 's/^ *process *//p')"
call Ada
echo "A process for each client:"
callis imr stop greeter
register --replace --activation per-client
call Ada Ada
call Bob
callis imr ls
