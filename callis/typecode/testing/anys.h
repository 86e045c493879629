// SPDX-License-Identifier: Apache-2.0
// Anys for tests: a struct and an exception in them, and their form on the wire.
#pragma once
#include <callis/typecode/coder.h>
#include <callis/typecode/testing/types.h>
#include <gtest/gtest.h>

namespace callis::typecode::testing {

using CORBA::Any;

// struct Pair { long number; string text; };
struct Pair {
  CORBA::Long number;
  CORBA::String_member text;
};
inline TypeCode_ptr tc_pair() {
  static const TypeCode_var t =
      make_struct("IDL:Pair:1.0", "Pair", {{"number", CORBA::_tc_long}, {"text", CORBA::_tc_string}});
  return t.in();
}
inline Any pair_any(CORBA::Long n, const char* s) {
  const Pair p{n, s};
  Any a;
  insert(a, tc_pair(), &p);
  return a;
}

class Oops final : public CORBA::UserException {
 public:
  CORBA::String_member why;
  void _raise() const override { throw *this; }
  const char* _name() const noexcept override { return "Oops"; }
  const char* _rep_id() const noexcept override { return "IDL:Oops:1.0"; }
  CORBA::Exception* _duplicate() const override { return new Oops(*this); }
};
inline TypeCode_ptr tc_oops() {
  static const TypeCode_var t = create_exception_tc("IDL:Oops:1.0", "Oops", members({{"why", CORBA::_tc_string}}));
  return t.in();
}

inline std::vector<Byte> bytes_of(const Any& a, ByteOrder order = kNativeOrder, std::size_t before = 0) {
  Buffer b;
  cdr::Encoder e(b, order);
  for (std::size_t i = 0; i < before; ++i) e.put_octet(0);
  put_any(e, a);
  EXPECT_EQ(e.fault(), Fault::None);
  e.finish();
  return {b.view().begin() + static_cast<std::ptrdiff_t>(before), b.view().end()};
}
inline Fault receive(ByteView bytes, ByteOrder order, Any& to, std::size_t phase = 0,
                     std::size_t budget_bytes = 1u << 20) {
  cdr::Budget budget{budget_bytes, 64};
  cdr::Decoder d(bytes, order, budget, phase);
  get_any(d, to);
  return d.ok() && d.remaining() != 0 ? Fault::BadCount : d.fault();
}

}  // namespace callis::typecode::testing
