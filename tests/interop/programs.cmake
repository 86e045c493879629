# The programs of programs/, once with omniORB and for each stub style of callis.
find_program(OMNIIDL omniidl)
find_program(CATIOR catior)
find_program(TSHARK tshark)
find_path(OMNIORB_INCLUDE omniORB4/CORBA.h)
find_library(OMNIORB_LIBRARY omniORB4)
find_library(OMNIDYNAMIC_LIBRARY omniDynamic4)
find_library(OMNITHREAD_LIBRARY omnithread)
find_library(OMNISSL_LIBRARY omnisslTP4)
set(OMNIORB_EXAMPLES /usr/lib/omniorb/examples CACHE PATH "omniORB's example programs, of Debian's omniorb-doc")

set(interop_missing)
foreach(needed "OMNIIDL=omniidl" "CATIOR=catior (omniorb)" "TSHARK=tshark"
               "OMNIORB_INCLUDE=the headers of omniORB (libomniorb4-dev)"
               "OMNIORB_LIBRARY=libomniORB4 (libomniorb4-dev)" "OMNIDYNAMIC_LIBRARY=libomniDynamic4 (libomniorb4-dev)" "OMNITHREAD_LIBRARY=libomnithread (libomniorb4-dev)")
  string(REGEX MATCH "^([A-Z_]+)=(.*)$" unused "${needed}")
  if(NOT ${CMAKE_MATCH_1})
    list(APPEND interop_missing "${CMAKE_MATCH_2}")
  endif()
endforeach()
if(NOT EXISTS ${OMNIORB_EXAMPLES}/echo/eg2_impl)
  list(APPEND interop_missing "omniORB's example programs (omniorb-doc)")
endif()

set(interop_bin ${CMAKE_CURRENT_BINARY_DIR}/bin)
set(interop_bin ${interop_bin} PARENT_SCOPE)  # tests/fault runs them too
set(interop_client_sources programs/client.cpp programs/cases_params.cpp programs/cases_types.cpp programs/cases_variants.cpp
                           programs/cases_calls.cpp programs/cases_objects.cpp programs/cases_text.cpp
                           programs/cases_steady.cpp programs/cases_any.cpp programs/cases_dyn_any.cpp programs/cases_contexts.cpp
                           programs/any_values.cpp)
set(interop_server_sources programs/server.cpp programs/servants.cpp programs/any_values.cpp)

function(interop_program target)
  add_executable(${target} ${ARGN})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${interop_bin})
endfunction()

if(NOT interop_missing)
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/omni)
  file(MAKE_DIRECTORY ${generated})
  foreach(idl interop any contexts)
    add_custom_command(OUTPUT ${generated}/${idl}.hh ${generated}/${idl}SK.cc ${generated}/${idl}DynSK.cc
      COMMAND ${OMNIIDL} -bcxx -C${generated} -Wbh=.hh -Wbs=SK.cc -Wba ${CMAKE_CURRENT_SOURCE_DIR}/${idl}.idl
      DEPENDS ${idl}.idl COMMENT "omniidl ${idl}.idl" VERBATIM)
  endforeach()
  # Generated code and headers that are not ours: without our warnings, and not optimised, which takes long.
  add_library(interop_omni_stubs STATIC ${generated}/interop.hh ${generated}/interopSK.cc ${generated}/interopDynSK.cc
              ${generated}/any.hh ${generated}/anySK.cc ${generated}/anyDynSK.cc
              ${generated}/contexts.hh ${generated}/contextsSK.cc ${generated}/contextsDynSK.cc)
  target_include_directories(interop_omni_stubs SYSTEM PUBLIC ${generated} ${OMNIORB_INCLUDE})
  target_compile_options(interop_omni_stubs PRIVATE -w -O0)
  target_compile_definitions(interop_omni_stubs PUBLIC INTEROP_OMNIORB)
  target_link_libraries(interop_omni_stubs PUBLIC ${OMNIDYNAMIC_LIBRARY} ${OMNIORB_LIBRARY} ${OMNITHREAD_LIBRARY} Threads::Threads)
  foreach(role client server)
    interop_program(interop_${role}_omni ${interop_${role}_sources})
    target_link_libraries(interop_${role}_omni PRIVATE callis_flags interop_omni_stubs)
    callis_compile_together(interop_${role}_omni ${CALLIS_TESTS_AT_ONCE})
  endforeach()
