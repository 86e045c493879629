# callis_library(NAME [ENGINE] [UNITY] HEADERS ... SOURCES ... DEPS ... FEATURES ...)
#   A library of the runtime or of the IDL compiler: target callis_NAME, alias callis::NAME.
#   ENGINE: built without exceptions and RTTI. UNITY: callis_compile_quickly(). HEADERS are the public ones: they are listed in the
#   target's FILE_SET and each is compiled alone by the test header_NAME. FEATURES: parts of it that programs may leave out
#   (callis/base/feature.h); name:symbol where the feature has parts in several libraries. A library with features has an
#   array callis_features_NAME, which refers to all of them and to those of the libraries below it: where it is linked, they
#   are (CALLIS_WANT_FEATURES). A library below services/ is compiled CALLIS_SERVICES_AT_ONCE sources at a time.
#   TOGETHER: SOURCES are compiled as one (CALLIS_ROOMS_AT_ONCE). APART: more sources, each compiled by itself.
# callis_room(FOLDER HEADERS ... SOURCES ... APART ... TESTS ...)
#   A folder of the library that is made next: adds its files, named without the folder, to rooms_HEADERS, rooms_SOURCES and
#   rooms_TESTS. SOURCES are compiled as one (CALLIS_ROOMS_AT_ONCE). APART: sources that are not, above all those of features,
#   which the linker takes for themselves.
# callis_test(NAME [FOLDERS] [APART] SOURCES ... DEPS ...)  FOLDERS: defines CALLIS_SOURCE_DIR and CALLIS_BINARY_DIR
#   A GoogleTest program; every case is a ctest of its own. Three sources and more are compiled together
#   (callis_compile_together()), unless they are APART, for those that define the same macros.
# callis_program(NAME SOURCES ... DEPS ...)
include(GoogleTest)
include(callis_minimal)

# The standard library's headers, read once for all targets of a kind with the same flags. What is read is the same for all:
# headers of callis stand in none of them, so that a change of one compiles what includes it.
set(callis_headers_std <algorithm> <array> <atomic> <cerrno> <chrono> <condition_variable> <cstdint> <cstdlib> <cstring> <deque>
    <functional> <list> <map> <memory> <mutex> <optional> <semaphore> <set> <span> <sstream> <string> <string_view> <thread> <tuple>
    <unordered_map> <utility> <variant> <vector>)
function(callis_share_headers target kind)
  set(first callis_headers_of_${kind})
  if(NOT TARGET ${first})
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/headers/${kind}.cpp CONTENT "int main() {}\n" @ONLY)
    if(kind STREQUAL tests)
      add_executable(${first} ${PROJECT_BINARY_DIR}/headers/${kind}.cpp)
      target_link_libraries(${first} PRIVATE GTest::gtest)
      target_precompile_headers(${first} PRIVATE ${callis_headers_std} <gtest/gtest.h>)
      target_compile_options(${first} PRIVATE ${CALLIS_TEST_OPTIONS})
    else()
      add_library(${first} OBJECT ${PROJECT_BINARY_DIR}/headers/${kind}.cpp)
      target_precompile_headers(${first} PRIVATE ${callis_headers_std})
      if(kind STREQUAL alone)  # tests of headers
        target_compile_options(${first} PRIVATE ${CALLIS_TEST_OPTIONS})
      elseif(kind STREQUAL engine)
        target_compile_options(${first} PRIVATE -fno-exceptions -fno-rtti)
      endif()
    endif()
    target_link_libraries(${first} PRIVATE callis_flags)
  endif()
  target_precompile_headers(${target} REUSE_FROM ${first})
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
    # Of precompiled headers GCC 12 forgets that they are the system's: it tells its false alarms about std::string (bug 105651).
    target_compile_options(${target} PRIVATE -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
endfunction()

# For the programs of the command line and their libraries: several sources are compiled as one, and optimised little. Not
# for libraries of the runtime, of which programs take each object that they need.
function(callis_compile_quickly target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 9)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# So many sources of the target are compiled as one.
function(callis_compile_together target count)
  if(NOT count EQUAL 1)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${count})
  endif()
endfunction()

# The sources are compiled as one with the target's others of the same group.
function(callis_group_sources group)
  if(CALLIS_ROOMS_AT_ONCE)
    set_source_files_properties(${ARGN} PROPERTIES UNITY_GROUP ${group})
  endif()
