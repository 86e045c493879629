#!/usr/bin/env zsh
# SPDX-License-Identifier: Apache-2.0
# What the completion for zsh offers. test.zsh SOURCE_FOLDER FOLDER_OF_PROGRAMS
#
# A second zsh has a terminal of its own. A line is typed into it, and a tab; its compadd tells a pipe what is offered, and
# the key behind the tab ends the list.
zmodload zsh/zpty || exit 77
path=($2 $path)
cd $1/tools/call/testing || exit 1
# Says its type: nothing is connected to.
zeros=000000000000000
ior=IOR:${zeros}f49444c3a542f42616e6b3a312e3000000000000100000000000000180001020000000a3132372e302e302e31000001000000000000
failed=0
folder=$(mktemp -d) || exit 1
cat > $folder/rc <<RC
PROMPT= RPROMPT=
fpath=($1/tools/completion \$fpath)
autoload -Uz compinit; compinit -u -D
compadd() {
  local -a got
  builtin compadd -O got "\$@"
  (( \$#got )) && print -rl -- \$got >&\$out
  builtin compadd "\$@"
}
end_list() { print END >&\$out }
zle -N end_list
zle-line-init() { print READY >&\$out }
zle -N zle-line-init
bindkey '^X' end_list
exec {out}>$folder/offered
RC

# expect LINE CHOICE...: with the cursor at the end of the line. The order does not count.
expect() {
  local typed=$1 offered
  local -a found
  shift
  # A pipe of its own: the shell before may still hold the other open, and its end would be taken for the end of the list.
  rm -f $folder/offered
  mkfifo $folder/offered
  TERM=dumb zpty shell zsh -f -i
  zpty -w shell "source $folder/rc"
  # Opened by both. Nothing is typed before the shell reads it.
  {
    while read -r offered && [[ $offered != READY ]]; do :; done
    zpty -w -n shell "$typed"$'\t\x18'
    while read -r offered && [[ $offered != END ]]; do found+=$offered; done
  } < $folder/offered
  zpty -d shell
  found=(${(ou)found})
  local -a wanted=(${(o)@})
  if [[ "$found" != "$wanted" ]]; then
    print -r -- "'$typed': expected '$wanted', found '$found'"
    failed=1
  fi
}

expect 'callis descr' describe
expect 'callis help descr' describe
expect 'callis call --re' --repeat
expect 'callis ior --pi' --ping
expect 'callis call x --idl ca' call.idl
expect "callis call --idl call.idl $ior di" divide
expect "callis call --idl call.idl $ior get ti" title
expect "callis call --idl call.idl $ior set le" level
expect "callis call --idl call.idl $ior open ca" call.idl
rm -rf $folder
exit $failed