endif()

# omniORB's examples of DII, DSI and anys, against callis.
add_library(interop_any_example STATIC)
callis_idl_generate(interop_any_example anyExample.idl STYLE omniorb)
target_link_libraries(interop_any_example PRIVATE callis_flags PUBLIC callis::poa callis_messaging)
foreach(program dii/echo_diiclt dsi/echo_dsiimpl anyExample/anyExample_clt anyExample/anyExample_impl)
  get_filename_component(name ${program} NAME)
  if(EXISTS ${OMNIORB_EXAMPLES}/${program}.cc)
    interop_program(interop_${name} ${OMNIORB_EXAMPLES}/${program}.cc)
    target_include_directories(interop_${name} BEFORE PRIVATE programs/dynamic)
    target_compile_options(interop_${name} PRIVATE -w)
    target_compile_definitions(interop_${name} PRIVATE HAVE_STD)  # omniORB's headers tell: <iostream>, not <iostream.h>
    target_link_libraries(interop_${name} PRIVATE callis_dynamic interop_any_example)
  endif()
endforeach()

# callis: the programs are compiled once, against the headers of the interpreted stubs; those of the compiled
# ones are the same, and the test interop.headers_of_both_styles says so.
foreach(style interpreted compiled)
  add_library(interop_stubs_${style} STATIC)
  callis_idl_generate(interop_stubs_${style} interop.idl any.idl contexts.idl OPTIONS --stubs=${style})
  target_link_libraries(interop_stubs_${style} PRIVATE callis_flags PUBLIC callis::poa)
endforeach()
foreach(role client server)
  add_library(interop_${role}_objects OBJECT ${interop_${role}_sources})
  target_link_libraries(interop_${role}_objects PRIVATE callis_flags interop_stubs_interpreted callis_dynamic)
  callis_compile_together(interop_${role}_objects ${CALLIS_TESTS_AT_ONCE})
  foreach(style interpreted compiled)
    interop_program(interop_${role}_callis_${style})
    target_link_libraries(interop_${role}_callis_${style} PRIVATE interop_${role}_objects interop_stubs_${style} callis_dynamic)
  endforeach()
endforeach()
add_test(NAME interop.headers_of_both_styles COMMAND ${CMAKE_COMMAND} -E compare_files
         ${CMAKE_CURRENT_BINARY_DIR}/idl/interop_stubs_interpreted/interop.h
         ${CMAKE_CURRENT_BINARY_DIR}/idl/interop_stubs_compiled/interop.h)
set_tests_properties(interop.headers_of_both_styles PROPERTIES LABELS interop)

# Values: programs of their own, programs/values/.
if(NOT interop_missing)
  find_library(OMNIDYNAMIC_LIBRARY omniDynamic4 REQUIRED)  # where omniORB has its valuetypes
  add_custom_command(OUTPUT ${generated}/values.hh ${generated}/valuesSK.cc ${generated}/valuesDynSK.cc
    COMMAND ${OMNIIDL} -bcxx -C${generated} -Wba -Wbh=.hh -Wbs=SK.cc ${CMAKE_CURRENT_SOURCE_DIR}/values.idl
    DEPENDS values.idl COMMENT "omniidl values.idl" VERBATIM)
  add_library(values_omni_stubs STATIC ${generated}/values.hh ${generated}/valuesSK.cc ${generated}/valuesDynSK.cc)
  target_include_directories(values_omni_stubs SYSTEM PUBLIC ${generated} ${OMNIORB_INCLUDE})
  target_compile_options(values_omni_stubs PRIVATE -w -O0)
  target_compile_definitions(values_omni_stubs PUBLIC INTEROP_OMNIORB)
  target_link_libraries(values_omni_stubs PUBLIC ${OMNIDYNAMIC_LIBRARY} ${OMNIORB_LIBRARY} ${OMNITHREAD_LIBRARY} Threads::Threads)
  foreach(role client server)
    interop_program(values_${role}_omni programs/values/${role}.cpp)
    target_link_libraries(values_${role}_omni PRIVATE callis_flags values_omni_stubs)
  endforeach()
