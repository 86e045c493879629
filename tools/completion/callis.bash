# SPDX-License-Identifier: Apache-2.0
# Completion for bash: commands of callis, options, files; for `callis call` the operations and attributes that `callis describe`
# prints. Installed as share/bash-completion/completions/callis. Words are taken from COMP_LINE: COMP_WORDS are cut at colons.

# What the command line says before the cursor: _callis_before, words that are no options; everywhere: _callis_types, options that
# say where types come from.
_callis_read() {
  local words skip= i before
  read -ra words <<<"${COMP_LINE:0:COMP_POINT}"
  [[ ${COMP_LINE:COMP_POINT-1:1} == [[:space:]] ]] || unset 'words[-1]'
  before=${#words[@]}
  read -ra words <<<"$COMP_LINE"
  _callis_before=() _callis_types=()
  for ((i = 1; i < ${#words[@]}; ++i)); do
    case ${words[i]} in
      --idl | --ifr | --interface | -I | -D | -U)
        ((i + 1 < ${#words[@]})) && _callis_types+=("${words[i]}" "${words[i + 1]}")
        ((++i)) ;;
      --timeout | --repeat | --references | --port | -ORB*) ((++i)) ;;
      --service | --lines | --level | --record-bytes | --max-records | --line-log | --line-log-bytes) return ;;
    --name-service | --into | --interval | --store | --max-disk | --ior-file | --publish) ((++i)) ;;
      --measured | --margin | --policy | --levels | --lanes | --priorities | --namespace | --span | --output | -o) ((++i)) ;;
      -I* | -D* | -U*) _callis_types+=("${words[i]}") ;;
      -?*) ;;
      *) ((i >= before)) || _callis_before+=("${words[i]}") ;;
    esac
  done
}