endfunction()

function(callis_library name)
  cmake_parse_arguments(A "ENGINE;UNITY;TOGETHER" "" "HEADERS;SOURCES;APART;DEPS;FEATURES" ${ARGN})
  set(target callis_${name})
  if(A_TOGETHER)
    callis_group_sources(${name} ${A_SOURCES})
  endif()
  list(APPEND A_SOURCES ${A_APART})
  if(A_FEATURES)
    callis_write_features(${name} "${A_FEATURES}" "${A_DEPS}")
    list(APPEND A_SOURCES ${PROJECT_BINARY_DIR}/features/${name}.cpp)
  endif()
  if(A_SOURCES)
    add_library(${target} STATIC ${A_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE callis_flags)
    if(A_UNITY)
      callis_compile_quickly(${target})
    elseif(CMAKE_CURRENT_SOURCE_DIR MATCHES "^${PROJECT_SOURCE_DIR}/services/")
      callis_compile_together(${target} ${CALLIS_SERVICES_AT_ONCE})
    elseif(CALLIS_ROOMS_AT_ONCE)
      set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    endif()
    if(A_ENGINE)
      target_compile_options(${target} PRIVATE -fno-exceptions -fno-rtti)
      callis_share_headers(${target} engine)
    elseif(A_HEADERS)
      callis_share_headers(${target} exceptions)
    endif()
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(callis::${name} ALIAS ${target})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_sources(${target} ${scope} FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${A_HEADERS})
  target_include_directories(${target} ${scope} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
  foreach(d ${A_DEPS})
    if(d MATCHES "::" OR NOT TARGET callis_${d})
      target_link_libraries(${target} ${scope} ${d})
    else()
      target_link_libraries(${target} ${scope} callis_${d})
    endif()
  endforeach()
  # The properties asked for are those of the program that is linked.
  foreach(f ${A_FEATURES})
    string(REGEX REPLACE ":.*" "" feature ${f})
    string(REGEX REPLACE ".*:" "" symbol ${f})
    target_link_options(${target} INTERFACE
      $<$<OR:$<NOT:$<BOOL:$<TARGET_PROPERTY:CALLIS_MINIMAL>>>,$<IN_LIST:${feature},$<TARGET_PROPERTY:CALLIS_FEATURES>>>:-Wl,-u,callis_feature_${symbol}>)
    set_property(GLOBAL APPEND PROPERTY CALLIS_ALL_FEATURES ${feature})
    set_property(GLOBAL APPEND PROPERTY CALLIS_FEATURE_PARTS_${feature} ${symbol})
    set_property(GLOBAL APPEND PROPERTY CALLIS_FEATURE_OPTIONS -Wl,-u,callis_feature_${symbol})
  endforeach()
  string(FIND ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/callis/ in_runtime)
  if(in_runtime EQUAL 0)  # for callis_whole.cmake and callis_install.cmake
    set_property(GLOBAL APPEND PROPERTY CALLIS_RUNTIME ${name})
    list(TRANSFORM A_HEADERS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE headers)
    set_property(GLOBAL APPEND PROPERTY CALLIS_RUNTIME_HEADERS ${headers})
  endif()
  if(CALLIS_BUILD_TESTS AND A_HEADERS)
    set(lone)
    foreach(h ${A_HEADERS})
      file(RELATIVE_PATH rel ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/${h})
      string(MAKE_C_IDENTIFIER ${rel} id)
      set(src ${PROJECT_BINARY_DIR}/header_alone/${id}.cpp)
      file(CONFIGURE OUTPUT ${src} CONTENT "#include <${rel}>\n#include <${rel}>  // twice: guarded\n" @ONLY)
      list(APPEND lone ${src})
    endforeach()
    # The short form has the standard library's usual headers precompiled, which takes a third of the time; the long form also
    # finds a header that forgets to include one of these. Services and tools have the long form alone: their headers take more
    # than half of the time, and few of them are installed.
    set(forms "" _strict)
    if(CMAKE_CURRENT_SOURCE_DIR MATCHES "^${PROJECT_SOURCE_DIR}/(services|tools)/")
      set(forms _strict)
    endif()
    foreach(form IN LISTS forms)
      add_library(header_alone_${name}${form} OBJECT EXCLUDE_FROM_ALL ${lone})
      target_link_libraries(header_alone_${name}${form} PRIVATE callis_flags ${target})
      target_compile_options(header_alone_${name}${form} PRIVATE ${CALLIS_TEST_OPTIONS})
      set(when CONFIGURATIONS Full)
      if(NOT form)
        callis_share_headers(header_alone_${name} alone)
        set(when)
      endif()
      add_test(NAME header_alone${form}.${name} ${when}
               COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target header_alone_${name}${form})
      set_tests_properties(header_alone${form}.${name} PROPERTIES RESOURCE_LOCK build_directory LABELS house)
    endforeach()
  endif()
endfunction()

# Writes the source file of callis_features_NAME.
function(callis_write_features name features deps)
  set(declarations)
  set(addresses)
  foreach(f ${features})
    string(REGEX REPLACE ".*:" "" symbol ${f})
    string(APPEND declarations "extern const char callis_feature_${symbol};\n")
    list(APPEND addresses "&callis_feature_${symbol}")
  endforeach()
  get_property(with_features GLOBAL PROPERTY CALLIS_FEATURE_LIBRARIES)
  foreach(d ${deps})
    if(d IN_LIST with_features)
      string(APPEND declarations "extern const void* const callis_features_${d}[];\n")
      list(APPEND addresses "callis_features_${d}")
    endif()
  endforeach()
  string(JOIN ", " addresses ${addresses})
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/features/${name}.cpp CONTENT
"// All features of callis/${name} and of what it links. Written by CMake (callis_library).
extern \"C\" {
@declarations@extern const void* const callis_features_${name}[];
const void* const callis_features_${name}[] = {@addresses@};
}
" @ONLY)
  set_property(GLOBAL APPEND PROPERTY CALLIS_FEATURE_LIBRARIES ${name})
endfunction()

macro(callis_room folder)
  cmake_parse_arguments(room "" "" "HEADERS;SOURCES;APART;TESTS" ${ARGN})
  foreach(kind HEADERS SOURCES APART TESTS)
    list(TRANSFORM room_${kind} PREPEND ${folder}/)
  endforeach()
  callis_group_sources(${folder} ${room_SOURCES})
  list(APPEND rooms_HEADERS ${room_HEADERS})
  list(APPEND rooms_SOURCES ${room_SOURCES} ${room_APART})
  list(APPEND rooms_TESTS ${room_TESTS})
endmacro()

function(callis_link_all target)
  foreach(d ${ARGN})
    if(TARGET callis_${d})
      target_link_libraries(${target} PRIVATE callis_${d})
    else()
      target_link_libraries(${target} PRIVATE ${d})
    endif()
  endforeach()
endfunction()

function(callis_test name)
  if(NOT CALLIS_BUILD_TESTS)
    return()
  endif()
  cmake_parse_arguments(A "FOLDERS;APART" "TIMEOUT" "SOURCES;DEPS;LABELS" ${ARGN})
  if(NOT A_TIMEOUT)
    set(A_TIMEOUT 120)
  endif()
  set(target ${name}_test)
  add_executable(${target} ${A_SOURCES})
  target_link_libraries(${target} PRIVATE callis_flags GTest::gtest_main)
  target_compile_options(${target} PRIVATE ${CALLIS_TEST_OPTIONS})
  callis_share_headers(${target} tests)
  list(LENGTH A_SOURCES count)
  if(count GREATER 2 AND NOT A_APART)
    callis_compile_together(${target} ${CALLIS_TESTS_AT_ONCE})
  endif()
  if(A_FOLDERS)
    target_compile_definitions(${target} PRIVATE CALLIS_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                               CALLIS_BINARY_DIR="${PROJECT_BINARY_DIR}")
  endif()
  callis_link_all(${target} ${A_DEPS})
  gtest_discover_tests(${target} TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60
                       PROPERTIES TIMEOUT ${A_TIMEOUT} LABELS "${A_LABELS}")
  # All in one process, in any order: what one case leaves behind must not change another.
  add_test(NAME whole.${name} CONFIGURATIONS Full COMMAND ${target} --gtest_shuffle --gtest_brief=1)
  set_tests_properties(whole.${name} PROPERTIES TIMEOUT 600 LABELS whole)
endfunction()

function(callis_program name)
  cmake_parse_arguments(A "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${A_SOURCES})
  target_link_libraries(${name} PRIVATE callis_flags)
  callis_link_all(${name} ${A_DEPS})
endfunction()