endif()
foreach(style interpreted compiled)
  add_library(values_stubs_${style} STATIC)
  callis_idl_generate(values_stubs_${style} values.idl OPTIONS --stubs=${style})
  target_link_libraries(values_stubs_${style} PRIVATE callis_flags PUBLIC callis::poa)
  foreach(role client server)
    interop_program(values_${role}_callis_${style} programs/values/${role}.cpp)
    target_link_libraries(values_${role}_callis_${style} PRIVATE callis_flags values_stubs_${style})
  endforeach()
endforeach()

# Mixed: ORBs of several languages, programs/mixed/ and jacorb/.
if(NOT interop_missing)
  add_custom_command(OUTPUT ${generated}/mixed.hh ${generated}/mixedSK.cc ${generated}/mixedDynSK.cc
    COMMAND ${OMNIIDL} -bcxx -C${generated} -Wba -Wbh=.hh -Wbs=SK.cc ${CMAKE_CURRENT_SOURCE_DIR}/mixed.idl
    DEPENDS mixed.idl COMMENT "omniidl mixed.idl" VERBATIM)
  add_library(mixed_omni_stubs STATIC ${generated}/mixed.hh ${generated}/mixedSK.cc ${generated}/mixedDynSK.cc)
  target_include_directories(mixed_omni_stubs SYSTEM PUBLIC ${generated} ${OMNIORB_INCLUDE})
  target_compile_options(mixed_omni_stubs PRIVATE -w -O0)
  target_compile_definitions(mixed_omni_stubs PUBLIC INTEROP_OMNIORB)
  target_link_libraries(mixed_omni_stubs PUBLIC ${OMNIDYNAMIC_LIBRARY} ${OMNIORB_LIBRARY} ${OMNITHREAD_LIBRARY} Threads::Threads)
  foreach(role client server)
    interop_program(mixed_${role}_omni programs/mixed/${role}.cpp)
    target_link_libraries(mixed_${role}_omni PRIVATE callis_flags mixed_omni_stubs)
    if(OMNISSL_LIBRARY AND TARGET callis_tls)
      target_sources(mixed_${role}_omni PRIVATE programs/mixed/tls.cpp)
      target_include_directories(mixed_${role}_omni SYSTEM PRIVATE ${CALLIS_OPENSSL_INCLUDE})
      target_link_libraries(mixed_${role}_omni PRIVATE ${OMNISSL_LIBRARY})
    endif()
  endforeach()
endif()
foreach(style interpreted compiled)
  add_library(mixed_stubs_${style} STATIC)
  callis_idl_generate(mixed_stubs_${style} mixed.idl OPTIONS --stubs=${style})
  target_link_libraries(mixed_stubs_${style} PRIVATE callis_flags PUBLIC callis::poa)
endforeach()
foreach(role client server)
  add_library(mixed_${role}_objects OBJECT programs/mixed/${role}.cpp)
  target_link_libraries(mixed_${role}_objects PRIVATE callis_flags mixed_stubs_interpreted callis::interceptors)
  set(with_tls)
  if(TARGET callis_tls)
    set(with_tls callis::tls)
    target_sources(mixed_${role}_objects PRIVATE programs/mixed/tls.cpp)
    target_link_libraries(mixed_${role}_objects PRIVATE callis::tls)
  endif()
  foreach(style interpreted compiled)
    interop_program(mixed_${role}_callis_${style})
    target_link_libraries(mixed_${role}_callis_${style} PRIVATE mixed_${role}_objects mixed_stubs_${style} callis::interceptors ${with_tls})
  endforeach()
endforeach()

