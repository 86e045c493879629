#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# show.sh [FOLDER]: a naming service, two homes of accounts, and clients that pay into an account while it moves.
# FOLDER has account_server and account_client; callis is looked for there, and in PATH.
set -eu
programs=$(cd "${1:-.}" && pwd)
PATH=$programs:$PATH
bank=$(mktemp -d)
running=
# shellcheck disable=SC2086
trap 'kill $running 2>/dev/null || true; wait; rm -rf "$bank"' EXIT
trap 'exit 1' INT TERM

# start NAME COMMAND...: in the background, until it has printed a line.
start() {
  name=$1
  shift
  : >"$bank/$name.out"
  "$@" >"$bank/$name.out" &
  running="$running $!"
  until [ -s "$bank/$name.out" ]; do
    kill -0 $! || exit 1
    sleep 0.02
  done
}

start names callis-naming --allow admin=any -ORBEndpoint tcp:127.0.0.1:0
city() {
  start "$@" -ORBEndpoint "unix:$bank/$1.socket" -ORBInitRef "NameService=$(cat "$bank/names.out")"
}
(umask 077 && head -c 24 /dev/urandom | base64 >"$bank/secret")

city berlin account_server berlin "$bank" open
berlin=$!
city munich account_server munich "$bank"
echo "Four clients pay while the account moves to and fro:"
account_client "$(cat "$bank/account")" "$(cat "$bank/munich.finder")" "$(cat "$bank/berlin.finder")"
echo "Its server is killed, and begins again:"
kill -9 $berlin
wait $berlin 2>/dev/null || true
city berlin account_server berlin "$bank"
account_client "$(cat "$bank/account")"
