# `cpack -G DEB` in the build folder: libcallis0.1, libcallis-dev, callis-idl, callis-tools; `./dev package` does it all.
set(CPACK_PACKAGE_NAME callis)
set(CPACK_PACKAGE_VENDOR callis)
set(CPACK_PACKAGE_CONTACT "callis developers <callis@example.org>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package says its own in its first line
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL runtime development compiler tools)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(soversion ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(package_of_runtime libcallis${soversion})
set(package_of_development libcallis-dev)
set(package_of_compiler callis-idl)
set(package_of_tools callis-tools)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_COMPILER_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libcallis${soversion} (= ${PROJECT_VERSION}), callis-idl (= ${PROJECT_VERSION}), libc6-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
# Loaded by services that are told to keep their store in etcd, or their events in NATS JetStream.
set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS "libcurl4, libnats3.4")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "g++, cmake, pkg-config, libssl-dev, libsqlite3-dev")  # the last two: of static libraries
# The loader's cache of libraries is renewed by Debian's trigger, as policy has it.
file(WRITE ${PROJECT_BINARY_DIR}/package/runtime/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/package/runtime/triggers)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "CORBA object request broker in C++20 - library
The shared library that programs with callis need.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "CORBA object request broker in C++20 - headers and libraries
Headers, the static library, and the files for CMake and pkg-config.")
set(CPACK_COMPONENT_COMPILER_DESCRIPTION "compiler of CORBA IDL to C++ for callis
Writes stubs and skeletons in the OMG's classic C++ mapping.")
set(CPACK_COMPONENT_TOOLS_DESCRIPTION "command line tools of the CORBA object request broker callis
callis runs the others by name. callis config prints the options in force
and where they come from, callis ior what is in an object reference; callis
ifr is an Interface Repository, callis naming a naming service, callis ns
its client; callis trading is a trader, callis trade its client; callis
events has event channels, callis properties property sets; callis logging
keeps logs, callis log reads them; callis lifecycle finds who makes objects;
callis imr starts servers when they are called; callis schedule says whether
every deadline of a real-time system is met.")

file(WRITE ${PROJECT_BINARY_DIR}/package/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: callis

Files: *
Copyright: 2026 the callis developers
License: Apache-2.0
 On Debian systems the text of the licence is in /usr/share/common-licenses/Apache-2.0.
")
find_program(GZIP gzip)
string(TIMESTAMP today "%a, %d %b %Y %H:%M:%S +0000" UTC)
foreach(component runtime development compiler tools)
  string(TOUPPER ${component} upper)
  set(name ${package_of_${component}})
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(doc ${CMAKE_INSTALL_DATADIR}/doc/${name})
  set(here ${PROJECT_BINARY_DIR}/package/${component})
  file(WRITE ${here}/changelog "callis (${PROJECT_VERSION}) unstable; urgency=medium

  * What is new: CHANGELOG.md.

 -- callis developers <callis@example.org>  ${today}
")
  if(GZIP)
    execute_process(COMMAND ${GZIP} -9nf ${here}/changelog)
  endif()
  install(FILES ${PROJECT_BINARY_DIR}/package/copyright ${here}/changelog.gz DESTINATION ${doc} COMPONENT ${component} OPTIONAL EXCLUDE_FROM_ALL)
endforeach()
# The compiler needs no library, so that it runs anywhere.
file(WRITE ${PROJECT_BINARY_DIR}/package/overrides/callis-idl "# One static program, so that it runs on any machine that builds.
callis-idl: statically-linked-binary
")
install(FILES ${PROJECT_BINARY_DIR}/package/overrides/callis-idl DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
        COMPONENT compiler EXCLUDE_FROM_ALL)
set(CPACK_OUTPUT_FILE_PREFIX ${PROJECT_BINARY_DIR}/package)
include(CPack)