# The same sources with the ORB of the micro profile.
foreach(role client server)
  interop_program(mixed_${role}_micro programs/mixed/${role}.cpp)
  callis_idl_generate(mixed_${role}_micro mixed.idl)
  target_compile_definitions(mixed_${role}_micro PRIVATE INTEROP_MICRO)
  target_link_libraries(mixed_${role}_micro PRIVATE callis_flags callis::micro)
  callis_minimal(mixed_${role}_micro micro_fragments)
endforeach()

# An Interface Repository, read by each ORB's stubs.
if(TARGET callis-ifr)
  if(NOT interop_missing)
    interop_program(ifr_reader_omni programs/ifr/reader.cpp)
    target_include_directories(ifr_reader_omni SYSTEM PRIVATE ${OMNIORB_INCLUDE})
    target_compile_definitions(ifr_reader_omni PRIVATE INTEROP_OMNIORB)
    target_link_libraries(ifr_reader_omni PRIVATE callis_flags ${OMNIDYNAMIC_LIBRARY} ${OMNIORB_LIBRARY} ${OMNITHREAD_LIBRARY} Threads::Threads)
  endif()
  interop_program(ifr_reader_callis programs/ifr/reader.cpp)
  target_link_libraries(ifr_reader_callis PRIVATE callis_flags callis_ifr_reading)
endif()

# Suppliers and consumers of event channels.
set(events_idl ${PROJECT_SOURCE_DIR}/services/events)
if(NOT interop_missing)
  add_custom_command(OUTPUT ${generated}/CosEventChannelAdmin.hh ${generated}/CosEventChannelAdminSK.cc
    COMMAND ${OMNIIDL} -bcxx -C${generated} -Wbinline -Wbh=.hh -Wbs=SK.cc -I${events_idl} ${events_idl}/CosEventChannelAdmin.idl
    DEPENDS ${events_idl}/CosEventChannelAdmin.idl ${events_idl}/CosEventComm.idl COMMENT "omniidl CosEventChannelAdmin.idl" VERBATIM)
  interop_program(events_peer_omni programs/events/peer.cpp ${generated}/CosEventChannelAdminSK.cc)
  target_include_directories(events_peer_omni SYSTEM PRIVATE ${generated} ${OMNIORB_INCLUDE})
  target_compile_options(events_peer_omni PRIVATE -w -O0)
  target_compile_definitions(events_peer_omni PRIVATE INTEROP_OMNIORB)
  target_link_libraries(events_peer_omni PRIVATE ${OMNIDYNAMIC_LIBRARY} ${OMNIORB_LIBRARY} ${OMNITHREAD_LIBRARY} Threads::Threads)
endif()
interop_program(events_peer_callis programs/events/peer.cpp)
callis_idl_generate(events_peer_callis ${events_idl}/CosEventComm.idl ${events_idl}/CosEventChannelAdmin.idl)
target_link_libraries(events_peer_callis PRIVATE callis_flags callis::poa)

# The same of typed channels.
set(plant_idl ${events_idl}/typed/testing/plant.idl)
if(NOT interop_missing)
  set(typed_made ${generated}/typed/CosTypedEventChannelAdmin ${generated}/typed/plant)
  file(MAKE_DIRECTORY ${generated}/typed)
  foreach(idl ${events_idl}/typed/CosTypedEventChannelAdmin.idl ${plant_idl})
    cmake_path(GET idl STEM stem)
    add_custom_command(OUTPUT ${generated}/typed/${stem}.hh ${generated}/typed/${stem}SK.cc
      COMMAND ${OMNIIDL} -bcxx -C${generated}/typed -Wbinline -Wbh=.hh -Wbs=SK.cc -I${events_idl} -I${events_idl}/typed ${idl}
      DEPENDS ${idl} COMMENT "omniidl ${stem}.idl" VERBATIM)
  endforeach()
  list(TRANSFORM typed_made APPEND SK.cc)
  interop_program(typed_events_peer_omni programs/typed_events/peer.cpp ${typed_made})
  target_include_directories(typed_events_peer_omni SYSTEM PRIVATE ${generated}/typed ${OMNIORB_INCLUDE})
  target_compile_options(typed_events_peer_omni PRIVATE -w -O0)
  target_compile_definitions(typed_events_peer_omni PRIVATE INTEROP_OMNIORB)
  target_link_libraries(typed_events_peer_omni PRIVATE ${OMNIDYNAMIC_LIBRARY} ${OMNIORB_LIBRARY} ${OMNITHREAD_LIBRARY} Threads::Threads)
