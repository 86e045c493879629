// SPDX-License-Identifier: Apache-2.0
// For the program that extract.py makes of docs/guide/idl.md: compares a value's encoding with the page's.
#pragma once
#include <callis/cdr/encoder.h>
#include <callis/marshal/plan.h>
#include <cstdio>
#include <initializer_list>
#include <type_traits>
#include <vector>

namespace guide {

inline int& failures() {
  static int count = 0;
  return count;
}

// What the client's frame (marshal/plan.h) holds of an `in` argument: scalars and pointers themselves, else a pointer.
template <class T>
auto slot(const T& value) {
  if constexpr (std::is_scalar_v<T>) {
    return value;
  } else {
    return static_cast<const void*>(&value);
  }
}
// A T_var stands for what it owns.
template <class T>
  requires requires(const T& value) { value.in(); }
auto slot(const T& value) {
  return slot(value.in());
}

// Encodes `value` as the one `in` argument of an operation, big-endian, and compares.
template <class T>
void expect_wire(const T& value, const callis::marshal::Unit& unit, callis::marshal::Word op, int line,
                 std::initializer_list<unsigned char> expected) {
  using namespace callis;
  const auto frame = slot(value);
  Buffer buffer(64);
  cdr::Encoder e(buffer, ByteOrder::Big);
  marshal::encode(*marshal::operation_plans(unit, op)->client_request, &frame, e);
  e.finish();
  const std::vector<unsigned char> wanted = expected;
  const std::vector<unsigned char> actual(buffer.data(), buffer.data() + buffer.size());
  if (e.fault() == Fault::None && actual == wanted) return;
  ++failures();
  std::printf("line %d: fault %d, encoded as", line, static_cast<int>(e.fault()));
  for (const unsigned char b : actual) std::printf(" %02x", b);
  std::printf("\n");
}

}  // namespace guide
