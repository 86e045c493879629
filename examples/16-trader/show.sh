#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# show.sh [FOLDER]: a trader, three printers that are offered there, and clients that look for one.
# FOLDER has trader_server and trader_client; callis is looked for there, and in PATH.
set -eu
programs=$(cd "${1:-.}" && pwd)
PATH=$programs:$PATH
office=$(mktemp -d)
running=
# Printers go before the trader, from which they withdraw what they offer.
stop() {
  for one in $running; do
    kill "$one" 2>/dev/null || true
    wait "$one" || true
  done
}
trap 'stop; rm -rf "$office"' EXIT
trap 'exit 1' INT TERM

# start NAME COMMAND...: in the background, until it has printed a line.
start() {
  name=$1
  shift
  "$@" >"$office/$name" &
  running="$! $running"
  until [ -s "$office/$name" ]; do
    kill -0 $! || exit 1
    sleep 0.02
  done
}

start trader callis-trading --store "$office/offers.db" -ORBEndpoint tcp:127.0.0.1:0
trader="TradingService=$(cat "$office/trader")"
trade() { callis trade "$@" -ORBInitRef "$trader"; }
printer() { start "$1" trader_server "$@" -ORBEndpoint tcp:127.0.0.1:0 -ORBInitRef "$trader"; }
ask() { trader_client "$@" -ORBInitRef "$trader"; }

trade types add Printer --interface IDL:Office/Printer:1.0 Name:string:readonly Cost:long:mandatory 'Inks:sequence<string>'
printer cellar 2 black
printer attic 5 black,red
printer studio 9 black,red,gold
last=$!

echo "What the trader has:"
trade types Printer
trade query Printer --prefer 'max Cost' --properties Name,Cost
echo "Clients ask:"
ask hello ""
ask hello "'red' in Inks"
ask hello "'gold' in Inks and Cost < 20"
ask hello "Cost < 'cheap'"
echo "The studio closes:"
kill $last
wait $last
ask hello "'gold' in Inks and Cost < 20"