# Lines "operation NAME" and "attribute NAME".
_callis_operations() {
  callis describe "${_callis_before[1]:-}" "${_callis_types[@]}" --timeout 500 2>/dev/null </dev/null |
    sed -n -E '/^(abstract )?interface /,$ {
      s/^  (readonly )?attribute .* (\w+)( (raises|getraises|setraises) .*)?;$/attribute \2/p
      s/^  [^(]* (\w+)\(.*;$/operation \1/p
    }'
}

_callis_commands() { callis help 2>/dev/null | sed -n -E 's/^  (\w+)( .*)?$/\1/p'; }

_callis() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} options= choices=
  local _callis_before _callis_types
  COMPREPLY=()
  _callis_read
  case $previous in
    --idl)
      mapfile -t COMPREPLY < <(compgen -f -X '!*.idl' -- "$current"; compgen -d -- "$current")
      return ;;
    -I)
      mapfile -t COMPREPLY < <(compgen -d -- "$current")
      return ;;
    --policy | --levels)
      choices='rm dm'
      [[ $previous == --policy ]] || choices='shared each'
      mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$current")
      return ;;
    --overflow)
      mapfile -t COMPREPLY < <(compgen -W 'oldest newest disconnect' -- "$current")
      return ;;
    --margin | --lanes | --priorities | --namespace | --span) return ;;
    --trader | --prefer | --properties | --most | --hops | --via | --super | --proxy | --delete | --dynamic-timeout | --link-timeout | --operation-timeout | --max-answers) return ;;
    --name-service | --into | --interval | --federation-timeout | --max-bindings | --max-contexts) return ;;
    --interface | --timeout | --repeat | --references | --port | --publish | -D | -U) return ;;
  esac
  case ${_callis_before[0]:-} in
    call) options='--idl --ifr --interface --timeout --repeat --oneway --pretty -I -D -U' ;;
    describe) options='--idl --ifr --interface --timeout -I -D -U' ;;
    browse) options='--idl --ifr --interface --timeout --port -I -D -U' ;;
    bridge) options='--idl --ifr --interface --timeout --references -I -D -U' ;;
    schedule)
      case ${_callis_before[1]:-} in
        serve) options='--idl --measured --margin --allow --max-memory --max-memory-each --ior-file --publish -I -D -U' ;;
        *) options='--idl --measured --margin --policy --levels --lanes --priorities --table --json --header --namespace --svg --span --config --output -I -D -U' ;;
      esac ;;
    ior) options='--json --ping --timeout' ;;
    events)
      case ${_callis_before[1]:-} in
        push) options='--json --interval --timeout' ;;
        pull | watch) options='--types --count --name --timeout' ;;
        names | forget) options='--timeout' ;;
        ls) options='--json --timeout' ;;
        *) options='--channel --queue --queue-bytes --overflow --priority --event-bytes --deadline --failures --poll --longest-pull --threads --durable
          --durable-bytes --durable-age --durable-replicas --durable-wait --connect-within --max-proxies --max-channels --allow --max-memory --max-memory-each --ior-file --publish --log --stats --stats-every --json' ;;
        push) options='--json --interval --source --type --ttl --timeout' ;;
        watch) options='--types --count --source --type --timeout' ;;
        pull) options='--types --count --timeout' ;;
        ls) options='--json --timeout' ;;
        *) options='--channel --queue --queue-bytes --overflow --event-bytes --deadline --failures --poll --longest-pull --threads --max-proxies --max-channels --rt-channel --rt-lanes --rt-schedule --rt-scheduler --rt-overflow --rt-confirmed --rt-from --rt-from-priority --rt-reach --allow --max-memory --max-memory-each --ior-file --publish --log --stats --stats-every --json' ;;
      esac ;;
    ifr)
      case ${_callis_before[1]:-serve} in
        serve) options='--store --max-disk --allow --max-memory --max-memory-each --ior-file --publish' ;;
        feed) options='-I -D -U' ;;
      esac ;;
    imr)
      options='--imr'
      case ${_callis_before[1]:-serve} in
        serve) options='--store --max-disk --allow --max-memory --max-memory-each --ior-file --publish --log --stats --stats-every --json --keep-damaged-aside --max-waiting
          --patience' ;;
        activator) options+=' --name --allow --max-memory --max-memory-each --ior-file --publish --log --stats-every' ;;
        add) options+=' --replace --max-processes --linger --activator --activation --env --directory --user --start-limit --pause --longest-pause --start-deadline
          --stop-deadline --endpoint --key-prefix' ;;
        ior) options+=' --type' ;;
      esac ;;
    properties)
      options='--store --max-disk --allow --max-memory --max-memory-each --ior-file --publish --log --stats --stats-every --json --keep-damaged-aside --max-sets --max-properties
        --value-bytes --set-bytes' ;;
    lifecycle)
      options='--allow --max-memory --max-memory-each --ior-file --publish --log --stats --stats-every --json --location --offers --constraint --prefer --timeout' ;;
    naming)
      options='--store --max-disk --readonly --allow --max-memory --max-memory-each --ior-file --publish --log --stats --stats-every --json --keep-damaged-aside
        --federation-timeout --max-bindings --max-contexts' ;;
    trading)
      options='--store --max-disk --allow --max-memory --max-memory-each --ior-file --publish --log --stats --stats-every --json --keep-damaged-aside --max-offers --dynamic-timeout
        --dynamic-query-timeout --dynamic-threads --link-timeout --link-threads --operation-timeout --max-answers --no-admin' ;;
    trade)
      options='--trader --timeout'
      case ${_callis_before[1]:-} in
        types) options+=' --interface --super --all' ;;
        offer) options+=' --proxy --match-all' ;;
        modify) options+=' --delete' ;;
        ls) options+=' --proxies' ;;
        query) options+=' --prefer --properties --most --exact --follow --hops --via --policy --references --json' ;;
        withdraw) options+=' --type' ;;
        link) options+=' --pass-on --limit' ;;
      esac ;;
    logging)
      options='--store --max-disk --allow --max-memory --max-memory-each --ior-file --publish --log --stats --stats-every --json --record-bytes --max-records --line-log
        --line-log-bytes' ;;
    log)
      options='--service --timeout'
      case ${_callis_before[1]:-} in
        ls) options+=' --json' ;;
        tail) options+=' --lines --level --follow --json' ;;
        query) options+=' --most --json' ;;
        export) options+=' --most' ;;
      esac ;;
    ns)
      options='--name-service --timeout'
      case ${_callis_before[1]:-} in
        ls) options+=' -r -l' ;;
        tree) options+=' -l' ;;
        bind | rebind) options+=' --context' ;;
        mkdir) options+=' -p' ;;
        rm) options+=' -r' ;;
        import) options+=' --into --replace' ;;
        watch) options+=' --interval --once' ;;
      esac ;;
  esac
  if [[ $current == -* ]]; then
    choices=$options
  elif ((${#_callis_before[@]} == 0)); then
    choices="help $(_callis_commands)"
  elif [[ ${_callis_before[0]:-} == help ]]; then
    choices=$(_callis_commands)
  elif [[ ${_callis_before[0]:-} == ifr && ${#_callis_before[@]} == 1 ]]; then
    choices='serve feed ls show'
  elif [[ ${_callis_before[0]:-} == imr && ${#_callis_before[@]} == 1 ]]; then
    choices='serve activator add ls status start stop rm ior'
  elif [[ ${_callis_before[0]:-} == ns && ${#_callis_before[@]} == 1 ]]; then
    choices='ls tree resolve bind rebind unbind mkdir rm export import watch'
  elif [[ ${_callis_before[0]:-} == trade && ${#_callis_before[@]} == 1 ]]; then
    choices='types offer modify show ls query withdraw link settings'
  elif [[ ${_callis_before[0]:-} == log && ${#_callis_before[@]} == 1 ]]; then
    choices='ls tail query export'
  elif [[ ${_callis_before[0]:-} == events && ${#_callis_before[@]} == 1 ]]; then
    choices='push pull watch ls names forget'
  elif [[ ${_callis_before[0]:-} == call && ${#_callis_before[@]} == 2 ]]; then
    choices="$(_callis_operations | sed -n 's/^operation //p') get set"
  elif [[ ${_callis_before[0]:-} == call && ${#_callis_before[@]} == 3 && ${_callis_before[2]:-} == [gs]et ]]; then
    choices=$(_callis_operations | sed -n 's/^attribute //p')
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
    return
  fi
  mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$current")
}
complete -o filenames -F _callis callis
