#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# show.sh [FOLDER]: ffmpeg makes media; a player and a camera send them; a viewer watches, and controls the player. FOLDER has
# video_server and video_client.
set -eu
programs=$(cd "${1:-.}" && pwd)
PATH=$programs:$PATH
media=$(mktemp -d)
running=
# shellcheck disable=SC2086
trap 'kill $running 2>/dev/null || true; wait; rm -rf "$media"' EXIT
trap 'exit 1' INT TERM
loopback="-ORBEndpoint tcp:127.0.0.1:0"

# make INPUT OPTIONS... FILE: ten seconds.
make() {
  input=$1
  shift
  ffmpeg -v error -nostdin -f lavfi -i "$input" -t 10 "$@"
}
# watch WORDS...: a device of video_server, and a viewer of it; whether ffmpeg can decode what has come.
watch() {
  device=$1
  rm -f "$media/reference"
  shift
  # shellcheck disable=SC2086
  video_server $device $loopback >"$media/reference" &
  running="$running $!"
  until [ -s "$media/reference" ]; do
    kill -0 $! || exit 1
    sleep 0.02
  done
  # shellcheck disable=SC2086
  video_client "$(cat "$media/reference")" "$media/seen.h264" "$@" $loopback
  if [ -z "$(ffmpeg -v error -nostdin -f h264 -i "$media/seen.h264" -f null - 2>&1)" ]; then
    echo "ffmpeg decodes what has come"
  fi
  kill $!
  wait $!
}

# Each picture by itself (-g 1), so that some may be left out.
make testsrc=size=320x240:rate=25 -c:v libx264 -preset ultrafast -threads 1 -g 1 -bf 0 -f h264 "$media/video.h264"
make sine=frequency=440 -c:a libopus -frame_duration 20 -f ogg "$media/audio.ogg"
echo "A player of files:"
watch "player $media" --control
echo "A camera:"
watch camera
