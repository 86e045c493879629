// SPDX-License-Identifier: Apache-2.0
// For the program that extract.py makes of docs/guide/mapping.md: compares a value's encoding with the page's.
#pragma once
#include <callis/cdr/encoder.h>
#include <callis/classic/exception.h>
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

// What the client's frame (marshal/plan.h) holds of an `in` argument: scalars and pointers themselves, else a
// pointer.
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

inline void write(const auto& value, const callis::marshal::OperationPlans& plans, callis::cdr::Encoder& e) {
  const auto frame = slot(value);
  callis::marshal::encode(*plans.client_request, &frame, e);
}
inline void write(const CORBA::UserException& x, const callis::marshal::OperationPlans& plans,
                  callis::cdr::Encoder& e) {
  e.put_string(x._rep_id());
  callis::marshal::encode(*plans.exceptions[0].body, dynamic_cast<const void*>(&x), e);
}

// Encodes `value` as the one `in` argument of an operation, or as the one exception that it raises, big-endian, and
// compares.
template <class T>
void expect_wire(const T& value, const callis::marshal::Unit& unit, callis::marshal::Word op, int line,
                 std::initializer_list<unsigned char> expected) {
  using namespace callis;
  Buffer buffer(64);
  cdr::Encoder e(buffer, ByteOrder::Big);
  if constexpr (std::is_base_of_v<CORBA::UserException, T>) {
    write(static_cast<const CORBA::UserException&>(value), *marshal::operation_plans(unit, op), e);
  } else {
    write(value, *marshal::operation_plans(unit, op), e);
  }
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