endif()
interop_program(typed_events_peer_callis programs/typed_events/peer.cpp)
callis_idl_generate(typed_events_peer_callis ${events_idl}/CosEventComm.idl ${events_idl}/CosEventChannelAdmin.idl
                    ${events_idl}/typed/CosTypedEventComm.idl ${events_idl}/typed/CosTypedEventChannelAdmin.idl ${plant_idl}
                    OPTIONS -I ${events_idl} -I ${events_idl}/typed)
target_link_libraries(typed_events_peer_callis PRIVATE callis_flags callis::poa)

# Clients of property sets, and of streams, whose IDL includes theirs. That includes orb.idl, which omniORB has beside its own.
find_path(OMNIORB_IDL orb.idl PATHS /usr/share/idl/omniORB)
set(properties_idl ${PROJECT_SOURCE_DIR}/services/properties/CosPropertyService.idl)
set(streams_idl ${PROJECT_SOURCE_DIR}/services/streams/AVStreams.idl)
if(NOT interop_missing)
  set(sources)
  foreach(idl ${properties_idl} ${streams_idl})
    cmake_path(GET idl STEM stem)
    set(made ${generated}/${stem}.hh ${generated}/${stem}SK.cc ${generated}/${stem}DynSK.cc)
    add_custom_command(OUTPUT ${made}
      COMMAND ${OMNIIDL} -bcxx -C${generated} -Wba -Wbh=.hh -Wbs=SK.cc -I${OMNIORB_IDL} -I${PROJECT_SOURCE_DIR}/services/properties ${idl}
      DEPENDS ${idl} ${properties_idl} COMMENT "omniidl ${stem}.idl" VERBATIM)
    list(APPEND sources ${made})
  endforeach()
  add_library(streams_omni_stubs STATIC ${sources})
  target_include_directories(streams_omni_stubs SYSTEM PUBLIC ${generated} ${OMNIORB_INCLUDE})
  target_compile_options(streams_omni_stubs PUBLIC -w -O0)
  target_compile_definitions(streams_omni_stubs PUBLIC INTEROP_OMNIORB)
  target_link_libraries(streams_omni_stubs PUBLIC ${OMNIDYNAMIC_LIBRARY} ${OMNIORB_LIBRARY} ${OMNITHREAD_LIBRARY} Threads::Threads)
  foreach(service properties streams)
    interop_program(${service}_client_omni programs/${service}/client.cpp)
    target_link_libraries(${service}_client_omni PRIVATE streams_omni_stubs)
  endforeach()
endif()
interop_program(properties_client_callis programs/properties/client.cpp)
callis_idl_generate(properties_client_callis ${properties_idl} STUBS_ONLY)
target_link_libraries(properties_client_callis PRIVATE callis_flags callis::orb)
interop_program(streams_client_callis programs/streams/client.cpp)
callis_idl_generate(streams_client_callis ${properties_idl} ${streams_idl} STUBS_ONLY OPTIONS -I ${PROJECT_SOURCE_DIR}/services/properties)
target_link_libraries(streams_client_callis PRIVATE callis_flags callis::orb)

