# `cmake --install`: the libraries, headers, the compiler and the tools, the package for find_package(), the file for pkg-config.
# Components: runtime (libcallis.so), development (headers, both libraries, CMake and pkg-config files), compiler (callis-idl),
# tools (callis and its programs). CPack makes a .deb of each.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(headers GLOBAL PROPERTY CALLIS_RUNTIME_HEADERS)
list(REMOVE_DUPLICATES headers)
set(folders)
foreach(header ${headers})
  cmake_path(NORMAL_PATH header)
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${header})
  cmake_path(GET folder PARENT_PATH folder)
  list(APPEND folders ${folder})
  list(APPEND headers_of_${folder} ${header})
endforeach()
list(REMOVE_DUPLICATES folders)
foreach(folder ${folders})
  list(REMOVE_DUPLICATES headers_of_${folder})
  install(FILES ${headers_of_${folder}} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder} COMPONENT development)
endforeach()
# Of the modules whose IDL the runtime has: headers, and the IDL for files that include it.
get_property(modules GLOBAL PROPERTY CALLIS_RUNTIME_IDL)
foreach(module ${modules})
  cmake_path(GET module FILENAME stem)
  install(FILES ${PROJECT_BINARY_DIR}/include/callis/idl/${stem}.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/callis/idl
          COMPONENT development)
  install(FILES ${PROJECT_SOURCE_DIR}/callis/${module}.idl DESTINATION ${CMAKE_INSTALL_DATADIR}/callis/idl COMPONENT development)
endforeach()

set_target_properties(callis_static callis_shared PROPERTIES EXCLUDE_FROM_ALL OFF)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/callis)
install(TARGETS callis_shared EXPORT callis_shared
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development)
install(TARGETS callis_static EXPORT callis_static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
# Files of another version in the same place: CMake itself leaves those of other build types, which name the other library.
install(CODE "file(GLOB others \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${package}/callis_*-*.cmake\")
if(others)
  file(REMOVE \${others})
endif()" COMPONENT development)
foreach(kind static shared)
  install(EXPORT callis_${kind} NAMESPACE callis:: FILE callis_${kind}.cmake DESTINATION ${package} COMPONENT development)
endforeach()
if(TARGET callis-idl)
  install(TARGETS callis-idl RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT compiler)
endif()
install(TARGETS callis callis-config callis-ior RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
install(FILES tools/completion/callis.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME callis
        COMPONENT tools)
install(FILES tools/completion/_callis DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT tools)
if(TARGET callis-ifr)
  install(TARGETS callis-ifr RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
endif()
if(TARGET callis-call)
  install(TARGETS callis-call callis-describe callis-bridge RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
endif()
if(TARGET callis-schedule)
  install(TARGETS callis-schedule RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
endif()
if(TARGET callis-browse)
  install(TARGETS callis-browse RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
endif()

foreach(list CALLIS_ALL_FEATURES CALLIS_FEATURE_LIBRARIES)
  get_property(${list} GLOBAL PROPERTY ${list})
  list(REMOVE_DUPLICATES ${list})
endforeach()
configure_package_config_file(cmake/callisConfig.cmake.in ${PROJECT_BINARY_DIR}/package/callisConfig.cmake
  INSTALL_DESTINATION ${package} PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/callisConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/callisConfig.cmake ${PROJECT_BINARY_DIR}/package/callisConfigVersion.cmake
        cmake/callis_idl.cmake cmake/callis_minimal.cmake DESTINATION ${package} COMPONENT development)

# By hand: which options leave features out (docs/guide/small-programs.md).
install(FILES ${PROJECT_BINARY_DIR}/lib/callis_features ${PROJECT_BINARY_DIR}/lib/callis_minimal
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/callis COMPONENT development)

set(definitions)
if(NOT CALLIS_PROFILE)
  set(definitions " -DCALLIS_WITHOUT_PROFILE")
endif()
file(RELATIVE_PATH prefix_from_here /x/${CMAKE_INSTALL_LIBDIR}/pkgconfig /x)
string(REGEX REPLACE "/$" "" prefix_from_here ${prefix_from_here})
configure_file(cmake/callis.pc.in ${PROJECT_BINARY_DIR}/package/callis.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/callis.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
include(callis_packages)
