// SPDX-License-Identifier: Apache-2.0
// TypeCodes on the wire, byte for byte in both orders (CORBA 3.3 part 2, 9.3.5), and what peers may not send.
#include <callis/typecode/testing/types.h>
#include <gtest/gtest.h>

namespace callis::typecode::testing {
namespace {

constexpr std::uint32_t kBack = 0xffffffff;
std::uint64_t offset(long n) { return static_cast<std::uint32_t>(static_cast<std::int32_t>(n)); }

class Wire : public ::testing::TestWithParam<ByteOrder> {
 protected:
  Cdr cdr() const { return Cdr(GetParam()); }
  // Written so, and read from it again.
  void expect_form(TypeCode_ptr t, const Cdr& wire) {
    EXPECT_EQ(written(t, GetParam()), wire.bytes());
    Fault fault;
    const TypeCode_var back = read(wire, GetParam(), &fault);
    ASSERT_NE(back.in(), nullptr) << fault_name(fault);
    EXPECT_TRUE(back->equal(t));
    EXPECT_TRUE(t->equal(back));
    EXPECT_EQ(written(back, GetParam()), wire.bytes());
  }
  void expect_refused(const Cdr& wire, Fault why) {
    Fault fault;
    const TypeCode_var t = read(wire, GetParam(), &fault);
    EXPECT_EQ(t.in(), nullptr);
    EXPECT_STREQ(fault_name(fault), fault_name(why));
  }
};
INSTANTIATE_TEST_SUITE_P(BothOrders, Wire, ::testing::Values(ByteOrder::Big, ByteOrder::Little),
                         [](const auto& i) { return i.param == ByteOrder::Big ? "Big" : "Little"; });

TEST_P(Wire, KindsWithoutParametersAreTheirNumber) {
  const std::pair<TypeCode_ptr, unsigned> all[] = {
      {CORBA::_tc_null, 0}, {CORBA::_tc_void, 1}, {CORBA::_tc_short, 2}, {CORBA::_tc_long, 3}, {CORBA::_tc_ushort, 4},
      {CORBA::_tc_ulong, 5}, {CORBA::_tc_float, 6}, {CORBA::_tc_double, 7}, {CORBA::_tc_boolean, 8},
      {CORBA::_tc_char, 9}, {CORBA::_tc_octet, 10}, {CORBA::_tc_any, 11}, {CORBA::_tc_TypeCode, 12},
      {CORBA::_tc_Principal, 13}, {CORBA::_tc_longlong, 23}, {CORBA::_tc_ulonglong, 24}, {CORBA::_tc_longdouble, 25},
      {CORBA::_tc_wchar, 26}};
  for (const auto& [t, number] : all) {
    EXPECT_EQ(t->kind(), number);
    expect_form(t, cdr().u32(number));
  }
}

TEST_P(Wire, NilIsWrittenAsNull) { EXPECT_EQ(written(nullptr, GetParam()), cdr().u32(0).bytes()); }

TEST_P(Wire, StringsHaveTheirBound) {
  expect_form(CORBA::_tc_string, cdr().u32(18).u32(0));
  expect_form(CORBA::_tc_wstring, cdr().u32(27).u32(0));
  const TypeCode_var s = create_string_tc(10), w = create_wstring_tc(70000);
  expect_form(s, cdr().u32(18).u32(10));
  expect_form(w, cdr().u32(27).u32(70000));
}

TEST_P(Wire, FixedHasDigitsAndScale) {
  const TypeCode_var f = create_fixed_tc(31, 4);
  expect_form(f, cdr().u32(28).u16(31).u16(4));
}

TEST_P(Wire, InterfacesHaveIdAndName) {
  expect_form(CORBA::_tc_Object,
              cdr().u32(14).within([](Cdr& c) { c.text("IDL:omg.org/CORBA/Object:1.0").text("Object"); }));
  for (CORBA::TCKind kind : {CORBA::tk_objref, CORBA::tk_native, CORBA::tk_abstract_interface,
                             CORBA::tk_local_interface, CORBA::tk_component, CORBA::tk_home}) {
    const TypeCode_var t = create_named_tc(kind, "IDL:A/B:1.0", "B");
    expect_form(t, cdr().u32(kind).within([](Cdr& c) { c.text("IDL:A/B:1.0").text("B"); }));
  }
}

TEST_P(Wire, StructAndExceptionHaveNamedMembers) {
  const auto inside = [](Cdr& c) {
    c.text("IDL:S:1.0").text("S").u32(2).text("a").u32(10).text("bc").u32(18).u32(3);
  };
  const TypeCode_var string3 = create_string_tc(3);
  const TypeCode_var s = make_struct("IDL:S:1.0", "S", {{"a", CORBA::_tc_octet}, {"bc", string3}});
  expect_form(s, cdr().u32(15).within(inside));
  const TypeCode_var e = create_exception_tc("IDL:S:1.0", "S", members({{"a", CORBA::_tc_octet}, {"bc", string3}}));
  expect_form(e, cdr().u32(22).within(inside));
  const TypeCode_var none = create_exception_tc("IDL:S:1.0", "S", members({}));
  expect_form(none, cdr().u32(22).within([](Cdr& c) { c.text("IDL:S:1.0").text("S").u32(0); }));
}

TEST_P(Wire, EnumHasItsMembersNames) {
  const TypeCode_var e = make_enum("IDL:E:1.0", "E", {"red", "green"});
  expect_form(e,
              cdr().u32(17).within([](Cdr& c) { c.text("IDL:E:1.0").text("E").u32(2).text("red").text("green"); }));
}

TEST_P(Wire, UnionHasLabelsOfTheDiscriminatorsType) {
  const TypeCode_var u = create_union_tc("IDL:U:1.0", "U", CORBA::_tc_short,
                                         union_members({union_member("x", any_of(CORBA::Short{-1}), CORBA::_tc_long),
                                                        union_member("d", default_label(), CORBA::_tc_char)}));
  expect_form(u, cdr().u32(16).within([](Cdr& c) {
    c.text("IDL:U:1.0").text("U").u32(2).u32(1).u32(2);
    c.u16(0xffff).text("x").u32(3).u16(0).text("d").u32(9);
  }));
  EXPECT_EQ(u->default_index(), 1);
}

TEST_P(Wire, UnionLabelsOfEveryDiscriminator) {
  const auto check = [&](TypeCode_ptr by, unsigned kind, const CORBA::Any& label, auto put) {
    const TypeCode_var u =
        create_union_tc("IDL:U:1.0", "U", by, union_members({union_member("x", label, CORBA::_tc_long)}));
    expect_form(u, cdr().u32(16).within([&](Cdr& c) {
      c.text("IDL:U:1.0").text("U").u32(kind).u32(kBack).u32(1);
      put(c);
      c.text("x").u32(3);
    }));
    const CORBA::Any_var back = u->member_label(0);
    const TypeCode_var type = back->type();
    EXPECT_TRUE(type->equal(by));
  };
  CORBA::Any a;
  a <<= CORBA::Any::from_boolean(true);
  check(CORBA::_tc_boolean, 8, a, [](Cdr& c) { c.u8(1); });
  a <<= CORBA::Any::from_char('z');
  check(CORBA::_tc_char, 9, a, [](Cdr& c) { c.u8('z'); });
  a <<= CORBA::Any::from_octet(200);
  check(CORBA::_tc_octet, 10, a, [](Cdr& c) { c.u8(200); });
  a <<= CORBA::Any::from_wchar(L'\x20ac');
  check(CORBA::_tc_wchar, 26, a, [](Cdr& c) { c.u8(2).u8(0x20).u8(0xac); });
  check(CORBA::_tc_ushort, 4, any_of(CORBA::UShort{65535}), [](Cdr& c) { c.u16(65535); });
  check(CORBA::_tc_long, 3, any_of(CORBA::Long{-2}), [](Cdr& c) { c.u32(0xfffffffe); });
  check(CORBA::_tc_ulong, 5, any_of(CORBA::ULong{4000000000u}), [](Cdr& c) { c.u32(4000000000u); });
  check(CORBA::_tc_longlong, 23, any_of(CORBA::LongLong{-3}), [](Cdr& c) { c.u64(~std::uint64_t{2}); });
  check(CORBA::_tc_ulonglong, 24, any_of(~CORBA::ULongLong{0}), [](Cdr& c) { c.u64(~std::uint64_t{0}); });
}

TEST_P(Wire, SequenceAndArrayHaveTypeThenNumber) {
  const TypeCode_var s = create_sequence_tc(7, CORBA::_tc_double);
  expect_form(s, cdr().u32(19).within([](Cdr& c) { c.u32(7).u32(7); }));
  const TypeCode_var inner = create_array_tc(3, CORBA::_tc_short), outer = create_array_tc(2, inner);
  expect_form(outer, cdr().u32(20).within([](Cdr& c) {
    c.u32(20).within([](Cdr& i) { i.u32(2).u32(3); }).u32(2);
  }));
}

TEST_P(Wire, AliasAndBoxHaveTheirContent) {
  const auto inside = [](Cdr& c) { c.text("IDL:A:1.0").text("A").u32(7); };
  const TypeCode_var a = create_alias_tc("IDL:A:1.0", "A", CORBA::_tc_double);
  expect_form(a, cdr().u32(21).within(inside));
  const TypeCode_var b = create_value_box_tc("IDL:A:1.0", "A", CORBA::_tc_double);
  expect_form(b, cdr().u32(30).within(inside));
}

TEST_P(Wire, ValueHasModifierBaseAndVisibilities) {
  CORBA::ValueMemberSeq one;
  one.length(1);
  one[0].name = "m";
  one[0].type = dup(CORBA::_tc_octet);
  one[0].access = CORBA::PUBLIC_MEMBER;
  const TypeCode_var base = create_value_tc("IDL:B:1.0", "B", CORBA::VM_NONE, nullptr, CORBA::ValueMemberSeq());
  const TypeCode_var v = create_value_tc("IDL:V:1.0", "V", CORBA::VM_TRUNCATABLE, base, one);
  expect_form(v, cdr().u32(29).within([](Cdr& c) {
    c.text("IDL:V:1.0").text("V").u16(3);
    c.u32(29).within([](Cdr& b) { b.text("IDL:B:1.0").text("B").u16(0).u32(0).u32(0); });
    c.u32(1).text("m").u32(10).u16(1);
  }));
  const TypeCode_var b = v->concrete_base_type(), none = base->concrete_base_type();
  EXPECT_TRUE(b->equal(base));
  EXPECT_TRUE(CORBA::is_nil(none.in()));
}

TEST_P(Wire, RecursionIsAnIndirectionToTheEnclosingType) {
  const TypeCode_var node = make_node();
  // 0: 15; 4: length; 8: order, id at 12: 4 + 13, name at 32: 4 + 5 -> 41; count 44; "value" 48: 4 + 6; 60: 3;
  // "next" 64: 4 + 5; 76: 19; 80: length; 84: order; 88: indirection, 92: offset; 96: bound
  Cdr c = cdr();
  c.u32(15).within([](Cdr& s) {
    s.text("IDL:Node:1.0").text("Node").u32(2).text("value").u32(3).text("next");
    s.u32(19).within([](Cdr& q) { q.u32(kBack).u32(offset(-92)).u32(0); });
  });
  ASSERT_EQ(c.size(), 100u);
  expect_form(node, c);
}

TEST_P(Wire, ARepeatedTypeIsAnIndirectionToTheFirst) {
  const TypeCode_var e = make_enum("IDL:E:1.0", "E", {"a"});
  const TypeCode_var s = make_struct("IDL:S:1.0", "S", {{"x", e}, {"y", e}});
  Cdr c = cdr();
  // The enum's kind stands at 40.
  c.u32(15).within([](Cdr& i) {
    i.text("IDL:S:1.0").text("S").u32(2).text("x");
    i.u32(17).within([](Cdr& j) { j.text("IDL:E:1.0").text("E").u32(1).text("a"); });
    i.text("y").u32(kBack);
    i.u32(offset(48 - static_cast<long>(i.size() + 8)));
  });
  expect_form(s, c);
}

TEST_P(Wire, NamesMayBeMissing) {
  const TypeCode_var s = make_struct("IDL:S:1.0", "", {{"", CORBA::_tc_octet}});
  expect_form(s, cdr().u32(15).within([](Cdr& c) { c.text("IDL:S:1.0").text("").u32(1).text("").u32(10); }));
}

TEST_P(Wire, AnEncapsulationMayHaveTheOtherOrder) {
  const ByteOrder reversed = other(GetParam());
  Cdr inside(reversed);
  inside.u8(reversed == ByteOrder::Little).text("IDL:A:1.0").text("A").u32(7);
  Cdr c = cdr();
  c.u32(21).u32(inside.size());
  for (Byte b : inside.bytes()) c.u8(b);
  const TypeCode_var t = read(c, GetParam());
  ASSERT_NE(t.in(), nullptr);
  EXPECT_STREQ(t->id(), "IDL:A:1.0");
}

TEST_P(Wire, SkippingEndsWhereReadingDoes) {
  const TypeCode_var node = make_node(), f = create_fixed_tc(5, 2), s = create_string_tc(9);
  for (TypeCode_ptr t : {node.in(), f.in(), s.in(), CORBA::_tc_long}) {
    const auto bytes = written(t, GetParam());
    cdr::Budget budget{1u << 20, 64};
    cdr::Decoder d(bytes, GetParam(), budget);
    EXPECT_TRUE(skip_type_code(d));
    EXPECT_EQ(d.remaining(), 0u);
  }
}

// ---- hostile ----

TEST_P(Wire, UnknownKindsAreRefused) {
  expect_refused(cdr().u32(37), Fault::BadValue);
  expect_refused(cdr().u32(0xfffffffe), Fault::BadValue);
}

TEST_P(Wire, EveryCutIsRefused) {
  const TypeCode_var node = make_node();
  const auto bytes = written(node, GetParam());
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    const TypeCode_var t = read(ByteView(bytes.data(), n), GetParam());
    EXPECT_EQ(t.in(), nullptr) << n;
  }
}

TEST_P(Wire, SpoiledBytesNeverCrash) {
  const TypeCode_var node = make_node();
  const TypeCode_var e = make_enum("IDL:E:1.0", "E", {"a", "b"});
  CORBA::Any a(e, nullptr);
  const TypeCode_var u = create_union_tc("IDL:U:1.0", "U", e, union_members({union_member("x", a, node)}));
  const auto good = written(u, GetParam());
  for (std::size_t i = 0; i < good.size(); ++i)
    for (unsigned flip : {0x01u, 0x80u, 0xffu}) {
      auto bad = good;
      bad[i] = static_cast<Byte>(bad[i] ^ flip);
      const TypeCode_var t = read(bad, GetParam());
      if (t.in()) (void)written(t, GetParam());
    }
}

TEST_P(Wire, IndirectionsToNothingAreRefused) {
  for (long to : {-4L, 0L, 4L, 100L, -100L})
    expect_refused(cdr().u32(19).within([&](Cdr& c) { c.u32(kBack).u32(offset(to)).u32(0); }), Fault::BadValue);
  expect_refused(cdr().u32(kBack).u32(offset(-4)), Fault::BadValue);
}

TEST_P(Wire, ATypeThatIsAPartOfItselfIsRefused) {
  // Of the kind at 0: alias, box, struct, union; then through an array.
  expect_refused(cdr().u32(21).within([](Cdr& c) { c.text("IDL:A:1.0").text("A").back_to_start(8); }),
                 Fault::BadValue);
  expect_refused(cdr().u32(15).within([](Cdr& c) {
    c.text("IDL:A:1.0").text("A").u32(1).text("m").back_to_start(8);
  }), Fault::BadValue);
  expect_refused(cdr().u32(15).within([](Cdr& c) {
    c.text("IDL:A:1.0").text("A").u32(1).text("m").u32(20);
    c.within([at = 8 + c.size() + 4](Cdr& i) { i.back_to_start(at).u32(2); });
  }), Fault::BadValue);
}

TEST_P(Wire, AValueIsNotItsOwnBase) {
  expect_refused(cdr().u32(29).within([](Cdr& c) {
    c.text("IDL:A:1.0").text("A").u16(0).back_to_start(8).u32(0);
  }), Fault::BadValue);
}

TEST_P(Wire, AValueMayContainItself) {
  Cdr c = cdr();
  c.u32(29).within([](Cdr& v) {
    v.text("IDL:A:1.0").text("A").u16(0).u32(0).u32(1).text("m");
    v.back_to_start(8).u16(1);
  });
  Fault fault;
  const TypeCode_var t = read(c, GetParam(), &fault);
  ASSERT_NE(t.in(), nullptr) << fault_name(fault);
  const TypeCode_var m = t->member_type(0);
  EXPECT_EQ(m.in(), t.in());
  EXPECT_TRUE(t->equal(t));
}

TEST_P(Wire, NoValueIsVoidOrAnException) {
  for (unsigned kind : {0u, 1u})
    expect_refused(cdr().u32(19).within([&](Cdr& c) { c.u32(kind).u32(0); }), Fault::BadValue);
  expect_refused(cdr().u32(19).within([](Cdr& c) {
    c.u32(22).within([](Cdr& e) { e.text("IDL:E:1.0").text("E").u32(0); }).u32(0);
  }), Fault::BadValue);
}

TEST_P(Wire, UnionsAreChecked) {
  const auto with = [&](unsigned by, std::uint64_t default_index, std::vector<unsigned> labels) {
    return cdr().u32(16).within([&](Cdr& c) {
      c.text("IDL:U:1.0").text("U").u32(by).u32(default_index).u32(labels.size());
      for (unsigned l : labels) c.u32(l).text("m").u32(3);
    });
  };
  expect_refused(with(3, kBack, {1, 1}), Fault::BadValue);
  expect_refused(with(3, 2, {1, 2}), Fault::BadValue);
  expect_refused(with(3, offset(-2), {1, 2}), Fault::BadValue);
  expect_refused(with(7, kBack, {}), Fault::BadValue);
}

// omniORB writes the default index -2 where the labels leave no value over.
TEST_P(Wire, AUnionWithoutADefaultMayHaveTwoBelowZeroWhenAllValuesHaveLabels) {
  const auto with = [&](std::uint64_t default_index, std::vector<unsigned> labels) {
    return cdr().u32(16).within([&](Cdr& c) {
      c.text("IDL:U:1.0").text("U").u32(8).u32(default_index).u32(labels.size());
      for (unsigned l : labels) c.u8(l).text("m").u32(3);
    });
  };
  const TypeCode_var lenient = read(with(offset(-2), {1, 0}), GetParam()),
                     exact = read(with(kBack, {1, 0}), GetParam());
  ASSERT_NE(lenient.in(), nullptr);
  EXPECT_EQ(lenient->default_index(), -1);
  EXPECT_TRUE(lenient->equal(exact));
  expect_refused(with(offset(-2), {1}), Fault::BadValue);
  expect_refused(with(offset(-3), {1, 0}), Fault::BadValue);
}

TEST_P(Wire, LabelsOfAnEnumAreItsMembers) {
  expect_refused(cdr().u32(16).within([](Cdr& c) {
    c.text("IDL:U:1.0").text("U");
    c.u32(17).within([](Cdr& e) { e.text("IDL:E:1.0").text("E").u32(1).text("a"); });
    c.u32(kBack).u32(1).u32(1).text("m").u32(3);
  }), Fault::BadEnum);
}

TEST_P(Wire, EmptyArraysAndEnumsAndOddFixedAreRefused) {
  expect_refused(cdr().u32(20).within([](Cdr& c) { c.u32(3).u32(0); }), Fault::BadValue);
  expect_refused(cdr().u32(17).within([](Cdr& c) { c.text("IDL:E:1.0").text("E").u32(0); }), Fault::BadValue);
  expect_refused(cdr().u32(28).u16(0).u16(0), Fault::BadValue);
  expect_refused(cdr().u32(28).u16(32).u16(0), Fault::BadValue);
  expect_refused(cdr().u32(28).u16(5).u16(6), Fault::BadValue);
}

TEST_P(Wire, CountsBeyondTheBytesAreRefused) {
  for (unsigned kind : {15u, 17u})
    expect_refused(cdr().u32(kind).within([](Cdr& c) { c.text("IDL:E:1.0").text("E").u32(0x7fffffff); }),
                   Fault::BadCount);
}

TEST_P(Wire, NestingIsLimited) {
  std::vector<Byte> inner = cdr().u32(3).bytes();
  Cdr deep = cdr();
  for (int i = 0; i < 70; ++i) {
    Cdr c = cdr();
    c.u32(19).u32(inner.size() + 8);
    c.u8(GetParam() == ByteOrder::Little).u8(0).u8(0).u8(0);
    for (Byte b : inner) c.u8(b);
    c.u32(0);
    inner = c.bytes();
    deep = c;
  }
  expect_refused(deep, Fault::TooDeep);
}

// Each of the next, by an indirection: nothing nests in the message, but what is made of it does.
TEST_P(Wire, NestingByIndirectionsIsLimited) {
  for (const unsigned levels : {kMaxHeight, kMaxHeight + 1}) {
    Cdr c = cdr();
    c.u32(15).within([&](Cdr& s) {
      s.text("").text("").u32(levels - 1);
      std::size_t last = 0;  // where the TypeCode before begins
      for (unsigned i = 1; i < levels; ++i) {
        s.text("").u32(19);
        const std::size_t at = s.size() - 4;
        s.within([&](Cdr& q) {
          if (i == 1) q.u32(3).u32(0);
          else q.u32(kBack).u32(offset(static_cast<long>(last) - static_cast<long>(s.size() + 8 + 4))).u32(0);
        });
        last = at;
      }
    });
    Fault fault;
    const TypeCode_var t = read(c, GetParam(), &fault);
    EXPECT_STREQ(fault_name(fault), fault_name(levels > kMaxHeight ? Fault::TooDeep : Fault::None));
  }
}

TEST_P(Wire, MemoryIsCharged) {
  Cdr c = cdr();
  c.u32(15).within([](Cdr& s) {
    s.text("IDL:S:1.0").text("S").u32(2000);
    for (int i = 0; i < 2000; ++i) s.text("m").u32(3);
  });
  cdr::Budget budget{100'000, 64};
  cdr::Decoder d(c, GetParam(), budget);
  EXPECT_EQ(get_type_code(d), nullptr);
  EXPECT_EQ(d.fault(), Fault::BudgetExceeded);
}

}  // namespace
}  // namespace callis::typecode::testing
