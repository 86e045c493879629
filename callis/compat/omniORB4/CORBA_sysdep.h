// SPDX-License-Identifier: Apache-2.0
// The macros by which programs for omniORB ask what the compiler has: all that C++20 has.
#pragma once
#include <cstdlib>
#include <cstring>

#ifndef HAVE_STD
#define HAVE_STD 1
#endif
#define HAS_Cplusplus_Bool
#define HAS_Cplusplus_Namespace
#define HAS_Cplusplus_const_cast
#define HAS_Cplusplus_reinterpret_cast
#define HAS_Cplusplus_catch_exception_by_base
#define HAS_Std_Namespace
#define HAS_LongLong
#define HAS_LongDouble
#define OMNI_NAMESPACE_BEGIN(name) namespace name {
#define OMNI_NAMESPACE_END(name) }
#define OMNI_USING_NAMESPACE(name) using namespace name;
