# ARMv7 in Thumb-2 with Debian's g++-arm-linux-gnueabihf and its C library.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR armv7)
set(CMAKE_C_COMPILER arm-linux-gnueabihf-gcc)
set(CMAKE_CXX_COMPILER arm-linux-gnueabihf-g++)
set(CMAKE_C_FLAGS_INIT "-mthumb -march=armv7-a+fp")
set(CMAKE_CXX_FLAGS_INIT "-mthumb -march=armv7-a+fp -Wno-psabi")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
