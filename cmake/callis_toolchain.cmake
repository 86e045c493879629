# Compiler settings shared by every target: C++20, warnings, sanitizers, ccache.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
if(NOT DEFINED CMAKE_POSITION_INDEPENDENT_CODE)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()
# Users' builds are what the project's measurements are of: CMake's own -O3 takes a tenth more to build, is larger, and no call is faster.
if(PROJECT_IS_TOP_LEVEL AND CMAKE_CXX_FLAGS_RELEASE STREQUAL "-O3 -DNDEBUG")
  set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
endif()
set(CMAKE_CXX_VISIBILITY_PRESET default)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
  message(FATAL_ERROR "callis needs GCC 12 or newer; found ${CMAKE_CXX_COMPILER_VERSION}")
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  message(FATAL_ERROR "callis needs Clang 14 or newer; found ${CMAKE_CXX_COMPILER_VERSION}")
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without this ccache keeps nothing that was compiled with precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()

# Libraries are linked by the compiler's own linker in any case, as users have them; programs by this option.
set(callis_usual_linker)
set(CALLIS_LINKER "" CACHE STRING "Linker of programs, as -fuse-ld= names it, where it is installed; empty: the compiler's own")
if(CALLIS_LINKER)
  find_program(CALLIS_LINKER_PROGRAM ld.${CALLIS_LINKER})
  if(CALLIS_LINKER_PROGRAM)
    string(APPEND CMAKE_EXE_LINKER_FLAGS " -fuse-ld=${CALLIS_LINKER}")
    set(callis_usual_linker -fuse-ld=bfd)
  endif()
endif()

# GCC spends a tenth of its time looking for memory to free. It does so after half a gigabyte only, where the machine has two
# gigabytes for each processor.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND PROJECT_IS_TOP_LEVEL)
  cmake_host_system_information(RESULT megabytes QUERY TOTAL_PHYSICAL_MEMORY)
  cmake_host_system_information(RESULT processors QUERY NUMBER_OF_LOGICAL_CORES)
  math(EXPR megabytes_each "${megabytes} / ${processors}")
  if(megabytes_each GREATER_EQUAL 2000)
    add_compile_options(--param=ggc-min-heapsize=524288)
  endif()
endif()

find_package(Threads REQUIRED)

add_library(callis_flags INTERFACE)
target_include_directories(callis_flags INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(callis_flags INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wsign-conversion
                       -ffunction-sections -fdata-sections $<$<NOT:$<CONFIG:MinSizeRel>>:-fno-plt>)
# GCC guesses the targets of virtual calls from the classes that a source file knows, which are seldom those of a call.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(callis_flags INTERFACE $<$<CONFIG:Release,MinSizeRel>:-fno-devirtualize-speculatively>)
  # GCC collects words in vector registers to store two at once; who loads one of them soon waits for both, and longer.
  target_compile_options(callis_flags INTERFACE $<$<CONFIG:Release>:-fno-tree-slp-vectorize>)
  # What -Os and -Oz switch on and makes callis's code larger: the minimal program was 2.3 % larger with it.
  set(smaller -fno-ipa-sra -fno-gcse -fno-caller-saves -fno-ivopts -fno-move-loop-invariants -fno-tree-pre -fno-code-hoisting)
  target_compile_options(callis_flags INTERFACE "$<$<CONFIG:MinSizeRel>:${smaller}>")
endif()
if(CALLIS_WERROR)
  target_compile_options(callis_flags INTERFACE -Werror)
endif()

set(CALLIS_SANITIZE "" CACHE STRING "Value for -fsanitize=, empty for none")
if(CALLIS_SANITIZE)
  add_compile_options(-fsanitize=${CALLIS_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${CALLIS_SANITIZE})
  if(CALLIS_SANITIZE MATCHES "undefined")
    # The vptr check needs RTTI of every class; the engine libraries are built without it.
    add_compile_options(-fno-sanitize-recover=all -fno-sanitize=vptr)
  endif()
endif()
