#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# show.sh [FOLDER]: two sites, each with a naming service at a port of its own and a Greeter; each site's names lead into the other's.
# FOLDER has federation_server and federation_client; callis is looked for there, and in PATH.
set -eu
programs=$(cd "${1:-.}" && pwd)
PATH=$programs:$PATH
sites=$(mktemp -d)
running=
# shellcheck disable=SC2086
trap 'kill $running 2>/dev/null || true; wait; rm -rf "$sites"' EXIT
trap 'exit 1' INT TERM

# start FILE COMMAND...: in the background, until FILE has a line.
start() {
  file=$1
  shift
  "$@" >"$file.out" &
  running="$running $!"
  until [ -s "$file" ] || [ -s "$file.out" ]; do
    kill -0 $! || exit 1
    sleep 0.02
  done
}
ask() { federation_client "$@" -ORBInitRef "NameService=$(cat "$sites/berlin")"; }

for site in berlin munich; do
  start "$sites/$site" callis-naming --ior-file "$sites/$site" -ORBEndpoint tcp:127.0.0.1:0
  names=$!
  start "$sites/$site.greeter" federation_server "$site" -ORBEndpoint tcp:127.0.0.1:0 -ORBInitRef "NameService=$(cat "$sites/$site.out")"
done
callis ns bind --context munich "$sites/munich" --name-service "$sites/berlin"
callis ns bind --context berlin "$sites/berlin" --name-service "$sites/munich"

echo "What Berlin has:"
callis ns ls --name-service "$sites/berlin"
echo "A client in Berlin asks:"
ask greeter munich/greeter munich/berlin/greeter munich/gardener
echo "Munich's naming service is gone:"
kill $names
wait $names
ask greeter munich/greeter
