# The libraries that are installed, each made of the objects of several (callis_library): libcallis_NAME.a and libcallis_NAME.so,
# callis::NAME in the package, callis-NAME.pc; that of core is libcallis, callis::callis, callis.pc.
#
# callis_runtime_libraries()   those of callis/: core, rt, dynamic, tls, compat_omniorb, compat_tao. Within this build callis::callis is a name for the libraries
#   of core themselves, or with BUILD_SHARED_LIBS for the shared library.
# callis_service_library(NAME PARTS library... HEADERS file... IDL file.idl... [NEEDS NAME...] [LINKS library...])
#   One of a service. Its IDL's code is that of the last of PARTS, unless IDL_OF names another.
#   HEADERS: all that applications include, and what these do; the test install.headers finds one that is missing. A header
#   services/X is installed as callis/services/X. NEEDS: other such libraries, and those that these need, in their order.
#   LINKS: the system's libraries that who links the static one must link, too, as the linker names them. The caller links the
#   same into callis_NAME_shared.
#
# Properties of each: CALLIS_LIBRARY_<name>_NEEDS, _LINKS, _HEADERS (files), _CODE (generated headers), _IDL (files).
set(CALLIS_SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})  # versions with the same take each other's place
set(callis_parts_of_rt rt rt_scheduling)
set(callis_parts_of_dynamic dynamic)
set(callis_parts_of_tls tls_transport tls_issue tls)  # where there is OpenSSL
set(callis_parts_of_compat_omniorb compat_omniorb)
set(callis_parts_of_compat_tao compat_tao)

# The installed library that a library, or a folder, of callis/ belongs to.
function(callis_installed_library_of name out)
  foreach(library rt dynamic tls compat_omniorb compat_tao)
    if(name IN_LIST callis_parts_of_${library} OR name MATCHES "^${library}/")
      set(${out} ${library} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${out} core PARENT_SCOPE)
endfunction()

# The names of its targets and files begin so.
function(callis_stem_of_library name out)
  if(name STREQUAL "core")
    set(${out} callis PARENT_SCOPE)
  else()
    set(${out} callis_${name} PARENT_SCOPE)
  endif()
endfunction()

function(callis_targets_of_library name out)
  callis_stem_of_library(${name} stem)
  set(${out} ${stem}_static ${stem}_shared PARENT_SCOPE)
endfunction()

# The ways in which they can be linked: code for static programs alone is no shared library.
set(callis_kinds_of_library static)
if(CMAKE_POSITION_INDEPENDENT_CODE)
  list(APPEND callis_kinds_of_library shared)
endif()

function(callis_shared_library stem objects exports_name)
  add_library(${stem}_shared SHARED EXCLUDE_FROM_ALL ${objects})
  set(exports ${PROJECT_BINARY_DIR}/lib/${exports_name})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${exports_name}.in ${exports} @ONLY)
  target_link_options(${stem}_shared PRIVATE -Wl,--version-script=${exports} -Wl,-Bsymbolic-functions -Wl,--gc-sections)
  if(NOT CALLIS_SANITIZE)  # whose functions are the program's
    target_link_options(${stem}_shared PRIVATE -Wl,-z,defs)
  endif()
  set_target_properties(${stem}_shared PROPERTIES LINK_DEPENDS ${exports} VERSION ${PROJECT_VERSION}
                        SOVERSION ${CALLIS_SOVERSION})
  if(NOT stem STREQUAL "callis")  # finds its neighbours: a program says where those lie that it names
    set_target_properties(${stem}_shared PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN")
  endif()
endfunction()

# Makes the targets.
function(callis_installed_library name)
  cmake_parse_arguments(A "" "EXPORTS" "PARTS;NEEDS;LINKS" ${ARGN})
  callis_stem_of_library(${name} stem)
  set(objects)
  foreach(part ${A_PARTS})
    get_target_property(type callis_${part} TYPE)
    if(type STREQUAL STATIC_LIBRARY)
      list(APPEND objects $<TARGET_OBJECTS:callis_${part}>)
    endif()
  endforeach()
  add_library(${stem}_static STATIC EXCLUDE_FROM_ALL ${objects})
  if(CMAKE_POSITION_INDEPENDENT_CODE)
    callis_shared_library(${stem} "${objects}" ${A_EXPORTS})
  endif()
  foreach(kind ${callis_kinds_of_library})
    set(target ${stem}_${kind})
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${stem} LINKER_LANGUAGE CXX EXPORT_NAME ${target}
                          LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/installed
                          ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/installed)  # not in place of the parts
    foreach(need ${A_NEEDS})
      callis_stem_of_library(${need} other)
      target_link_libraries(${target} PUBLIC ${other}_${kind})
    endforeach()
    foreach(part ${A_PARTS})  # generated headers come first
      add_dependencies(${target} callis_${part})
    endforeach()
  endforeach()
  target_link_libraries(${stem}_static PUBLIC ${A_LINKS})
  set_property(GLOBAL PROPERTY CALLIS_LIBRARY_${name}_NEEDS ${A_NEEDS})
  set_property(GLOBAL PROPERTY CALLIS_LIBRARY_${name}_LINKS ${A_LINKS})
