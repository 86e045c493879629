// SPDX-License-Identifier: Apache-2.0
// Included first by the headers that applications include: a compiler of an older C++ stops here. The name of
// a file that does not exist is the one error that ends a compilation at once, in GCC and in Clang.
#pragma once
#if __cplusplus < 202002L
#include <callis needs C++20: compile with -std=c++20, in CMake target_compile_features(program PRIVATE cxx_std_20)>
#endif
