# callis_service_library(NAME PARTS library... HEADERS file... IDL file.idl... [NEEDS NAME...] [LINKS library...])
#   A library beside libcallis that applications link, where callis is installed: libcallis_NAME.a and libcallis_NAME.so, made of
#   the objects of PARTS (callis_library), the last of which has the IDL's code; callis::NAME in the package; callis-NAME.pc.
#   HEADERS: all that applications include, and what these do; the test install.headers finds one that is missing. A header
#   services/X is installed as callis/services/X. NEEDS: other such libraries.
#   LINKS: the system's libraries that who links the static one must link, too, as the linker names them. The caller links the
#   same into callis_NAME_shared.
# callis_install_service_libraries()
#   Their install rules; called once, by callis_install.cmake.
function(callis_service_library name)
  if(NOT CALLIS_INSTALL)
    return()
  endif()
  cmake_parse_arguments(A "" "" "PARTS;HEADERS;IDL;NEEDS;LINKS" ${ARGN})
  set(objects)
  foreach(part ${A_PARTS})
    list(APPEND objects $<TARGET_OBJECTS:callis_${part}>)
  endforeach()
  list(GET A_PARTS -1 last)
  add_library(callis_${name}_static STATIC ${objects})
  add_library(callis_${name}_shared SHARED ${objects})
  set(exports ${PROJECT_SOURCE_DIR}/cmake/callis_services.exports)
  target_link_options(callis_${name}_shared PRIVATE -Wl,--version-script=${exports} -Wl,-Bsymbolic-functions -Wl,--gc-sections)
  set_target_properties(callis_${name}_shared PROPERTIES LINK_DEPENDS ${exports} VERSION ${PROJECT_VERSION}
                        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} BUILD_WITH_INSTALL_RPATH ON
                        INSTALL_RPATH "$ORIGIN")  # finds its neighbours: a program says where those lie that it names
  foreach(kind static shared)
    set(target callis_${name}_${kind})
    set_target_properties(${target} PROPERTIES OUTPUT_NAME callis_${name} LINKER_LANGUAGE CXX
                          LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/installed
                          ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/installed)  # not in place of the parts
    foreach(need ${A_NEEDS})
      target_link_libraries(${target} PUBLIC callis_${need}_${kind})
    endforeach()
    target_link_libraries(${target} PUBLIC callis_${kind})
    foreach(part ${A_PARTS})  # generated headers come first
      add_dependencies(${target} callis_${part})
    endforeach()
  endforeach()
  target_link_libraries(callis_${name}_static PUBLIC ${A_LINKS})
  list(TRANSFORM A_HEADERS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  set_property(GLOBAL APPEND PROPERTY CALLIS_SERVICE_LIBRARIES ${name})
  set_property(GLOBAL PROPERTY CALLIS_SERVICE_${name}_HEADERS ${A_HEADERS})
  set_property(GLOBAL PROPERTY CALLIS_SERVICE_${name}_NEEDS ${A_NEEDS})
  set_property(GLOBAL PROPERTY CALLIS_SERVICE_${name}_LINKS ${A_LINKS})
  set_property(GLOBAL PROPERTY CALLIS_SERVICE_${name}_CODE ${CMAKE_CURRENT_BINARY_DIR}/idl/callis_${last})
  list(TRANSFORM A_IDL PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  set_property(GLOBAL PROPERTY CALLIS_SERVICE_${name}_IDL ${A_IDL})
endfunction()

# The header's copy, with the names that it has where it is installed.
function(callis_install_service_header header)
  cmake_path(NORMAL_PATH header)
  file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${header})
  string(REGEX REPLACE "^services/" "callis/services/" name ${name})
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
  file(READ ${header} text)
  string(REPLACE "#include <services/" "#include <callis/services/" text "${text}")
  set(copy ${PROJECT_BINARY_DIR}/package/include/${name})
  set(before)
  if(EXISTS ${copy})
    file(READ ${copy} before)
  endif()
  if(NOT before STREQUAL text)
    file(WRITE ${copy} "${text}")
  endif()
  cmake_path(GET name PARENT_PATH folder)
  install(FILES ${copy} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder} COMPONENT development)
endfunction()

function(callis_install_service_libraries)
  get_property(libraries GLOBAL PROPERTY CALLIS_SERVICE_LIBRARIES)
  foreach(name ${libraries})
    install(TARGETS callis_${name}_shared EXPORT callis_shared
            LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development)
    install(TARGETS callis_${name}_static EXPORT callis_static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
    get_property(headers GLOBAL PROPERTY CALLIS_SERVICE_${name}_HEADERS)
    foreach(header ${headers})
      callis_install_service_header(${header})
    endforeach()
    get_property(code GLOBAL PROPERTY CALLIS_SERVICE_${name}_CODE)
    get_property(files GLOBAL PROPERTY CALLIS_SERVICE_${name}_IDL)
    foreach(idl ${files})
      cmake_path(GET idl STEM stem)
      install(FILES ${code}/${stem}.h ${code}/${stem}_skel.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/callis/idl
              COMPONENT development)
      install(FILES ${idl} DESTINATION ${CMAKE_INSTALL_DATADIR}/callis/idl COMPONENT development)
    endforeach()
    get_property(needs GLOBAL PROPERTY CALLIS_SERVICE_${name}_NEEDS)
    list(TRANSFORM needs PREPEND "callis-")
    string(JOIN " " needs callis ${needs})
    get_property(links GLOBAL PROPERTY CALLIS_SERVICE_${name}_LINKS)
    list(TRANSFORM links PREPEND "-l")
    string(JOIN " " links ${links})
    configure_file(${PROJECT_SOURCE_DIR}/cmake/callis_service.pc.in ${PROJECT_BINARY_DIR}/package/callis-${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/package/callis-${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
  endforeach()
endfunction()
