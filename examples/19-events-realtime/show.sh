#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# show.sh [FOLDER]: a real-time event channel, a monitor, and two sensors at 40 Hz, of which one fails after a second.
# FOLDER has realtime_server and realtime_client; callis-events is looked for there, and in PATH.
set -eu
programs=$(cd "${1:-.}" && pwd)
PATH=$programs:$PATH
folder=$(mktemp -d)
running=
# shellcheck disable=SC2086
trap 'kill $running 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM

# start FILE COMMAND...: in the background, until FILE has a line.
start() {
  file=$1
  shift
  "$@" >"$file" &
  last=$!
  running="$running $last"
  until [ -s "$file" ]; do
    kill -0 $last || exit 1
    sleep 0.02
  done
}

start "$folder/events" callis-events --rt-channel plant --rt-lanes 80,20 -ORBEndpoint "unix:$folder/socket"
channel="corbaloc:uiop:1.2@$folder/socket|plant"
start "$folder/monitor" realtime_server "$channel" -ORBEndpoint "unix:$folder/monitor.socket"
monitor=$last
realtime_client "$channel"
wait $monitor
cat "$folder/monitor"
