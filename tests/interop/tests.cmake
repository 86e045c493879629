# Which combinations are tested. Each is a ctest of its own, labelled interop. `./dev test` without further arguments runs those of a
# pair or of a kind by one test (interop_together), as Python's start takes longer than many of them.
set(interop_run ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/run.py)
set(interop_java_orbs jacorb openjdk yoko)  # a test of that name makes the ORB's side (jacorb.py, java.py)

function(interop_test name)
  set(arguments ${ARGN})
  if(interop_missing)
    set(arguments missing ${interop_missing})
  endif()
  add_test(NAME interop.${name} COMMAND ${interop_run} ${arguments})
  set_tests_properties(interop.${name} PROPERTIES LABELS "interop;case" TIMEOUT 120)
  string(REGEX MATCH "^((mixed|bridge)[.])?[^.]+" group ${name})
  # Foreign ORBs among themselves show that the cases are right, and nothing of callis: those are left to `./dev test --all`.
  if(NOT name IN_LIST interop_java_orbs AND NOT "${ARGN}" MATCHES "(^|;)callis|TARGET_FILE")
    set(group among_others)
  endif()
  list(JOIN arguments "\t" arguments)
  set_property(GLOBAL APPEND PROPERTY INTEROP_GROUPS ${group})
  set_property(GLOBAL APPEND_STRING PROPERTY INTEROP_GROUP_${group} "interop.${name}\t${arguments}\n")
endfunction()