endfunction()

function(callis_runtime_libraries)
  get_property(parts GLOBAL PROPERTY CALLIS_PARTS_core)
  callis_installed_library(core PARTS ${parts} EXPORTS callis.exports)
  foreach(kind ${callis_kinds_of_library})
    set(target callis_${kind})
    target_compile_features(${target} INTERFACE cxx_std_20)
    target_link_libraries(${target} PUBLIC Threads::Threads)
    target_include_directories(${target} INTERFACE
      "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR};${PROJECT_BINARY_DIR}/include;${PROJECT_BINARY_DIR}/include/callis/idl>"
      "$<INSTALL_INTERFACE:include;include/callis/idl>")
    if(NOT CALLIS_PROFILE)
      target_compile_definitions(${target} INTERFACE CALLIS_WITHOUT_PROFILE)
    endif()
  endforeach()
  # What a program keeps that names its features (callis_minimal.cmake).
  get_property(features GLOBAL PROPERTY CALLIS_ALL_FEATURES)
  list(REMOVE_DUPLICATES features)
  foreach(feature ${features})
    get_property(symbols GLOBAL PROPERTY CALLIS_FEATURE_PARTS_${feature})
    foreach(symbol ${symbols})
      target_link_options(callis_static INTERFACE
        $<$<IN_LIST:${feature},$<TARGET_PROPERTY:CALLIS_FEATURES>>:-Wl,-u,callis_feature_${symbol}>)
    endforeach()
  endforeach()
  foreach(library rt dynamic)
    callis_installed_library(${library} PARTS ${callis_parts_of_${library}} EXPORTS callis.exports NEEDS core)
  endforeach()
  set(beside rt dynamic)
  if(TARGET callis_tls)
    list(APPEND beside tls)
    callis_installed_library(tls PARTS ${callis_parts_of_tls} EXPORTS callis.exports NEEDS core LINKS ssl crypto)
    if(TARGET callis_tls_shared)
      target_link_libraries(callis_tls_shared PRIVATE ${CALLIS_OPENSSL_SSL} ${CALLIS_OPENSSL_CRYPTO})
    endif()
  endif()
  foreach(library compat_omniorb compat_tao)
    if(NOT TARGET callis_${library})
      continue()
    endif()
    list(APPEND beside ${library})
    callis_installed_library(${library} PARTS ${callis_parts_of_${library}} EXPORTS callis.exports NEEDS core dynamic naming)
    foreach(kind ${callis_kinds_of_library})
      target_include_directories(callis_${library}_${kind} INTERFACE
        "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/callis/compat>" "$<INSTALL_INTERFACE:include/callis/compat>")
    endforeach()
  endforeach()
  add_library(callis_all INTERFACE)
  if(BUILD_SHARED_LIBS)
    target_link_libraries(callis_all INTERFACE callis_shared)
    foreach(library core ${beside})
      get_property(parts GLOBAL PROPERTY CALLIS_PARTS_${library})
      callis_stem_of_library(${library} stem)
      foreach(part ${parts})
        add_library(callis::${part} ALIAS ${stem}_shared)
      endforeach()
    endforeach()
  else()
    list(REVERSE parts)
    list(TRANSFORM parts PREPEND callis_)
    target_link_libraries(callis_all INTERFACE ${parts})
  endif()
  add_library(callis::callis ALIAS callis_all)
endfunction()

function(callis_service_library name)
  if(NOT CALLIS_INSTALL)
    return()
  endif()
  cmake_parse_arguments(A "" "IDL_OF" "PARTS;HEADERS;IDL;NEEDS;LINKS" ${ARGN})
  callis_installed_library(${name} PARTS ${A_PARTS} EXPORTS callis_services.exports NEEDS core ${A_NEEDS} LINKS ${A_LINKS})
  if(NOT A_IDL_OF)
    list(GET A_PARTS -1 A_IDL_OF)
  endif()
  list(TRANSFORM A_HEADERS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  list(TRANSFORM A_IDL PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  set_property(GLOBAL PROPERTY CALLIS_LIBRARY_${name}_HEADERS ${A_HEADERS})
  set_property(GLOBAL PROPERTY CALLIS_LIBRARY_${name}_CODE ${CMAKE_CURRENT_BINARY_DIR}/idl/callis_${A_IDL_OF})
  set_property(GLOBAL PROPERTY CALLIS_LIBRARY_${name}_IDL ${A_IDL})
endfunction()
