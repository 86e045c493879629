# callis_whole_library()
#   The libraries of the runtime as one, which users link by the name callis::callis. Within this build that is a name for the
#   libraries themselves, or with BUILD_SHARED_LIBS for the shared library. callis_static and callis_shared (libcallis.a,
#   libcallis.so) are what is installed; both are made of the objects that the libraries have.
function(callis_whole_library)
  get_property(libraries GLOBAL PROPERTY CALLIS_RUNTIME)
  set(objects)
  foreach(l ${libraries})
    get_target_property(type callis_${l} TYPE)
    if(type STREQUAL STATIC_LIBRARY)
      list(APPEND objects $<TARGET_OBJECTS:callis_${l}>)
    endif()
  endforeach()
  add_library(callis_static STATIC EXCLUDE_FROM_ALL ${objects})
  add_library(callis_shared SHARED EXCLUDE_FROM_ALL ${objects})
  set(exports ${PROJECT_SOURCE_DIR}/cmake/callis.exports)
  target_link_options(callis_shared PRIVATE -Wl,--version-script=${exports} -Wl,-Bsymbolic-functions -Wl,--gc-sections)
  set_target_properties(callis_shared PROPERTIES LINK_DEPENDS ${exports} VERSION ${PROJECT_VERSION}
                        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  foreach(target callis_static callis_shared)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME callis LINKER_LANGUAGE CXX EXPORT_NAME ${target}
                          LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
    target_compile_features(${target} INTERFACE cxx_std_20)
    target_link_libraries(${target} PUBLIC Threads::Threads)
    target_include_directories(${target} INTERFACE
      "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR};${PROJECT_BINARY_DIR}/include;${PROJECT_BINARY_DIR}/include/callis/idl>"
      "$<INSTALL_INTERFACE:include;include/callis/idl>")
    if(NOT CALLIS_PROFILE)
      target_compile_definitions(${target} INTERFACE CALLIS_WITHOUT_PROFILE)
    endif()
    foreach(l ${libraries})  # generated headers come first
      add_dependencies(${target} callis_${l})
    endforeach()
  endforeach()
  # What a program keeps that names its features (callis_minimal.cmake).
  get_property(features GLOBAL PROPERTY CALLIS_ALL_FEATURES)
  list(REMOVE_DUPLICATES features)
  foreach(feature ${features})
    get_property(parts GLOBAL PROPERTY CALLIS_FEATURE_PARTS_${feature})
    foreach(part ${parts})
      target_link_options(callis_static INTERFACE
        $<$<IN_LIST:${feature},$<TARGET_PROPERTY:CALLIS_FEATURES>>:-Wl,-u,callis_feature_${part}>)
    endforeach()
  endforeach()
  add_library(callis_all INTERFACE)
  if(BUILD_SHARED_LIBS)
    target_link_libraries(callis_all INTERFACE callis_shared)
  else()
    list(REVERSE libraries)
    list(TRANSFORM libraries PREPEND callis_)
    target_link_libraries(callis_all INTERFACE ${libraries})
  endif()
  add_library(callis::callis ALIAS callis_all)
endfunction()
