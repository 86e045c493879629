# The components in which callis is built, installed and packaged. CALLIS_COMPONENTS says which are built and installed; what
# these need of others is built with them. Nothing of a component that is left out is compiled, unless another needs it.
#
#   core        libcallis: references, calls, adapters, any, values, policies of calls, interceptors
#   rt          libcallis_rt: Real-time CORBA, dynamic scheduling
#   dynamic     libcallis_dynamic: DII, DSI, DynAny; callis call, callis describe
#   micro       libcallis_micro.a: the ORB of the micro profile. Named alone it is built without core and the compiler
#   tls         libcallis_tls: TLS for IIOP; callis tls; with it all programs have --tls
#   compiler    callis-idl
#   tools       callis, callis config, callis ior
#   naming, trading, events, properties, logging, lifecycle, streams, ifr, imr, scheduling     services: their programs, and the
#               libraries that applications link
#   bridge, browse    callis bridge, callis browse
#   compat_omniorb    libcallis_compat_omniorb: headers and omnithread for programs that were written for omniORB
#   compat_tao        libcallis_compat_tao: headers for programs that were written for TAO, and the little of ACE for those without it
#
# callis_component(NAME [LIBRARIES library...] [PROGRAMS program...] [UNIT file] [PACKAGE name] [HEADERS_OF package...] SAYS text)
#   One of them. LIBRARIES: of callis_installed_library(). PACKAGE: the Debian package of its programs. HEADERS_OF: the packages
#   without which its programs are not built.
# callis_choose_components()   Called when all targets are there: whatever is not of a chosen component leaves the target `all`.
#
# Properties: CALLIS_COMPONENTS (all there are), CALLIS_CHOSEN (those that are built), CALLIS_CHOSEN_LIBRARIES, and of each component
# CALLIS_COMPONENT_<name>_LIBRARIES, _PROGRAMS, _UNIT, _PACKAGE, _SAYS.
function(callis_component name)
  cmake_parse_arguments(A "" "UNIT;PACKAGE;SAYS" "LIBRARIES;PROGRAMS;HEADERS_OF" ${ARGN})
  set_property(GLOBAL APPEND PROPERTY CALLIS_COMPONENTS ${name})
  foreach(word LIBRARIES PROGRAMS UNIT PACKAGE HEADERS_OF SAYS)
    set_property(GLOBAL PROPERTY CALLIS_COMPONENT_${name}_${word} ${A_${word}})
  endforeach()
endfunction()

