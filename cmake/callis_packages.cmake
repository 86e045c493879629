# `cpack -G DEB` in the build folder makes a Debian package of each install component (callis_install.cmake); `./dev package` does
# it all. libcallis has the soname's number behind its name there, and so on, since programs of another version need another.
set(CPACK_PACKAGE_NAME callis)
set(CPACK_PACKAGE_VENDOR callis)
set(CPACK_PACKAGE_CONTACT "callis developers <callis@example.org>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package says its own in its first line
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib/installed)  # of libraries that belong to the other packages
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
if(DEFINED ENV{DEB_HOST_ARCH})  # compiled for another machine; dpkg-shlibdeps, too, goes by it
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE $ENV{DEB_HOST_ARCH})
endif()

file(WRITE ${PROJECT_BINARY_DIR}/package/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: callis

Files: *
Copyright: 2026 the callis developers
License: Apache-2.0
 On Debian systems the text of the licence is in /usr/share/common-licenses/Apache-2.0.
")
find_program(GZIP gzip)
string(TIMESTAMP today "%a, %d %b %Y %H:%M:%S +0000" UTC)  # SOURCE_DATE_EPOCH, where it is set

# callis_package(COMPONENT name of the package, section, description, what else it depends on)
macro(callis_package component name section says depends)
  string(TOUPPER ${component} capitals)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  set(CPACK_DEBIAN_${capitals}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${capitals}_PACKAGE_SECTION ${section})
  set(CPACK_COMPONENT_${capitals}_DESCRIPTION "CORBA object request broker in C++20 - ${says}")
  if(NOT "${depends}" STREQUAL "")
    set(CPACK_DEBIAN_${capitals}_PACKAGE_DEPENDS "${depends}")
  endif()
  set(here ${PROJECT_BINARY_DIR}/package/${component})
  file(WRITE ${here}/changelog "callis (${PROJECT_VERSION}) unstable; urgency=medium

  * What is new: CHANGELOG.md.

 -- callis developers <callis@example.org>  ${today}
")
  if(GZIP)
    execute_process(COMMAND ${GZIP} -9nf ${here}/changelog)
  endif()
  install(FILES ${PROJECT_BINARY_DIR}/package/copyright ${here}/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name}
          COMPONENT ${component} OPTIONAL EXCLUDE_FROM_ALL)
endmacro()

# Installs what lintian finds and should not tell (packaging/README.md has the reasons).
function(callis_override component package tag)
  file(WRITE ${PROJECT_BINARY_DIR}/package/overrides/${package} "${package}: ${tag}\n")
  install(FILES ${PROJECT_BINARY_DIR}/package/overrides/${package} DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
          COMPONENT ${component} EXCLUDE_FROM_ALL)
endfunction()

# The loader's cache of libraries is renewed by Debian's trigger, as policy has it.
set(triggers ${PROJECT_BINARY_DIR}/package/triggers)
file(WRITE ${triggers} "activate-noawait ldconfig\n")
foreach(name ${libraries})
  callis_package_of_library(${name} component)
  string(TOUPPER ${component} upper)
  get_property(needs GLOBAL PROPERTY CALLIS_LIBRARY_${name}_NEEDS)
  set(to_run)
  set(to_build "${component}${CALLIS_SOVERSION} (= ${PROJECT_VERSION})")
  foreach(need ${needs})
    callis_package_of_library(${need} other)
    list(APPEND to_run "${other}${CALLIS_SOVERSION} (= ${PROJECT_VERSION})")
    list(APPEND to_build "${other}-dev (= ${PROJECT_VERSION})")
  endforeach()
  if(name STREQUAL "core")
    list(APPEND to_build libc6-dev)
    set(whose "library\nThe shared library that programs with callis need.")
    set(whose_files "headers and libraries\nHeaders, the static library, and the files for CMake and pkg-config.")
    set(CPACK_DEBIAN_LIBCALLIS-DEV_PACKAGE_RECOMMENDS "callis-idl (= ${PROJECT_VERSION})")
    set(CPACK_DEBIAN_LIBCALLIS-DEV_PACKAGE_SUGGESTS "g++, cmake, pkg-config")
  else()
    set(whose "library ${name}\nThe shared library that programs with callis::${name} need.")
    set(whose_files "headers of library ${name}\nHeaders, the static library, and the files for CMake and pkg-config\nof callis::${name}.")
    if(name STREQUAL "tls")
      set(CPACK_DEBIAN_${upper}-DEV_PACKAGE_SUGGESTS "libssl-dev")  # of who links the static library
    elseif(name STREQUAL "lifecycle")
      set(CPACK_DEBIAN_${upper}-DEV_PACKAGE_SUGGESTS "libssl-dev, libsqlite3-dev")  # of who links the static library
    endif()
  endif()
  string(JOIN ", " to_run ${to_run})
  string(JOIN ", " to_build ${to_build})
  if(name STREQUAL "micro")  # a static library alone
    string(REPLACE "${component}${CALLIS_SOVERSION} (= ${PROJECT_VERSION}), " "" to_build "${to_build}")
    callis_package(${component}-dev ${component}-dev libdevel "${whose_files}" "${to_build}")
    set(CPACK_DEBIAN_${upper}-DEV_PACKAGE_SHLIBDEPS OFF)
    continue()
  endif()
  callis_package(${component} ${component}${CALLIS_SOVERSION} libs "${whose}" "${to_run}")
  callis_package(${component}-dev ${component}-dev libdevel "${whose_files}" "${to_build}")
  set(CPACK_DEBIAN_${upper}_PACKAGE_CONTROL_EXTRA ${triggers})
  callis_override(${component} ${component}${CALLIS_SOVERSION} maintscript-calls-ldconfig)
  set(CPACK_DEBIAN_${upper}-DEV_PACKAGE_SHLIBDEPS OFF)
endforeach()
foreach(name ${components})
  get_property(programs GLOBAL PROPERTY CALLIS_COMPONENT_${name}_PROGRAMS)
  get_property(package_of_programs GLOBAL PROPERTY CALLIS_COMPONENT_${name}_PACKAGE)
  get_property(says GLOBAL PROPERTY CALLIS_COMPONENT_${name}_SAYS)
  get_property(unit GLOBAL PROPERTY CALLIS_COMPONENT_${name}_UNIT)
  if(programs)
    set(section utils)
    set(depends)
    if(name STREQUAL "compiler")
      set(section devel)
    elseif(NOT name STREQUAL "tools")
      set(depends "callis-tools (= ${PROJECT_VERSION})")
    endif()
    callis_package(${package_of_programs} ${package_of_programs} ${section} "${says}" "${depends}")
    if(unit)  # loaded where its store is to be in etcd, or events in NATS JetStream
      string(TOUPPER ${package_of_programs} upper)
      set(CPACK_DEBIAN_${upper}_PACKAGE_SUGGESTS "libcurl4")
    endif()
  endif()
endforeach()
set(CPACK_DEBIAN_CALLIS-EVENTS_PACKAGE_SUGGESTS "libcurl4, libnats3.4")
callis_override(callis-idl callis-idl statically-linked-binary)
set(CPACK_OUTPUT_FILE_PREFIX ${PROJECT_BINARY_DIR}/package)
include(CPack)
