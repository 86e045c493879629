// SPDX-License-Identifier: Apache-2.0
// What is wrong in a value on the wire, or in what the application makes of it, is a fault.
#include <callis/base/testing/small_stack.h>
#include <callis/value/testing/wire.h>

namespace callis::value::testing {
namespace {

class HostileWire : public Wire {};
INSTANTIATE_TEST_SUITE_P(Orders, HostileWire, kOrders, order_name);

TEST_P(HostileWire, WhatNobodyCanMakeIsRefused) {
  EXPECT_EQ(fault_of(b().u(0x7fffff02).s("IDL:None:1.0").u(7).bytes, nullptr), Fault::NoValueFactory);
  // Without chunks nothing can be cut off.
  EXPECT_EQ(fault_of(b().u(0x7fffff06).u(2).s("IDL:None:1.0").s("IDL:Point:1.0").u(7).bytes, nullptr),
            Fault::NoValueFactory);
  // Of no type at all.
  EXPECT_NE(fault_of(b().u(0x7fffff00).u(7).bytes, nullptr), Fault::None);
  // Of another type than the place has.
  EXPECT_EQ(fault_of(b().u(0x7fffff02).s("IDL:Point:1.0").u(7).bytes, &Named::link), Fault::BadValue);
}

TEST_P(HostileWire, FactoriesThatThrowOrLieAreRefused) {
  const Registered throws("IDL:Throws:1.0", []() -> CORBA::ValueBase* { throw 1; });
  const Registered lies("IDL:Lies:1.0", [] { return new Point; });
  const Registered null("IDL:Null:1.0", [] { return nullptr; });
  EXPECT_EQ(fault_of(b().u(0x7fffff02).s("IDL:Throws:1.0").u(7).bytes, nullptr), Fault::Rejected);
  EXPECT_EQ(fault_of(b().u(0x7fffff02).s("IDL:Lies:1.0").u(7).bytes, nullptr), Fault::BadValue);
  EXPECT_EQ(fault_of(b().u(0x7fffff02).s("IDL:Null:1.0").u(7).bytes, nullptr), Fault::NoValueFactory);
}

TEST_P(HostileWire, ValuesThatThrowAreRefused) {
  const Var<Self> v(new Self);
  v->throws = true;
  (void)written([&](cdr::Encoder& e) { put_value(e, v.in(), nullptr); }, Fault::Rejected);
}

TEST_P(HostileWire, OffsetsLeadToValuesOnly) {
  for (const std::uint32_t offset : {0u, 4u, 0x80000000u, static_cast<std::uint32_t>(-4),
                                     static_cast<std::uint32_t>(-8), static_cast<std::uint32_t>(-400)})
    EXPECT_EQ(fault_of(b().u(0xffffffff).u(offset).bytes, nullptr), Fault::BadValue) << offset;
  // Into the middle of a value, and of an id.
  for (const std::uint32_t back : {4u, 8u, 24u}) {
    reads(b().u(0x7fffff02).s("IDL:Point:1.0").u(7).u(0xffffffff).u(-back).bytes, [](cdr::Decoder& d) {
      const CORBA::ValueBase_var v(get_value(d, nullptr)), w(get_value(d, nullptr));
      EXPECT_EQ(d.fault(), Fault::BadValue);
    });
  }
  EXPECT_EQ(fault_of(b().u(0x7fffff02).u(0xffffffff).u(static_cast<std::uint32_t>(-8)).u(1).bytes, nullptr),
            Fault::BadValue);
  EXPECT_EQ(fault_of(b().u(0x7fffff06).u(0xffffffff).u(static_cast<std::uint32_t>(-8)).u(1).bytes, nullptr),
            Fault::BadValue);
}

TEST_P(HostileWire, BadTagsAreRefused) {
  for (const std::uint32_t tag : {1u, 0x7ffffeffu, 0x80000000u, 0xfffffffeu, 0x7fffff10u, 0x7fffff04u, 0x7fffff80u})
    EXPECT_EQ(fault_of(b().u(tag).s("IDL:Point:1.0").u(7).bytes, &Point::link), Fault::BadValue) << tag;
  // Lists of no ids, and of too many.
  EXPECT_EQ(fault_of(b().u(0x7fffff0e).u(0).bytes, &Point::link), Fault::BadValue);
  EXPECT_EQ(fault_of(b().u(0x7fffff0e).u(65).bytes, &Point::link), Fault::LimitExceeded);
}

TEST_P(HostileWire, BadChunksAreRefused) {
  const auto head = [] { return b().u(0x7fffff0a).s("IDL:Point:1.0"); };
  EXPECT_EQ(fault_of(head().u(4).u(7).u(0xffffffff).bytes, nullptr), Fault::None);
  EXPECT_EQ(fault_of(head().u(400).u(7).u(0xffffffff).bytes, nullptr), Fault::Truncated);
  EXPECT_EQ(fault_of(head().u(4).u(7).bytes, nullptr), Fault::Truncated) << "no end tag";
  EXPECT_EQ(fault_of(head().u(4).u(7).u(static_cast<std::uint32_t>(-2)).bytes, nullptr), Fault::BadValue)
      << "of a level that is not";
  EXPECT_EQ(fault_of(head().u(4).u(7).u(0x80000000).bytes, nullptr), Fault::BadValue);
  EXPECT_EQ(fault_of(head().u(4).u(7).u(0).bytes, nullptr), Fault::BadValue);
  EXPECT_EQ(fault_of(head().u(0xffffffff).bytes, nullptr), Fault::BadValue) << "no state";
  EXPECT_EQ(fault_of(head().u(2).o(0).o(0).u(2).o(0).o(7).u(0xffffffff).bytes, nullptr), Fault::BadValue)
      << "a primitive in two chunks";
}

TEST_P(HostileWire, EveryTruncationIsAFault) {
  const Registered named("IDL:Named:1.0", [] { return new Named; });
  const CORBA::ValueBase_var v(new Named(7, "abc"));
  const auto bytes = written([&](cdr::Encoder& e) { put_value(e, v.in(), &Point::link); });
  for (std::size_t n = 0; n < bytes.size(); ++n)
    EXPECT_NE(fault_of({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n)}, &Point::link), Fault::None)
        << n;
}

// The application's code reads and writes each within the one around it: they take levels.
TEST_P(HostileWire, NestingOfCustomValuesIsBounded) {
  const Registered self("IDL:Self:1.0", [] { return new Self; });
  const auto nested = [](std::uint32_t n) {
    Var<Self> v(new Self);
    for (std::uint32_t i = 1; i < n; ++i) {
      Var<Self> outer(new Self);
      outer->values.push_back(CORBA::ValueBase_var(v._retn()));
      v = outer;
    }
    return v;
  };
  const auto send = [](const Var<Self>& v, Fault expected) {
    return written([&](cdr::Encoder& e) { put_value(e, v.in(), &Self::link); }, expected);
  };
  const std::uint32_t most_sent = FixedLimits::max_sent_value_nesting, most = Limits{}.max_depth + 1;
  Bytes deeper = b();
  for (std::uint32_t i = 0; i <= most; ++i) deeper.u(0x7fffff0a).s("IDL:Self:1.0").u(5).u(1).o(1);
  const std::size_t used = callis::testing::stack_used([&] {
    EXPECT_NE(read_one(send(nested(most_sent), Fault::None), &Self::link).in(), nullptr);
    (void)send(nested(most_sent + 1), Fault::TooDeep);
    EXPECT_EQ(fault_of(deeper.bytes, &Self::link), Fault::TooDeep);
    EXPECT_EQ(fault_of({deeper.bytes.begin(), deeper.bytes.end() - 40}, &Self::link), Fault::Truncated);
  });
  EXPECT_LT(used, callis::testing::kMostUsed);
}

// From the peer, within what is cut off.
TEST_P(HostileWire, NestingIsBounded) {
  for (const std::uint32_t n : {kMaxDepth, kMaxDepth + 1}) {
    Bytes deep = b().u(0x7fffff0e).u(2).s("IDL:Unknown:1.0").s("IDL:Point:1.0").u(4).u(7);
    for (std::uint32_t i = 1; i < n; ++i) deep.u(0x7fffff08);
    EXPECT_EQ(fault_of(deep.u(0xffffffff).bytes, nullptr), n > kMaxDepth ? Fault::TooDeep : Fault::None) << n;
  }
}

TEST_P(HostileWire, RepositoryIdsAreBounded) {
  const std::string longest(FixedLimits::max_value_id_bytes, 'x');
  EXPECT_EQ(fault_of(b().u(0x7fffff02).s(longest).bytes, nullptr), Fault::NoValueFactory);
  EXPECT_EQ(fault_of(b().u(0x7fffff02).s(longest + "x").bytes, nullptr), Fault::LimitExceeded);
  EXPECT_EQ(fault_of(b().u(0x7fffff03).s(longest + "x").s("IDL:None:1.0").bytes, nullptr), Fault::NoValueFactory);
}

TEST_P(HostileWire, ListsOfRepositoryIdsAreBounded) {
  for (const std::size_t n : {FixedLimits::max_value_ids, FixedLimits::max_value_ids + 1}) {
    Bytes list = b().u(0x7fffff06).u(static_cast<std::uint32_t>(n));
    for (std::size_t i = 0; i < n; ++i) list.s("IDL:None:1.0");
    EXPECT_EQ(fault_of(list.bytes, nullptr),
              n > FixedLimits::max_value_ids ? Fault::LimitExceeded : Fault::NoValueFactory)
        << n;
  }
}

}  // namespace
}  // namespace callis::value::testing