callis_component(core LIBRARIES core)
callis_component(rt LIBRARIES rt)
callis_component(micro LIBRARIES micro)
callis_component(dynamic LIBRARIES dynamic PROGRAMS callis-call callis-describe PACKAGE callis-call
  HEADERS_OF nlohmann-json3-dev libcli11-dev
  SAYS "calls from the command line
callis call calls any operation of any object with JSON, callis describe
prints an object's interface.")
callis_component(tls LIBRARIES tls PROGRAMS callis-tls PACKAGE callis-tls HEADERS_OF libssl-dev
  SAYS "certificates for TLS
callis tls makes an authority and certificates for tests and small sites.")
callis_component(compiler PROGRAMS callis-idl PACKAGE callis-idl HEADERS_OF libcli11-dev
  SAYS "compiler of CORBA IDL to C++
Writes stubs and skeletons in the OMG's classic C++ mapping.")
callis_component(tools PROGRAMS callis callis-config callis-ior PACKAGE callis-tools
  SAYS "command line tools
callis runs the other programs by name, callis config prints the options in
force and where they come from, callis ior what is in an object reference
and whether its server answers.")
callis_component(naming LIBRARIES naming PROGRAMS callis-naming callis-ns UNIT services/naming/callis-naming.service PACKAGE callis-naming
  HEADERS_OF nlohmann-json3-dev
  SAYS "naming service
callis naming is an OMG Naming Service, callis ns its client.")
callis_component(trading LIBRARIES trading PROGRAMS callis-trading callis-trade UNIT services/trading/callis-trading.service PACKAGE callis-trading
  SAYS "trading service
callis trading is an OMG Trading Service, callis trade its client.")
callis_component(events PROGRAMS callis-events UNIT services/events/callis-events.service PACKAGE callis-events
  SAYS "event service
callis events has event channels, untyped, typed and of real time, and is
their client.")
callis_component(properties LIBRARIES properties PROGRAMS callis-properties UNIT services/properties/callis-properties.service PACKAGE callis-properties
  SAYS "property service
callis properties keeps sets of named values of any type.")
callis_component(logging LIBRARIES log_sink PROGRAMS callis-logging callis-log UNIT services/logging/callis-logging.service PACKAGE callis-logging
  HEADERS_OF libsqlite3-dev nlohmann-json3-dev
  SAYS "log service
callis logging keeps logs of records, callis log is its client.")
callis_component(lifecycle LIBRARIES lifecycle PROGRAMS callis-lifecycle UNIT services/lifecycle/callis-lifecycle.service PACKAGE callis-lifecycle
  HEADERS_OF libssl-dev
  SAYS "life cycle service
callis lifecycle finds who makes objects.")
callis_component(streams LIBRARIES streams)
callis_component(compat_omniorb LIBRARIES compat_omniorb)
callis_component(compat_tao LIBRARIES compat_tao)
callis_component(ifr PROGRAMS callis-ifr UNIT services/ifr/callis-ifr.service PACKAGE callis-ifr HEADERS_OF libsqlite3-dev libcli11-dev
  SAYS "Interface Repository
callis ifr is fed with IDL and tells programs the types in it.")
callis_component(imr PROGRAMS callis-imr UNIT services/imr/callis-imr.service PACKAGE callis-imr
  SAYS "Implementation Repository
callis imr starts servers when they are called.")
callis_component(scheduling PROGRAMS callis-schedule UNIT services/scheduling/callis-schedule.service PACKAGE callis-schedule
  HEADERS_OF libcli11-dev nlohmann-json3-dev
  SAYS "schedules of real-time systems
callis schedule says whether every deadline of a real-time system is met.")
callis_component(bridge PROGRAMS callis-bridge PACKAGE callis-bridge HEADERS_OF nlohmann-json3-dev libcli11-dev
  SAYS "bridge between object request brokers
callis bridge forwards calls of types that it learns at run time.")
callis_component(browse PROGRAMS callis-browse PACKAGE callis-browse HEADERS_OF libmicrohttpd-dev nlohmann-json3-dev libcli11-dev
  SAYS "objects in a web browser
callis browse shows names, objects and their operations, and calls them.")

if(CALLIS_BUILD_TESTS)
  set(CALLIS_COMPONENTS all CACHE STRING "What is built and installed, beside core: see cmake/callis_components.cmake; or all")
elseif(CALLIS_IDL_EXECUTABLE)  # who compiles for another machine has a compiler already
  set(CALLIS_COMPONENTS "core" CACHE STRING "What is built and installed, beside core: see cmake/callis_components.cmake; or all")
else()
  set(CALLIS_COMPONENTS "core;compiler" CACHE STRING "What is built and installed, beside core: see cmake/callis_components.cmake; or all")
endif()
get_property(every GLOBAL PROPERTY CALLIS_COMPONENTS)
foreach(name ${CALLIS_COMPONENTS})
  if(NOT name IN_LIST every AND NOT name STREQUAL "all")
    string(JOIN ", " names ${every})
    message(FATAL_ERROR "CALLIS_COMPONENTS: no component \"${name}\"; there are ${names}, or all")
  endif()
endforeach()

function(callis_choose_components)
  get_property(every GLOBAL PROPERTY CALLIS_COMPONENTS)
  set(asked core ${CALLIS_COMPONENTS})
  if("all" IN_LIST asked)
    set(asked ${every})
  endif()
  if(CALLIS_COMPONENTS STREQUAL "micro")  # takes core's place, and brings its headers
    set(asked micro)
  endif()
  list(REMOVE_DUPLICATES asked)
  list(REMOVE_ITEM asked tools)
  list(APPEND asked tools)  # last: callis runs the others' programs by name
  set(chosen)
  set(targets)
  set(libraries)
  foreach(name ${asked})
    get_property(own GLOBAL PROPERTY CALLIS_COMPONENT_${name}_PROGRAMS)
    set(programs)
    foreach(program ${own})
      if(TARGET ${program})
        list(APPEND programs ${program})
      endif()
    endforeach()
    set_property(GLOBAL PROPERTY CALLIS_COMPONENT_${name}_PROGRAMS ${programs})
    if(name STREQUAL "tools" AND NOT name IN_LIST CALLIS_COMPONENTS AND ("${targets}" STREQUAL "" OR "${targets}" STREQUAL "callis-idl"))
      continue()
    endif()
    if(NOT "${programs}" STREQUAL "${own}")
      get_property(packages GLOBAL PROPERTY CALLIS_COMPONENT_${name}_HEADERS_OF)
      string(JOIN " " packages ${packages})
      set(said "callis: of the component ${name} ${own} cannot be built: its sources need ${packages} (Debian's packages)")
      if(name IN_LIST CALLIS_COMPONENTS)
        message(FATAL_ERROR "${said}")
      endif()
      message(STATUS "${said}")
    endif()
    get_property(own GLOBAL PROPERTY CALLIS_COMPONENT_${name}_LIBRARIES)
    list(APPEND libraries ${own})
    list(APPEND targets ${programs})
    list(APPEND chosen ${name})
  endforeach()
  # The libraries, each behind those that it needs.
  set(sorted)
  foreach(library ${libraries})
    if(TARGET callis_${library}_static OR library STREQUAL "core")
      get_property(needs GLOBAL PROPERTY CALLIS_LIBRARY_${library}_NEEDS)
      list(APPEND sorted ${needs} ${library})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES sorted)
  if(NOT "core" IN_LIST chosen)
    list(REMOVE_ITEM sorted core)
  endif()
  set_property(GLOBAL PROPERTY CALLIS_CHOSEN ${chosen})
  set_property(GLOBAL PROPERTY CALLIS_CHOSEN_LIBRARIES ${sorted})
  if(NOT CALLIS_BUILD_TESTS)
    foreach(library ${sorted})
      callis_targets_of_library(${library} both)
      list(APPEND targets ${both})
    endforeach()
    foreach(folder callis idl services tools)
      callis_leave_out_of_all(${PROJECT_SOURCE_DIR}/${folder} "${targets}")
    endforeach()
  endif()
endfunction()

# All targets below the folder but these.
function(callis_leave_out_of_all folder wanted)
  if(NOT EXISTS ${folder}/CMakeLists.txt)
    return()
  endif()
  get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(below ${folders})
    callis_leave_out_of_all(${below} "${wanted}")
  endforeach()
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target ${targets})
    if(NOT target IN_LIST wanted)
      set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
  endforeach()
endfunction()