# What the test of that name needs when these ORBs in Java take part.
function(interop_with name)
  foreach(orb ${ARGN})
    set_property(TEST interop.${name} APPEND PROPERTY FIXTURES_REQUIRED interop_${orb})
    set_property(TEST interop.${name} APPEND PROPERTY LABELS ${orb})
    set_property(GLOBAL APPEND PROPERTY INTEROP_WITH_${orb} interop.${name}\t)
  endforeach()
  set_tests_properties(interop.${name} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()
function(interop_with_jacorb name)
  interop_with(${name} jacorb)
endfunction()

# At the end: for each group a file with its tests, one in a line, and the test that runs them all.
function(interop_together)
  get_property(groups GLOBAL PROPERTY INTEROP_GROUPS)
  list(REMOVE_DUPLICATES groups)
  list(REMOVE_ITEM groups ${interop_java_orbs})  # fixtures: tests by themselves
  foreach(group ${groups})
    get_property(tests GLOBAL PROPERTY INTEROP_GROUP_${group})
    set(file ${CMAKE_CURRENT_BINARY_DIR}/together/${group})
    file(GENERATE OUTPUT ${file} CONTENT "${tests}")
    set(test interop.together.${group})
    add_test(NAME ${test} CONFIGURATIONS Together Full COMMAND ${interop_run} together ${file})
    set_tests_properties(${test} PROPERTIES LABELS interop TIMEOUT 900)
    foreach(orb ${interop_java_orbs})
      get_property(with GLOBAL PROPERTY INTEROP_WITH_${orb})
      list(JOIN with "|" with)
      if(with AND tests MATCHES "${with}")
        set_property(TEST ${test} APPEND PROPERTY FIXTURES_REQUIRED interop_${orb})
        set_property(TEST ${test} APPEND PROPERTY LABELS ${orb})
        set_tests_properties(${test} PROPERTIES SKIP_RETURN_CODE 77)
      endif()
    endforeach()
    if(group STREQUAL among_others)
      set_property(TEST ${test} APPEND PROPERTY LABELS rest)
    endif()
  endforeach()
endfunction()

# interop_exchange(client server version group [more options of `run.py exchange`])
function(interop_exchange client server version group)
  set(name ${client}_to_${server}.giop_${version}.${group})
  if("--tshark" IN_LIST ARGN)
    string(APPEND name .captured)
  endif()
  if("--locates" IN_LIST ARGN)
    string(APPEND name .locates)
  endif()
  if("--limit" IN_LIST ARGN)
    string(APPEND name .server_limited)
  endif()
  cmake_parse_arguments(A "" "--sync-scope" "" ${ARGN})
  if(A_--sync-scope)
    string(APPEND name .sync_${A_--sync-scope})
  endif()
  if("--fragment-bytes" IN_LIST ARGN)
    string(APPEND name .small_fragments)
  elseif("--fragments-from" IN_LIST ARGN)
    string(APPEND name .fragments)
  endif()
  interop_test(${name} exchange --programs ${interop_bin} --client ${client} --server ${server}
               --version ${version} --group ${group} ${ARGN})
endfunction()

function(interop_groups_for client server version out)
  set(groups params bulk large_params large_bulk types variants calls errors objects eight_bit any dyn_any contexts)
  if("${client}.${server}.${version}" STREQUAL omni.omni.1.1)
    # Its reader refuses the fragments that its own writer makes of long strings.
    list(REMOVE_ITEM groups large_params contexts)
  endif()
  if(version STREQUAL 1.2)  # omniORB has wide characters in no other
    list(APPEND groups wide)
  endif()
  set(${out} ${groups} PARENT_SCOPE)
endfunction()

function(interop_cases client server)
  foreach(version 1.0 1.1 1.2)
    interop_groups_for(${client} ${server} ${version} groups)
    foreach(group ${groups})
      interop_exchange(${client} ${server} ${version} ${group})
    endforeach()
  endforeach()
endfunction()

# The version told to the server instead of to the client, and what passes dissected by tshark.
function(interop_versions_and_captures client server)
  foreach(version 1.0 1.1 1.2)
    foreach(group params calls)
      interop_exchange(${client} ${server} ${version} ${group} --limit server)
    endforeach()
    foreach(group params calls objects)
      interop_exchange(${client} ${server} ${version} ${group} --tshark "${TSHARK}")
    endforeach()
  endforeach()
endfunction()

add_test(NAME interop.harness COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/harness/self_test.py
         "${TSHARK}")
set_tests_properties(interop.harness PROPERTIES LABELS interop TIMEOUT 60)

# omniORB with itself: the harness and the cases are right.
interop_cases(omni omni)
interop_versions_and_captures(omni omni)
interop_exchange(omni omni 1.1 large_bulk --fragments-from client,server)
interop_exchange(omni omni 1.2 large_params --fragments-from client,server)

# callis and omniORB, each way, and callis with itself.
foreach(style callis-interpreted callis-compiled)
  interop_cases(omni ${style})
  interop_cases(${style} omni)
  # omniORB sends in fragments what exceeds its buffer of 8 KiB, callis what exceeds the size it is told.
  foreach(group large_params types)
    interop_exchange(omni ${style} 1.2 ${group} --fragment-bytes 1000 --fragments-from client,server)
    interop_exchange(${style} omni 1.2 ${group} --fragment-bytes 1000 --fragments-from client,server)
  endforeach()
endforeach()
# What a oneway waits for, which omniORB's client cannot be told.
foreach(scope none server target)
  foreach(group calls errors)
    interop_exchange(callis-interpreted omni 1.2 ${group} --sync-scope ${scope})
    interop_exchange(callis-interpreted callis-compiled 1.2 ${group} --sync-scope ${scope})
  endforeach()
endforeach()
interop_versions_and_captures(omni callis-interpreted)
interop_versions_and_captures(callis-interpreted omni)
interop_versions_and_captures(callis-interpreted callis-interpreted)
foreach(group large_params large_bulk types)
  interop_exchange(omni callis-interpreted 1.1 ${group} --fragments-from client)
  interop_exchange(callis-interpreted omni 1.1 ${group} --fragments-from server)
endforeach()
foreach(version 1.0 1.1 1.2)
  set(groups params large_bulk types variants calls errors objects eight_bit contexts)
  if(NOT version STREQUAL 1.0)
    list(APPEND groups wide)
  endif()
  foreach(group ${groups})
    interop_exchange(callis-interpreted callis-compiled ${version} ${group})
    interop_exchange(callis-compiled callis-interpreted ${version} ${group})
  endforeach()
endforeach()
interop_exchange(callis-interpreted callis-compiled 1.2 types --fragment-bytes 64 --fragments-from client,server)
interop_exchange(callis-interpreted callis-compiled 1.2 dyn_any)
interop_exchange(callis-compiled callis-interpreted 1.2 large_params --fragment-bytes 5000
                 --fragments-from client,server)
interop_exchange(callis-interpreted callis-interpreted 1.2 params --fragment-bytes 1000
                 --fragments-from client,server --tshark "${TSHARK}")

# omniORB asks by LocateRequest whether an object is there before it calls it.
foreach(version 1.0 1.1 1.2)
  interop_exchange(omni callis-interpreted ${version} calls --locates)
endforeach()

# References of ours, read by others.
foreach(version 1.0 1.1 1.2)
  interop_test(catior.giop_${version} catior --programs ${interop_bin} --server callis-interpreted
               --version ${version} --catior "${CATIOR}")
endforeach()

# The echo example against omniORB's own, as Debian ships it.
set(eg2_client ${OMNIORB_EXAMPLES}/echo/eg2_clt)
set(eg2_server ${OMNIORB_EXAMPLES}/echo/eg2_impl)
foreach(version 1.0 1.1 1.2)
  interop_test(echo.eg2_clt_to_callis.giop_${version} echo --client ${eg2_client} --server $<TARGET_FILE:hello_server>
               --client-options "-ORBmaxGIOPVersion ${version}" --server-options "-ORBEndpoint tcp:127.0.0.1"
               --expect "replied, \"Hello!\"" --times 10)
  interop_test(echo.callis_to_eg2_impl.giop_${version} echo --client $<TARGET_FILE:hello_client> --server ${eg2_server}
               --client-options "-ORBGIOPVersion ${version}" --server-options "-ORBendPoint giop:tcp:127.0.0.1:"
               --expect "replied, \"Hello!\"")
endforeach()
interop_test(echo.eg2_with_itself echo --client ${eg2_client} --server ${eg2_server} --expect "replied, \"Hello!\""
             --times 10)
interop_test(echo.callis_with_itself echo --client $<TARGET_FILE:hello_client> --server $<TARGET_FILE:hello_server>
             --expect "replied, \"Hello!\"")

# omniORB's dynamic examples, as Debian ships them, and their sources built with callis.
set(dii_client ${OMNIORB_EXAMPLES}/dii/echo_diiclt)
set(dsi_server ${OMNIORB_EXAMPLES}/dsi/echo_dsiimpl)
set(from_callis --server-options "-ORBEndpoint tcp:127.0.0.1")
set(from_omni --server-options "-ORBendPoint giop:tcp:127.0.0.1:")
set(both_replies --expect "replied, \"Hello" --times 2)
foreach(version 1.0 1.1 1.2)
  set(omni_asks --client ${dii_client} --client-options "-ORBmaxGIOPVersion ${version}")
  set(callis_asks --client $<TARGET_FILE:interop_echo_diiclt> --client-options "-ORBGIOPVersion ${version}")
  interop_test(dynamic.omni_dii_to_callis_dsi.giop_${version} echo ${omni_asks} ${both_replies}
               --server $<TARGET_FILE:interop_echo_dsiimpl> ${from_callis})
  interop_test(dynamic.callis_dii_to_omni_dsi.giop_${version} echo ${callis_asks} ${both_replies} --server ${dsi_server}
               ${from_omni})
  interop_test(dynamic.callis_dii_to_omni_skeleton.giop_${version} echo ${callis_asks} ${both_replies}
               --server ${eg2_server} ${from_omni})
  interop_test(dynamic.omni_stub_to_callis_dsi.giop_${version} echo --client ${eg2_client}
               --client-options "-ORBmaxGIOPVersion ${version}" --expect "replied, \"Hello!\"" --times 10
               --server $<TARGET_FILE:interop_echo_dsiimpl> ${from_callis})
endforeach()
interop_test(dynamic.omni_dii_to_callis_skeleton echo --client ${dii_client} ${both_replies}
             --server $<TARGET_FILE:hello_server> ${from_callis})
interop_test(dynamic.callis_with_itself echo --client $<TARGET_FILE:interop_echo_diiclt> ${both_replies}
             --server $<TARGET_FILE:interop_echo_dsiimpl> ${from_callis})
interop_test(dynamic.callis_dii_to_callis_skeleton echo --client $<TARGET_FILE:interop_echo_diiclt> ${both_replies}
             --server $<TARGET_FILE:hello_server> ${from_callis})
interop_test(dynamic.omni_with_itself echo --client ${dii_client} --server ${dsi_server} ${both_replies})
# An asynchronous call of omniORB's and a deferred one by DII, whose replies it takes as they come. It looks for that of DII too early now
# and then, also with a server of its own, and ends without it.
set(pollable_client ${OMNIORB_EXAMPLES}/ami/echo_dii_pollable_set)
set(both_polled --expect "call returned: Hello " --times 2 --attempts 20)
foreach(version 1.0 1.1 1.2)
  foreach(server hello_server interop_echo_dsiimpl)
    interop_test(dynamic.omni_pollable_set_to_${server}.giop_${version} echo --client ${pollable_client}
                 --client-options "-ORBmaxGIOPVersion ${version}" ${both_polled} --server $<TARGET_FILE:${server}> ${from_callis})
  endforeach()
endforeach()
interop_test(dynamic.omni_pollable_set_with_itself echo --client ${pollable_client} --server ${eg2_server} ${both_polled})

# omniORB's example of anys, the same way: what arrives is said by the server, what comes back by the client.
set(any_client ${OMNIORB_EXAMPLES}/anyExample/anyExample_clt)
set(any_server ${OMNIORB_EXAMPLES}/anyExample/anyExample_impl)
set(four_anys --type IDL:anyExample:1.0 --expect "Returned Any: ULong: 314" --times 4 --server-says "Long: 100"
              --server-says "Double: 1.2345" --server-says "String: Hello" --server-says "testStruct: l: 456"
              --server-says "s: 8")
foreach(version 1.0 1.1 1.2)
  interop_test(dynamic.omni_anys_to_callis.giop_${version} echo --client ${any_client} ${four_anys}
               --client-options "-ORBmaxGIOPVersion ${version}" --server $<TARGET_FILE:interop_anyExample_impl> ${from_callis})
  interop_test(dynamic.callis_anys_to_omni.giop_${version} echo --client $<TARGET_FILE:interop_anyExample_clt> ${four_anys}
               --client-options "-ORBGIOPVersion ${version}" --server ${any_server} ${from_omni})
endforeach()
interop_test(dynamic.callis_anys_with_itself echo --client $<TARGET_FILE:interop_anyExample_clt> ${four_anys}
             --server $<TARGET_FILE:interop_anyExample_impl> ${from_callis})
interop_test(dynamic.omni_anys_with_itself echo --client ${any_client} --server ${any_server} ${four_anys} ${from_omni})
if(TARGET callis-call)
  interop_test(call.omni_anys call-anys --callis $<TARGET_FILE:callis> --server ${any_server}
               --idl ${CMAKE_CURRENT_SOURCE_DIR}/anyExample.idl)
endif()

# Unix-domain sockets, the servers' only endpoints.
foreach(client omni callis-interpreted callis-compiled)
  foreach(group params calls large_bulk types)
    interop_test(sockets.${client}_to_omni.${group} sockets --programs ${interop_bin} --client ${client} --server omni
                 --group ${group})
  endforeach()
endforeach()
set(replied --expect "replied, \"Hello!\"")
interop_test(sockets.eg2_clt_to_callis socket-echo --client ${eg2_client} --server $<TARGET_FILE:hello_server>
             "--endpoint=-ORBEndpoint unix:" ${replied})
interop_test(sockets.callis_to_eg2_impl socket-echo --client $<TARGET_FILE:hello_client> --server ${eg2_server}
             "--endpoint=-ORBendPoint giop:unix:" ${replied})
interop_test(sockets.callis_with_itself socket-echo --client $<TARGET_FILE:hello_client> --server $<TARGET_FILE:hello_server>
             "--endpoint=-ORBEndpoint unix:" ${replied})

# Calls from the shell, with omniORB's IDL.
if(TARGET callis-naming AND TARGET callis-ns)
  foreach(case omni jacorb jndi combat scripted ns omninames import killed killed_on_etcd etcd unit)
    interop_test(names.${case} names --callis $<TARGET_FILE:callis> --jacorb ${mixed_jacorb} --case ${case}
                 --unit ${PROJECT_SOURCE_DIR}/services/naming/callis-naming.service)
  endforeach()
  interop_with_jacorb(names.jacorb)
  interop_with(names.jndi openjdk)
endif()
if(TARGET callis-trading AND TARGET callis-trade)
  interop_test(trading.jacorb trading --callis $<TARGET_FILE:callis> --jacorb ${mixed_jacorb})
  interop_with_jacorb(trading.jacorb)
endif()
# Event channels of callis and of omniEvents, with each other's suppliers and consumers.
if(TARGET callis-events)
  foreach(case push_push push_pull pull_push pull_pull)
    interop_test(events.${case}.omni_to_callis events --callis $<TARGET_FILE:callis> --programs ${interop_bin} --case ${case} --peer omni
                 --channel callis)
    interop_test(events.${case}.callis_to_omni events --callis $<TARGET_FILE:callis> --programs ${interop_bin} --case ${case}
                 --peer callis --channel omni)
  endforeach()
  foreach(case factory recorded federated clients stopped)
    interop_test(events.${case} events --callis $<TARGET_FILE:callis> --programs ${interop_bin} --case ${case})
  endforeach()
endif()
# Typed channels of callis, with suppliers and consumers that have stubs of the interface: of omniORB and of JacORB.
if(TARGET callis_events_typed AND TARGET callis-events AND TARGET callis-ifr)
  set(typed_events typed-events --callis $<TARGET_FILE:callis> --programs ${interop_bin} --jacorb ${mixed_jacorb})
  foreach(case push_push push_pull pull_push pull_pull)
    interop_test(typed_events.${case}.omni_to_omni ${typed_events} --case ${case} --supplier omni --consumer omni)
  endforeach()
  foreach(version 1.0 1.1)
    interop_test(typed_events.push_push.omni_to_omni.giop_${version} ${typed_events} --case push_push --supplier omni --consumer omni
                 --version ${version})
    interop_test(typed_events.pull_pull.omni_to_omni.giop_${version} ${typed_events} --case pull_pull --supplier omni --consumer omni
                 --version ${version})
  endforeach()
  interop_test(typed_events.push_push.callis_to_omni ${typed_events} --case push_push --supplier callis --consumer omni)
  interop_test(typed_events.pull_pull.omni_to_callis ${typed_events} --case pull_pull --supplier omni --consumer callis)
  foreach(orb omni callis)
    interop_test(typed_events.refused.${orb} ${typed_events} --case refused --supplier ${orb} --consumer ${orb})
  endforeach()
  foreach(pair push_push.omni.jacorb push_push.jacorb.omni pull_pull.omni.jacorb pull_pull.jacorb.omni refused.jacorb.jacorb)
    string(REPLACE "." ";" parts ${pair})
    list(GET parts 0 case)
    list(GET parts 1 supplier)
    list(GET parts 2 consumer)
    interop_test(typed_events.${case}.${supplier}_to_${consumer} ${typed_events} --case ${case} --supplier ${supplier}
                 --consumer ${consumer})
    interop_with_jacorb(typed_events.${case}.${supplier}_to_${consumer})
  endforeach()
endif()
# Property sets of callis under a client of each ORB.
if(TARGET callis-properties)
  foreach(client callis omni)
    interop_test(properties.${client} properties --callis $<TARGET_FILE:callis> --programs ${interop_bin} --client ${client})
  endforeach()
endif()
# Streams of callis, controlled by a client of each ORB.
foreach(client callis omni)
  interop_test(streams.${client} streams --studio $<TARGET_FILE:callis_streams_studio> --programs ${interop_bin} --client ${client})
endforeach()
# Logs of callis, the same way.
if(TARGET callis-logging)
  foreach(client callis omni)
    interop_test(log_service.${client} log-service --callis $<TARGET_FILE:callis> --programs ${interop_bin} --client ${client})
  endforeach()
endif()
if(TARGET callis-call)
  interop_test(call.echo call-echo --callis $<TARGET_FILE:callis> --server ${eg2_server})
  interop_test(call.omni_names call-names --callis $<TARGET_FILE:callis>)
  interop_test(call.liars liars --callis $<TARGET_FILE:callis>)
  foreach(server omni callis-interpreted)
    interop_test(call.values_of_${server} call-values --callis $<TARGET_FILE:callis> --programs ${interop_bin}
                 --server ${server} --idl ${CMAKE_CURRENT_SOURCE_DIR}/values.idl)
  endforeach()
endif()

# URLs: corbaloc with each ORB on the other side, corbaname with omniNames between.
foreach(address one second versions escaped)
  interop_test(corbaloc.callis_to_eg2_impl.${address} corbaloc --client $<TARGET_FILE:hello_client> --server ${eg2_server}
               --server-options "-ORBendPoint giop:tcp:127.0.0.1:" --address ${address} ${replied})
  interop_test(corbaloc.eg2_clt_to_callis.${address} corbaloc --client ${eg2_client} --server $<TARGET_FILE:hello_server>
               --server-options "-ORBEndpoint tcp:127.0.0.1" --address ${address} ${replied})
endforeach()
foreach(name corbaname corbaname_rir default_init_ref init_ref escapes)
  interop_test(naming.callis.${name} naming --client $<TARGET_FILE:hello_client> --server $<TARGET_FILE:hello_server>
               --server-options "-ORBEndpoint tcp:127.0.0.1" --name ${name} ${replied})
endforeach()
interop_test(naming.eg2_clt.corbaname naming --client ${eg2_client} --server ${eg2_server}
             --server-options "-ORBendPoint giop:tcp:127.0.0.1:" --name corbaname ${replied})

# The other byte order, which no ORB on this machine speaks, and answers that need more than decoding.
foreach(version 1.0 1.1 1.2)
  foreach(order big little)
    foreach(server omni callis-interpreted callis-compiled)
      interop_test(scripted_client_to_${server}.giop_${version}.${order} scripted-client --programs ${interop_bin}
                   --server ${server} --version ${version} --order ${order})
    endforeach()
    foreach(way plainly in_fragments forwarded after_close)
      if(version STREQUAL 1.0 AND way STREQUAL in_fragments)
        continue()
      endif()
      interop_test(callis_to_scripted_server.giop_${version}.${order}.${way} scripted-server
                   --client $<TARGET_FILE:hello_client> --version ${version} --order ${order} --way ${way}
                   --expect "replied, \"Hello!\"")
    endforeach()
  endforeach()
endforeach()
# The scripts themselves, against omniORB's client.
foreach(way plainly in_fragments forwarded after_close)
  interop_test(eg2_clt_to_scripted_server.giop_1.2.big.${way} scripted-server --client ${eg2_client} --version 1.2
               --order big --way ${way} --expect "replied, \"Hello!\"" --times 10)
endforeach()

# Values: shared, in cycles, null, in chunks, truncated, boxed, and behind abstract interfaces.
foreach(pair "omni omni" "omni callis-interpreted" "omni callis-compiled" "callis-interpreted omni" "callis-compiled omni"
             "callis-interpreted callis-compiled" "callis-compiled callis-interpreted")
  separate_arguments(pair)
  list(GET pair 0 client)
  list(GET pair 1 server)
  foreach(version 1.0 1.1 1.2)
    interop_test(values.${client}_to_${server}.giop_${version} values --programs ${interop_bin} --client ${client}
                 --server ${server} --version ${version})
  endforeach()
endforeach()
foreach(pair "omni callis-interpreted" "callis-interpreted omni" "callis-interpreted callis-compiled")
  separate_arguments(pair)
  list(GET pair 0 client)
  list(GET pair 1 server)
  interop_test(values.${client}_to_${server}.giop_1.2.small_fragments values --programs ${interop_bin} --client ${client}
               --server ${server} --version 1.2 --fragment-bytes 256)
endforeach()

# Mixed: callis, omniORB and JacORB, whose part is made by the first of these tests (jacorb.py says how).
interop_test(jacorb jacorb --folder ${mixed_jacorb})
set_tests_properties(interop.jacorb PROPERTIES FIXTURES_SETUP interop_jacorb SKIP_RETURN_CODE 77 TIMEOUT 900 LABELS "interop;jacorb")
# The JDK's former ORB, and Yoko, whose stubs are made by the former's IDL compiler (java.py).
foreach(orb openjdk yoko)
  interop_test(${orb} java --orb ${orb} --folder ${CMAKE_CURRENT_BINARY_DIR}/${orb})
  set_tests_properties(interop.${orb} PROPERTIES FIXTURES_SETUP interop_${orb} SKIP_RETURN_CODE 77 TIMEOUT 900 LABELS "interop;${orb}")
endforeach()
set_tests_properties(interop.yoko PROPERTIES FIXTURES_REQUIRED interop_openjdk)

if(TARGET callis-ifr)
  foreach(client omni callis combat jacorb)
    interop_test(ifr.${client} ifr --callis $<TARGET_FILE:callis> --programs ${interop_bin} --jacorb ${mixed_jacorb} --client ${client})
  endforeach()
  interop_with_jacorb(ifr.jacorb)
endif()
if(TARGET callis-call)
  foreach(orb ${interop_java_orbs})
    interop_test(call.${orb} call-java --callis $<TARGET_FILE:callis> --jacorb ${mixed_jacorb} --orb ${orb}
                 --idl ${CMAKE_CURRENT_SOURCE_DIR}/mixed.idl)
    interop_with(call.${orb} ${orb})
  endforeach()
endif()

# interop_mixed(client server version group [more options of `run.py mixed`]); chars: "latin1 utf8", client's and server's
function(interop_mixed client server version group chars)
  separate_arguments(chars)
  list(GET chars 0 client_chars)
  list(GET chars 1 server_chars)
  set(name mixed.${client}_to_${server}.giop_${version}.${group})
  if(group STREQUAL code_sets OR NOT chars STREQUAL "latin1;latin1")
    string(APPEND name .${client_chars}_to_${server_chars})
  endif()
  if(ARGN)
    string(APPEND name .fragments)
  endif()
  interop_test(${name} mixed --programs ${interop_bin} --jacorb ${mixed_jacorb} --client ${client} --server ${server}
               --version ${version} --group ${group} --client-chars ${client_chars} --server-chars ${server_chars} ${ARGN})
  foreach(orb ${interop_java_orbs})
    if("${client} ${server}" MATCHES ${orb})
      interop_with(${name} ${orb})
    endif()
  endforeach()
endfunction()

foreach(pair "omni omni" "omni callis-interpreted" "omni callis-compiled" "callis-interpreted omni" "callis-compiled omni"
             "callis-interpreted callis-compiled" "callis-compiled callis-interpreted" "jacorb callis-interpreted"
             "jacorb callis-compiled" "callis-interpreted jacorb" "callis-compiled jacorb")
  separate_arguments(pair)
  list(GET pair 0 client)
  list(GET pair 1 server)
  foreach(chars "latin1 latin1" "latin1 utf8" "utf8 latin1" "utf8 utf8")
    interop_mixed(${client} ${server} 1.2 code_sets ${chars})
  endforeach()
  foreach(group types calls values large)
    interop_mixed(${client} ${server} 1.2 ${group} "latin1 latin1")
  endforeach()
  foreach(version 1.0 1.2)
    interop_mixed(${client} ${server} ${version} interceptors "latin1 latin1")
    if(NOT "omni" IN_LIST pair)
      interop_mixed(${client} ${server} ${version} deadlines "latin1 latin1")
    endif()
  endforeach()
  if(NOT pair STREQUAL "omni;omni")
    if(NOT server STREQUAL omni)  # which in 1.1 says UTF-8 and takes it for an error
      interop_mixed(${client} ${server} 1.1 code_sets "latin1 utf8")
    endif()
    interop_mixed(${client} ${server} 1.1 code_sets "utf8 latin1")
    interop_mixed(${client} ${server} 1.1 large "latin1 latin1")
    interop_mixed(${client} ${server} 1.0 calls "latin1 latin1")
    # 2 MB in fragments of 8 KB, whichever side is callis; omniORB sends such by itself.
    interop_mixed(${client} ${server} 1.2 large "latin1 latin1" --fragment-bytes 8192)
    # The same with conversion.
    interop_mixed(${client} ${server} 1.2 types "utf8 latin1")
  endif()
endforeach()

if(TARGET callis-browse AND TARGET callis-ifr)
  interop_test(browse.ifr browse-ifr --callis $<TARGET_FILE:callis> --programs ${interop_bin}
               --idl ${CMAKE_CURRENT_SOURCE_DIR}/mixed.idl)
endif()
# A browser is a large package: ./dev test --all.
if(TARGET callis-browse)
  add_test(NAME interop.browse CONFIGURATIONS Full COMMAND ${interop_run} browse --callis $<TARGET_FILE:callis>
           --programs ${interop_bin} --idl ${CMAKE_CURRENT_SOURCE_DIR}/mixed.idl)
  set_tests_properties(interop.browse PROPERTIES LABELS interop TIMEOUT 300 SKIP_RETURN_CODE 77)
endif()

# JacORB without stubs and skeletons: by DII and DynAny, by DSI. callis static, and dynamic (the bridge's server is DSI, its client
# DII and its values are DynAny's).
foreach(pair "jacorb-dynamic callis-interpreted" "jacorb-dynamic callis-compiled" "callis-interpreted jacorb-dynamic"
             "jacorb-dynamic jacorb-dynamic")
  separate_arguments(pair)
  list(GET pair 0 client)
  list(GET pair 1 server)
  foreach(case "1.0 calls" "1.2 calls" "1.2 types")
    separate_arguments(case)
    list(GET case 0 version)
    list(GET case 1 group)
    interop_mixed(${client} ${server} ${version} ${group} "latin1 latin1")
    if(TARGET callis-bridge AND pair STREQUAL "jacorb-dynamic;jacorb-dynamic")
      set(name bridge.${client}_to_${server}.giop_${version}.${group})
      interop_test(${name} mixed --programs ${interop_bin} --jacorb ${mixed_jacorb} --client ${client} --server ${server}
                   --version ${version} --group ${group} --bridge $<TARGET_FILE:callis-bridge>
                   --idl ${CMAKE_CURRENT_SOURCE_DIR}/mixed.idl)
      interop_with_jacorb(${name})
    endif()
  endforeach()
endforeach()

# The same through `callis bridge`, calls back too. JacORB writes big-endian, the others as this machine does.
if(TARGET callis-bridge)
  foreach(pair "omni jacorb" "jacorb omni" "omni omni" "omni callis-interpreted" "callis-interpreted jacorb")
    separate_arguments(pair)
    list(GET pair 0 client)
    list(GET pair 1 server)
    foreach(case "1.0 calls" "1.1 calls" "1.2 calls" "1.2 types" "1.2 values" "1.2 large")
      separate_arguments(case)
      list(GET case 0 version)
      list(GET case 1 group)
      set(name bridge.${client}_to_${server}.giop_${version}.${group})
      interop_test(${name} mixed --programs ${interop_bin} --jacorb ${mixed_jacorb} --client ${client} --server ${server}
                   --version ${version} --group ${group} --bridge $<TARGET_FILE:callis-bridge>
                   --idl ${CMAKE_CURRENT_SOURCE_DIR}/mixed.idl)
      if("jacorb" IN_LIST pair)
        interop_with_jacorb(${name})
      endif()
    endforeach()
  endforeach()
  # With types from an Interface Repository.
  if(TARGET callis-ifr)
    foreach(group calls types values)
      interop_test(bridge.ifr.omni_to_callis-interpreted.giop_1.2.${group} mixed --programs ${interop_bin} --jacorb ${mixed_jacorb}
                   --client omni --server callis-interpreted --version 1.2 --group ${group} --bridge $<TARGET_FILE:callis-bridge>
                   --callis $<TARGET_FILE:callis> --idl ${CMAKE_CURRENT_SOURCE_DIR}/mixed.idl)
    endforeach()
  endif()
endif()

# What clients in Java do otherwise than those of C++.
foreach(style interpreted compiled)
  foreach(group unknown shared repeated nested custom custom_in_any bounded parallel plain)
    interop_test(foreign.jacorb_to_callis-${style}.${group} foreign --programs ${interop_bin} --jacorb ${mixed_jacorb}
                 --server callis-${style} --group ${group})
    interop_with_jacorb(foreign.jacorb_to_callis-${style}.${group})
  endforeach()
endforeach()
set(foreign_groups_of_openjdk unknown repeated nested custom custom_in_any bounded parallel plain)  # README.md says what they cannot do
set(foreign_groups_of_yoko unknown repeated nested custom bounded parallel plain)
foreach(client openjdk yoko)
  foreach(group ${foreign_groups_of_${client}})
    interop_test(foreign.${client}_to_callis-interpreted.${group} foreign --programs ${interop_bin} --jacorb ${mixed_jacorb}
                 --client ${client} --server callis-interpreted --group ${group})
    interop_with(foreign.${client}_to_callis-interpreted.${group} ${client})
  endforeach()
endforeach()

# The ORB of the micro profile, which has no wide characters: so not the group `types`.
foreach(pair "micro omni" "omni micro" "micro callis-interpreted" "callis-compiled micro" "micro jacorb" "jacorb micro" "micro micro")
  separate_arguments(pair)
  list(GET pair 0 client)
  list(GET pair 1 server)
  foreach(group calls values large code_sets)
    interop_mixed(${client} ${server} 1.2 ${group} "latin1 latin1")
  endforeach()
  if(server STREQUAL micro AND NOT client STREQUAL micro)
    interop_mixed(${client} ${server} 1.0 calls "latin1 latin1")
  endif()
endforeach()

# The JDK's former ORB, in fragments of 1 KiB and of 32 bytes, and Yoko, each way and with itself. Neither has all of JacORB's cases: README.md.
foreach(orb openjdk yoko)
  foreach(style interpreted compiled)
    foreach(group types values)
      interop_mixed(${orb} callis-${style} 1.2 ${group} "latin1 latin1")
      interop_mixed(callis-${style} ${orb} 1.2 ${group} "latin1 latin1")
    endforeach()
  endforeach()
  foreach(pair "${orb} callis-interpreted" "callis-interpreted ${orb}" "${orb} ${orb}")
    separate_arguments(pair)
    foreach(case "1.2 calls" "1.2 large" "1.2 interceptors" "1.0 calls" "1.1 large")
      separate_arguments(case)
      interop_mixed(${pair} ${case} "latin1 latin1")
    endforeach()
    interop_mixed(${pair} 1.1 code_sets "latin1 latin1")
    interop_mixed(${pair} 1.2 code_sets "latin1 latin1")
  endforeach()
  foreach(pair "${orb} callis-interpreted" "callis-interpreted ${orb}")
    separate_arguments(pair)
    interop_mixed(${pair} 1.2 large "latin1 latin1" --fragment-bytes 8192)
  endforeach()
  foreach(group types values)
    interop_mixed(${orb} ${orb} 1.2 ${group} "latin1 latin1")
  endforeach()
  # Yoko's programs have ISO 8859-1 only.
  interop_mixed(${orb} callis-interpreted 1.2 code_sets "latin1 utf8")
  interop_mixed(callis-interpreted ${orb} 1.2 code_sets "utf8 latin1")
  interop_mixed(${orb}-dynamic callis-interpreted 1.2 calls "latin1 latin1")
  interop_mixed(callis-interpreted ${orb}-dynamic 1.2 types "latin1 latin1")
endforeach()
foreach(chars "utf8 latin1" "utf8 utf8")
  interop_mixed(openjdk callis-interpreted 1.2 code_sets ${chars})
endforeach()
foreach(chars "latin1 utf8" "utf8 utf8")
  interop_mixed(callis-interpreted openjdk 1.2 code_sets ${chars})
endforeach()
interop_mixed(yoko-dynamic callis-interpreted 1.2 types "latin1 latin1")
interop_mixed(callis-interpreted yoko-dynamic 1.2 calls "latin1 latin1")

# Combat, which is written in Tcl: it has no rings of values, ISO 8859-1 for its strings (what else it says it sends
# unconverted), and as a server 1.2 only.
foreach(style interpreted compiled)
  foreach(group types calls large)
    interop_mixed(combat callis-${style} 1.2 ${group} "latin1 latin1")
    interop_mixed(callis-${style} combat 1.2 ${group} "latin1 latin1")
  endforeach()
  foreach(chars latin1 utf8)
    interop_mixed(combat callis-${style} 1.2 code_sets "latin1 ${chars}")
    interop_mixed(callis-${style} combat 1.2 code_sets "${chars} latin1")
  endforeach()
  interop_mixed(combat callis-${style} 1.1 types "latin1 latin1")
  interop_mixed(combat callis-${style} 1.0 calls "latin1 latin1")
  interop_mixed(combat callis-${style} 1.2 large "latin1 latin1" --fragment-bytes 8192)
  interop_mixed(callis-${style} combat 1.2 large "latin1 latin1" --fragment-bytes 8192)
endforeach()

# Calls back over the client's connection, each ORB on each side.
foreach(client omni callis jacorb)
  foreach(server omni callis jacorb)
    set(pair ${client}_to_${server})
    if(client STREQUAL jacorb AND server STREQUAL omni OR client STREQUAL omni AND server STREQUAL jacorb)
      continue()
    endif()
    interop_test(bidirectional.${pair} bidirectional --programs ${interop_bin} --jacorb ${mixed_jacorb} --client ${client} --server ${server})
    if(pair MATCHES jacorb)
      interop_with_jacorb(bidirectional.${pair})
    endif()
  endforeach()
endforeach()
# The same over connections of their own, with clients whose calls share one: what a servant waits for comes behind the
# request that it serves.
foreach(client omni callis jacorb)
  interop_test(callbacks.${client}_to_callis bidirectional --programs ${interop_bin} --jacorb ${mixed_jacorb} --client ${client}
               --server callis --usual --shared)
endforeach()
interop_test(callbacks.callis_to_jacorb bidirectional --programs ${interop_bin} --jacorb ${mixed_jacorb} --client callis
             --server jacorb --usual --shared)
foreach(pair jacorb_to_callis callis_to_jacorb)
  interop_with_jacorb(callbacks.${pair})
endforeach()
foreach(pair "omni callis" "callis omni" "callis callis")
  separate_arguments(pair)
  list(GET pair 0 client)
  list(GET pair 1 server)
  interop_test(bidirectional.${client}_to_${server}.pool bidirectional --programs ${interop_bin} --jacorb ${mixed_jacorb}
               --client ${client} --server ${server} --threads pool)
  interop_test(bidirectional.${client}_to_${server}.small_fragments bidirectional --programs ${interop_bin} --jacorb ${mixed_jacorb}
               --client ${client} --server ${server} --fragment-bytes 256)
endforeach()

# TLS: each way, with certificates of `callis tls`. A client of another site is refused by each server.
if(TARGET callis_tls AND TARGET callis-tls)
  foreach(pair "callis callis" "callis omni" "omni callis" "omni omni")
    separate_arguments(pair)
    list(GET pair 0 client)
    list(GET pair 1 server)
    set(told --callis $<TARGET_FILE:callis> --programs ${interop_bin} --client ${client} --server ${server})
    foreach(group types calls large)
      interop_test(tls.${client}_to_${server}.${group} tls ${told} --group ${group})
    endforeach()
    interop_test(tls.${client}_to_${server}.stranger tls ${told} --stranger)
  endforeach()
  foreach(pair "callis jacorb" "jacorb callis")
    separate_arguments(pair)
    list(GET pair 0 client)
    list(GET pair 1 server)
    set(told --callis $<TARGET_FILE:callis> --programs ${interop_bin} --jacorb ${mixed_jacorb} --client ${client} --server ${server})
    foreach(group types calls)
      interop_test(tls.${client}_to_${server}.${group} tls ${told} --group ${group})
      interop_with_jacorb(tls.${client}_to_${server}.${group})
    endforeach()
    interop_test(tls.${client}_to_${server}.stranger tls ${told} --stranger)
    interop_with_jacorb(tls.${client}_to_${server}.stranger)
  endforeach()
  foreach(threads pool single)
    interop_test(tls.omni_to_callis.${threads} tls --callis $<TARGET_FILE:callis> --programs ${interop_bin}
                 --client omni --server callis --group calls --threads ${threads})
  endforeach()
  interop_test(tls.offers tls-offers --callis $<TARGET_FILE:callis> --programs ${interop_bin})
endif()
