# Whole static programs with musl and libc++, by the compiler of the Python package ziglang (pip install ziglang), which has clang,
# musl and libc++ for every machine. CALLIS_ZIG_TARGET says which, CALLIS_ZIG_PYTHON whose package:
#
#   cmake --preset micro -B build-arm -DCMAKE_TOOLCHAIN_FILE=$PWD/cmake/toolchains/zig.cmake -DCALLIS_ZIG_TARGET=arm-linux-musleabihf
#
# Targets: arm-linux-musleabihf (Thumb-2 with -DCMAKE_CXX_FLAGS=-mthumb), aarch64-linux-musl, riscv64-linux-musl, x86_64-linux-musl.
set(CMAKE_SYSTEM_NAME Linux)
set(CALLIS_ZIG_TARGET "$ENV{CALLIS_ZIG_TARGET}" CACHE STRING "Machine and C library, as zig names them")
set(CALLIS_ZIG_PYTHON "python3" CACHE STRING "The Python whose package ziglang is meant")
if(CALLIS_ZIG_TARGET STREQUAL "")
  message(FATAL_ERROR "zig.cmake: -DCALLIS_ZIG_TARGET=arm-linux-musleabihf, or another machine")
endif()
string(REGEX REPLACE "-.*" "" CMAKE_SYSTEM_PROCESSOR ${CALLIS_ZIG_TARGET})
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CALLIS_ZIG_TARGET CALLIS_ZIG_PYTHON)
# CMake wants compilers that are one word.
foreach(tool c++ cc ar ranlib)
  set(words "${tool}")
  if(tool STREQUAL "c++" OR tool STREQUAL "cc")
    set(words "${tool} -target ${CALLIS_ZIG_TARGET}")
  endif()
  set(file ${CMAKE_BINARY_DIR}/zig-${tool})
  if(NOT EXISTS ${file})
    file(WRITE ${file} "#!/bin/sh\nexec ${CALLIS_ZIG_PYTHON} -m ziglang ${words} \"$@\"\n")
    file(CHMOD ${file} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  endif()
endforeach()
set(CMAKE_C_COMPILER ${CMAKE_BINARY_DIR}/zig-cc)
set(CMAKE_CXX_COMPILER ${CMAKE_BINARY_DIR}/zig-c++)
set(CMAKE_AR ${CMAKE_BINARY_DIR}/zig-ar CACHE FILEPATH "")
set(CMAKE_RANLIB ${CMAKE_BINARY_DIR}/zig-ranlib CACHE FILEPATH "")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