# A client of logs, the same way.
set(logs_idl ${PROJECT_SOURCE_DIR}/services/logging/DsLogAdmin.idl)
if(NOT interop_missing)
  set(logs_made)
  foreach(idl ${CALLIS_IDL_DIR}/TimeBase ${PROJECT_SOURCE_DIR}/services/logging/DsLogAdmin)
    get_filename_component(name ${idl} NAME)
    add_custom_command(OUTPUT ${generated}/logs/${name}.hh ${generated}/logs/${name}SK.cc
      COMMAND ${CMAKE_COMMAND} -E make_directory ${generated}/logs
      COMMAND ${OMNIIDL} -bcxx -C${generated}/logs -Wbh=.hh -Wbs=SK.cc -I${CALLIS_IDL_DIR} ${idl}.idl
      DEPENDS ${idl}.idl COMMENT "omniidl ${name}.idl" VERBATIM)
    list(APPEND logs_made ${generated}/logs/${name}SK.cc)
  endforeach()
  set_source_files_properties(${logs_made} PROPERTIES COMPILE_OPTIONS "-w")
  interop_program(log_client_omni programs/log_service/client.cpp ${logs_made})
  target_include_directories(log_client_omni SYSTEM PRIVATE ${generated}/logs ${OMNIORB_INCLUDE})
  target_compile_options(log_client_omni PRIVATE -w -O0)
  target_compile_definitions(log_client_omni PRIVATE INTEROP_OMNIORB)
  target_link_libraries(log_client_omni PRIVATE ${OMNIDYNAMIC_LIBRARY} ${OMNIORB_LIBRARY} ${OMNITHREAD_LIBRARY} Threads::Threads)
endif()
interop_program(log_client_callis programs/log_service/client.cpp)
callis_idl_generate(log_client_callis ${logs_idl} STUBS_ONLY)
target_link_libraries(log_client_callis PRIVATE callis_flags callis::orb callis::messaging)

# interop_pair(NAME): client and server of programs/NAME/ with NAME.idl, for omniORB and callis.
function(interop_pair name)
  if(NOT interop_missing)
    add_custom_command(OUTPUT ${generated}/${name}.hh ${generated}/${name}SK.cc
      COMMAND ${OMNIIDL} -bcxx -C${generated} -Wbh=.hh -Wbs=SK.cc ${CMAKE_CURRENT_SOURCE_DIR}/${name}.idl
      DEPENDS ${name}.idl COMMENT "omniidl ${name}.idl" VERBATIM)
    add_library(${name}_omni_stubs STATIC ${generated}/${name}.hh ${generated}/${name}SK.cc)
    target_include_directories(${name}_omni_stubs SYSTEM PUBLIC ${generated} ${OMNIORB_INCLUDE})
    target_compile_options(${name}_omni_stubs PRIVATE -w -O0)
    target_compile_definitions(${name}_omni_stubs PUBLIC INTEROP_OMNIORB)
    target_link_libraries(${name}_omni_stubs PUBLIC ${OMNIDYNAMIC_LIBRARY} ${OMNIORB_LIBRARY} ${OMNITHREAD_LIBRARY} Threads::Threads)
  endif()
  add_library(${name}_stubs STATIC)
  callis_idl_generate(${name}_stubs ${name}.idl)
  target_link_libraries(${name}_stubs PRIVATE callis_flags PUBLIC callis::poa callis::messaging)
  foreach(role client server)
    interop_program(${name}_${role}_callis programs/${name}/${role}.cpp)
    target_link_libraries(${name}_${role}_callis PRIVATE callis_flags ${name}_stubs)
    if(NOT interop_missing)
      interop_program(${name}_${role}_omni programs/${name}/${role}.cpp)
      target_link_libraries(${name}_${role}_omni PRIVATE callis_flags ${name}_omni_stubs)
    endif()
  endforeach()
endfunction()
foreach(style interpreted compiled)  # JacORB's client has no peer but callis
  interop_program(foreign_server_callis_${style} programs/foreign/server.cpp)
  callis_idl_generate(foreign_server_callis_${style} foreign.idl OPTIONS --stubs=${style})
  target_link_libraries(foreign_server_callis_${style} PRIVATE callis_flags callis::poa)
endforeach()
interop_pair(bidirectional)     # calls back over the client's connection
interop_pair(whereabouts)   # objects that outlive their server, move, and keep callers waiting
if(TARGET callis-imr)
  interop_program(whereabouts_server_imr programs/whereabouts/server.cpp)
  target_compile_definitions(whereabouts_server_imr PRIVATE INTEROP_IMR)
  target_link_libraries(whereabouts_server_imr PRIVATE callis_flags whereabouts_stubs callis_imr_client)
endif()
set(mixed_jacorb ${CMAKE_CURRENT_BINARY_DIR}/jacorb)  # made by a test: jacorb.py
