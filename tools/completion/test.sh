#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the completion offers. test.sh SOURCE_FOLDER FOLDER_OF_PROGRAMS
set -u
PATH=$2:$PATH
cd "$1/tools/call/testing" || exit 1
source "$1/tools/completion/callis.bash"
# Says its type: nothing is connected to.
ior=IOR:000000000000000f49444c3a542f42616e6b3a312e3000000000000100000000000000180001020000000a3132372e302e302e31000001000000000000
failed=0

# expect LINE CHOICE...: with the cursor at the end of the line, or where it has '|'.
expect() {
  local line=$1 cut
  shift
  cut=${line%%|*}
  COMP_LINE=${line/|/} COMP_POINT=${#cut}
  read -ra COMP_WORDS <<<"$cut"
  [[ $cut == *' ' ]] && COMP_WORDS+=('')
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  _callis
  local found="${COMPREPLY[*]}"
  if [[ $found != "$*" ]]; then
    echo "'$line': expected '$*', found '$found'"
    failed=1
  fi
}

expect 'callis descr' describe
expect 'callis help descr' describe
expect 'callis call --re' --repeat
expect 'callis describe --re'
expect 'callis ior --pi' --ping
expect 'callis ifr fe' feed
expect 'callis ifr --st' --store
expect 'callis ns tr' tree
expect 'callis ns import --re' --replace
expect 'callis naming --read' --readonly
expect 'callis trade qu' query
expect 'callis trade query --pre' --prefer
expect 'callis trading --no' --no-admin
expect 'callis log qu' query
expect 'callis log tail --fo' --follow
expect 'callis logging --line-log-' --line-log-bytes
expect 'callis imr sta' status start
expect 'callis imr serve --al' --allow
expect 'callis imr add x --start-d' --start-deadline
expect 'callis schedule --po' --policy
expect 'callis schedule --policy d' dm
expect 'callis schedule x.json --levels e' each
expect 'callis schedule serve --io' --ior-file
expect 'callis call x --if' --ifr
expect 'callis call x --idl ca' call.idl
expect "callis call --idl call.idl $ior di" divide
expect "callis call $ior ge| --idl call.idl" get get
expect "callis call $ior sw| --idl=wrong --idl call.idl" swap
expect "callis call $ior get | --idl call.idl" title level
expect "callis call $ior set le| --idl call.idl" level
expect "callis call $ior sw| --idl nowhere.idl"
expect "callis call $ior open ca" call.idl
exit $failed
