// SPDX-License-Identifier: Apache-2.0
// Shorter ways to say what an Any has.
#pragma once
#include <callis/corba.h>
#include <gtest/gtest.h>
#include <concepts>
#include <type_traits>

namespace callis::services::testing {

// Puts a value of a type that IDL defines into an Any.
template <class T>
  requires std::is_class_v<T>
CORBA::Any any(const T& value) {
  CORBA::Any out;
  out <<= value;
  return out;
}
inline CORBA::Any any(CORBA::Long value) {
  CORBA::Any out;
  out <<= value;
  return out;
}
inline CORBA::Any any(std::same_as<bool> auto value) {
  CORBA::Any out;
  out <<= CORBA::Any::from_boolean(value);
  return out;
}
inline CORBA::Any any(const char* value) {
  CORBA::Any out;
  out <<= value;
  return out;
}
// Returns -1, and fails the test, if the Any holds no long.
inline CORBA::Long long_of(const CORBA::Any& any) {
  CORBA::Long out = -1;
  EXPECT_TRUE(any >>= out);
  return out;
}

}  // namespace callis::services::testing
