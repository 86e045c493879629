// SPDX-License-Identifier: Apache-2.0
// Values on the wire, byte by byte, as CORBA 3.3 part 2, 9.3.4 has them. The vectors are big-endian.
#include <callis/value/testing/wire.h>

namespace callis::value::testing {
namespace {

// valuetype Nest : truncatable Point { public ValueBase inner; };
const marshal::Word kNestWords[] = {0, type_word(Kind::Struct, 1), type_word(Kind::Value, marshal::kNoLink)};
const marshal::Unit kNestUnit = {kNestWords, "", nullptr, nullptr, &marshal::kExtension};
const marshal::Plan* nest_plan;
class Nest : public virtual Point {
 public:
  static const ValueLink link;
  explicit Nest(CORBA::Long x = 0, CORBA::ValueBase* of = nullptr) : Point(x), inner(of) {}
  CORBA::ValueBase_var inner;
  const ValueLink* _callis_link() const noexcept override { return &link; }
  void* _callis_state(const ValueLink& l) noexcept override { return &l == &link ? &inner : Point::_callis_state(l); }
};
const ValueLink Nest::link = {"IDL:Nest:1.0",          &Point::link, kTruncatable,   &kNestUnit,
                              type_word(Kind::Ref, 1), &nest_plan,   &to_base<Nest>, &from_base<Nest>};

class WireForm : public Wire {};
INSTANTIATE_TEST_SUITE_P(Orders, WireForm, kOrders, order_name);

TEST_P(WireForm, OfTheFormalTypeGoesWithoutTypeInformation) {
  const CORBA::ValueBase_var v(new Point(7));
  const auto bytes = written([&](cdr::Encoder& e) { put_value(e, v.in(), &Point::link); });
  EXPECT_EQ(bytes, b().u(0x7fffff00).u(7).bytes);
  const CORBA::ValueBase_var back = read_one(bytes, &Point::link);
  EXPECT_EQ(dynamic_cast<Point&>(*back.in()).point.x, 7);
}

TEST_P(WireForm, OfAnotherTypeHasItsRepositoryId) {
  const CORBA::ValueBase_var v(new Point(7));
  const auto bytes = written([&](cdr::Encoder& e) { put_value(e, v.in(), nullptr); });
  EXPECT_EQ(bytes, b().u(0x7fffff02).s("IDL:Point:1.0").u(7).bytes);
  EXPECT_EQ(dynamic_cast<Point&>(*read_one(bytes, nullptr).in()).point.x, 7);
}

TEST_P(WireForm, NullIsATagOfZero) {
  const auto bytes = written([&](cdr::Encoder& e) { put_value(e, nullptr, &Point::link); });
  EXPECT_EQ(bytes, b().u(0).bytes);
  EXPECT_EQ(read_one(bytes, &Point::link).in(), nullptr);
}

TEST_P(WireForm, WhatOccursTwiceIsAnOffsetBack) {
  const CORBA::ValueBase_var v(new Point(7)), w(new Point(8));
  const auto bytes = written([&](cdr::Encoder& e) {
    for (auto* p : {v.in(), v.in(), w.in()}) put_value(e, p, nullptr);
  });
  // The second value's offset leads from itself to the first's tag; the third's id is that of the first.
  EXPECT_EQ(bytes, b().u(0x7fffff02).s("IDL:Point:1.0").u(7)   // 0, 4, 24
                       .u(0xffffffff).u(static_cast<std::uint32_t>(-32))   // 28, 32
                       .u(0x7fffff02).u(0xffffffff).u(static_cast<std::uint32_t>(-40)).u(8).bytes);  // 36, 40, 44
  reads(bytes, [](cdr::Decoder& d) {
    const CORBA::ValueBase_var x(get_value(d, nullptr)), y(get_value(d, nullptr)), z(get_value(d, nullptr));
    EXPECT_TRUE(d.ok()) << fault_name(d.fault());
    EXPECT_EQ(x.in(), y.in());
    EXPECT_EQ(dynamic_cast<Point&>(*z.in()).point.x, 8);
  });
}

TEST_P(WireForm, TruncatableOnesComeInChunksWithAllTheirIds) {
  const Registered named("IDL:Named:1.0", [] { return new Named; });
  const CORBA::ValueBase_var v(new Named(7, "abc"));
  const auto bytes = written([&](cdr::Encoder& e) { put_value(e, v.in(), &Point::link); });
  EXPECT_EQ(bytes, b().u(0x7fffff0e).u(2).s("IDL:Named:1.0").s("IDL:Point:1.0")
                       .u(12).u(7).s("abc").u(0xffffffff).bytes);
  const CORBA::ValueBase_var back = read_one(bytes, &Point::link);
  const auto& n = dynamic_cast<Named&>(*back.in());
  EXPECT_EQ(n.point.x, 7);
  EXPECT_STREQ(n.named.name.in(), "abc");
}

TEST_P(WireForm, IsTruncatedToABaseThatIsKnown) {
  const CORBA::ValueBase_var v(new Named(7, "abc")), w(new Point(9));
  const auto bytes = written([&](cdr::Encoder& e) {
    for (auto* p : {v.in(), w.in(), v.in()}) put_value(e, p, &Point::link);
  });
  reads(bytes, [](cdr::Decoder& d) {
    const CORBA::ValueBase_var x(get_value(d, &Point::link)), y(get_value(d, &Point::link)),
        z(get_value(d, &Point::link));
    ASSERT_TRUE(d.ok()) << fault_name(d.fault());
    EXPECT_EQ(dynamic_cast<Named*>(x.in()), nullptr);
    EXPECT_EQ(dynamic_cast<Point&>(*x.in()).point.x, 7);
    EXPECT_EQ(dynamic_cast<Point&>(*y.in()).point.x, 9);
    EXPECT_EQ(x.in(), z.in());
    EXPECT_EQ(d.remaining(), 0u);
  });
}

TEST_P(WireForm, BoxesNeedNoFactory) {
  static const BoxEntry entry(Label::link);
  const Var<Label> v(new Label);
  v->text = "hello";
  for (const ValueLink* formal : {&Label::link, static_cast<const ValueLink*>(nullptr)}) {
    const auto bytes = written([&](cdr::Encoder& e) { put_value(e, v.in(), formal); });
    EXPECT_EQ(bytes,
              formal ? b().u(0x7fffff00).s("hello").bytes : b().u(0x7fffff02).s("IDL:Label:1.0").s("hello").bytes);
    EXPECT_STREQ(dynamic_cast<Label&>(*read_one(bytes, formal).in()).text.in(), "hello");
  }
}

TEST_P(WireForm, CustomOnesHaveNestedValuesBetweenTheirChunks) {
  const Registered self("IDL:Self:1.0", [] { return new Self; });
  const Var<Self> v(new Self);
  const CORBA::ValueBase_var point(new Point(7));
  v->before = 1;
  v->after = 2;
  v->values = {point, CORBA::ValueBase_var(), point, CORBA::ValueBase_var(CORBA::callis_duplicate(v.in()))};
  const auto bytes = written([&](cdr::Encoder& e) { put_value(e, v.in(), &Self::link); });
  // Null values and indirections are data of a chunk; the end of an inner value has its level.
  EXPECT_EQ(bytes, b().u(0x7fffff08)                                    // 0
                       .u(5).u(1).o(4)                                  // 4: a chunk of five bytes
                       .u(0x7fffff0a).s("IDL:Point:1.0")                // 16: padding belongs to no chunk
                       .u(4).u(7).u(static_cast<std::uint32_t>(-2))     // 40, 44, 48
                       .u(24).u(0)                                      // 52, 56
                       .u(0xffffffff).u(static_cast<std::uint32_t>(-48))  // 60, 64
                       .u(0xffffffff).u(static_cast<std::uint32_t>(-72))  // 68, 72
                       .u(2).u(0xffffffff).bytes);                      // 76, 80
  const CORBA::ValueBase_var back = read_one(bytes, &Self::link);
  auto& s = dynamic_cast<Self&>(*back.in());
  EXPECT_EQ(s.before, 1);
  EXPECT_EQ(s.after, 2);
  ASSERT_EQ(s.values.size(), 4u);
  EXPECT_EQ(dynamic_cast<Point&>(*s.values[0].in()).point.x, 7);
  EXPECT_EQ(s.values[1].in(), nullptr);
  EXPECT_EQ(s.values[2].in(), s.values[0].in());
  EXPECT_EQ(s.values[3].in(), back.in());
  s.values.clear();  // break the cycle
  v->values.clear();
}

// 9.3.4.3 has them sent in chunks, as they are from here; JacORB 3.9 sends them without.
TEST_P(WireForm, CustomOnesWithoutChunksAreReadUpToWhereTheyStopReading) {
  const Registered self("IDL:Self:1.0", [] { return new Self; });
  const auto bytes = b().u(0x7fffff02).s("IDL:Self:1.0").u(1).o(1)        // before, how many values
                         .u(0x7fffff02).s("IDL:Point:1.0").u(7).u(2).bytes;  // one of them, after
  const CORBA::ValueBase_var back = read_one(bytes, nullptr);
  auto& s = dynamic_cast<Self&>(*back.in());
  EXPECT_EQ(s.before, 1);
  EXPECT_EQ(s.after, 2);
  ASSERT_EQ(s.values.size(), 1u);
  EXPECT_EQ(dynamic_cast<Point&>(*s.values[0].in()).point.x, 7);
  const auto usual = b().u(0x7fffff00).u(1).o(0).u(2).bytes;
  EXPECT_EQ(dynamic_cast<Self&>(*read_one(usual, &Self::link).in()).after, 2);
}

TEST_P(WireForm, OneEndTagMayEndSeveralValues) {
  const Registered self("IDL:Self:1.0", [] { return new Self; });
  // A custom value in a custom value; the inner has no chunk but its own, and -1 ends both. The outer's last long is
  // missing then, and that is noticed.
  const auto inner = [](Bytes x) {
    return x.u(0x7fffff08).u(5).u(1).o(1).u(0x7fffff0a).s("IDL:Self:1.0").u(12).u(2).o(0).u(3).u(0xffffffff).bytes;
  };
  EXPECT_EQ(fault_of(inner(b()), &Self::link), Fault::BadValue);
  // In the part that is cut off a combined end tag ends both.
  const auto cut = b().u(0x7fffff0e).u(2).s("IDL:Unknown:1.0").s("IDL:Point:1.0").u(4).u(7)
                       .u(0x7fffff0a).s("IDL:Other:1.0").u(4).u(9).u(0x7fffff08).u(4).u(1).u(0xffffffff).u(5).bytes;
  reads(cut, [](cdr::Decoder& d) {
    const CORBA::ValueBase_var x(get_value(d, &Point::link));
    ASSERT_TRUE(d.ok()) << fault_name(d.fault());
    EXPECT_EQ(dynamic_cast<Point&>(*x.in()).point.x, 7);
    EXPECT_EQ(d.get_ulong(), 5u);
  });
}

// 9.3.4.6 allows a tag for each; omniORB 4.2.5 cannot read these at the end of the outermost value, and asserts.
TEST_P(WireForm, ValuesThatEndAtOnePlaceHaveOneEndTag) {
  const Registered nest("IDL:Nest:1.0", [] { return new Nest; });
  const CORBA::ValueBase_var v(new Nest(1, new Nest(2, new Point(3)))), after(new Point(4));
  const auto bytes = written([&](cdr::Encoder& e) {
    for (auto* p : {v.in(), after.in(), v.in()}) put_value(e, p, &Point::link);
  });
  EXPECT_EQ(bytes, b().u(0x7fffff0e)
                       .u(2)
                       .s("IDL:Nest:1.0")
                       .s("IDL:Point:1.0")
                       .u(4)
                       .u(1)  // 0, 4, 8, 28, 48, 52
                       .u(0x7fffff0e)
                       .u(0xffffffff)
                       .u(static_cast<std::uint32_t>(-60))
                       .u(4)
                       .u(2)  // 56, 60, 64, 68, 72
                       .u(0x7fffff0a)
                       .u(0xffffffff)
                       .u(static_cast<std::uint32_t>(-56))
                       .u(4)
                       .u(3)           // 76, 80, 84, 88, 92
                       .u(0xffffffff)  // 96: of all three
                       .u(0x7fffff00)
                       .u(4)
                       .u(0xffffffff)
                       .u(static_cast<std::uint32_t>(-112))
                       .bytes);
  reads(bytes, [](cdr::Decoder& d) {
    const CORBA::ValueBase_var x(get_value(d, &Point::link)), y(get_value(d, &Point::link)),
        z(get_value(d, &Point::link));
    ASSERT_TRUE(d.ok()) << fault_name(d.fault());
    const auto& inner = dynamic_cast<Nest&>(*dynamic_cast<Nest&>(*x.in()).inner.in());
    EXPECT_EQ(inner.point.x, 2);
    EXPECT_EQ(dynamic_cast<Point&>(*inner.inner.in()).point.x, 3);
    EXPECT_EQ(dynamic_cast<Point&>(*y.in()).point.x, 4);
    EXPECT_EQ(x.in(), z.in());
    EXPECT_EQ(d.remaining(), 0u);
  });
}

// Each its own, where data of the outer value follows the inner.
TEST_P(WireForm, ValuesThatEndOneByOneHaveAnEndTagEach) {
  const Var<Self> v(new Self);
  v->values = {CORBA::ValueBase_var(new Nest(1, new Point(2)))};
  v->after = 5;
  const auto bytes = written([&](cdr::Encoder& e) { put_value(e, v.in(), &Self::link); });
  EXPECT_EQ(bytes, b().u(0x7fffff08)
                       .u(5)
                       .u(0)
                       .o(1)  // 0, 4, 8, 12
                       .u(0x7fffff0e)
                       .u(2)
                       .s("IDL:Nest:1.0")
                       .s("IDL:Point:1.0")
                       .u(4)
                       .u(1)  // 16, 20, 24, 44, 64, 68
                       .u(0x7fffff0a)
                       .u(0xffffffff)
                       .u(static_cast<std::uint32_t>(-36))
                       .u(4)
                       .u(2)  // 72, 76, 80, 84, 88
                       .u(static_cast<std::uint32_t>(-2))
                       .u(4)
                       .u(5)
                       .u(0xffffffff)
                       .bytes);  // 92, of two; 96, 100, 104
}

TEST_P(WireForm, ChunksMayBeSplitBetweenPrimitives) {
  const Registered named("IDL:Named:1.0", [] { return new Named; });
  // x, the length, and the characters in three chunks.
  const auto bytes = b().u(0x7fffff0e).u(2).s("IDL:Named:1.0").s("IDL:Point:1.0")
                         .u(4).u(7).u(4).u(4).u(4).o('a').o('b').o('c').o(0).u(0xffffffff).bytes;
  EXPECT_STREQ(dynamic_cast<Named&>(*read_one(bytes, &Point::link).in()).named.name.in(), "abc");
}

// omniORB ends a chunk behind the padding of what follows, which need not lie in it.
TEST_P(WireForm, ChunksMayEndInPaddingBeforeANestedValue) {
  const Registered self("IDL:Self:1.0", [] { return new Self; });
  const auto head = [] { return b().u(0x7fffff0a).s("IDL:Self:1.0"); };
  const auto padded = head().u(8).u(7).o(1).o(0).o(0).o(0);
  const auto value = Bytes(padded)
                         .u(0x7fffff0a)
                         .s("IDL:Point:1.0")
                         .u(4)
                         .u(5)
                         .u(static_cast<std::uint32_t>(-2))
                         .u(4)
                         .u(9)
                         .u(0xffffffff);
  const auto null = Bytes(padded).u(8).u(0).u(9).u(0xffffffff);
  for (const auto& bytes : {value.bytes, null.bytes}) {
    const CORBA::ValueBase_var read = read_one(bytes, nullptr);
    auto* const got = dynamic_cast<Self*>(read.in());
    ASSERT_NE(got, nullptr);
    EXPECT_EQ(got->values.size(), 1u);
    EXPECT_EQ(got->after, 9);
  }
}

TEST_P(WireForm, MayHaveACodebase) {
  const auto bytes = b().u(0x7fffff03).s("http://x").s("IDL:Point:1.0").u(7).bytes;
  EXPECT_EQ(dynamic_cast<Point&>(*read_one(bytes, nullptr).in()).point.x, 7);
}

TEST_P(WireForm, CanBePassedOver) {
  const Registered named("IDL:Named:1.0", [] { return new Named; });
  const Var<Self> v(new Self);
  const CORBA::ValueBase_var point(new Point(7)), name(new Named(8, "abc"));
  v->values = {point, name, CORBA::ValueBase_var(), point};
  const auto bytes = written([&](cdr::Encoder& e) {
    for (auto* p : {v.in(), static_cast<Self*>(nullptr), v.in()}) put_value(e, p, nullptr);
    put_value(e, name.in(), nullptr);
    put_value(e, CORBA::ValueBase_var(new Point(6)).in(), &Point::link);
  });
  reads(bytes, [](cdr::Decoder& d) {
    for (const ValueLink* formal : {&Self::link, &Self::link, &Self::link, &Named::link, &Point::link})
      skip_value(d, formal);
    EXPECT_EQ(d.fault(), Fault::None) << fault_name(d.fault());
    EXPECT_EQ(d.remaining(), 0u);
  });
}

TEST_P(WireForm, GoesOverTheFragmentsOfGiop11) {
  // In two segments, cut at every multiple of eight, so that alignment is the same with the header before each.
  const Registered named("IDL:Named:1.0", [] { return new Named; });
  const CORBA::ValueBase_var v(new Named(7, "a longer name")), p(new Point(8));
  const auto bytes = written([&](cdr::Encoder& e) {
    for (auto* x : {v.in(), p.in(), v.in()}) put_value(e, x, &Point::link);
  });
  for (std::size_t cut = 8; cut < bytes.size(); cut += 8) {
    const cdr::Segment segments[] = {{ByteView(bytes.data(), cut), 0},
                                     {ByteView(bytes.data() + cut, bytes.size() - cut), 0}};
    cdr::Budget budget = cdr::Budget::of(Limits{}, bytes.size());
    cdr::Decoder d(segments, GetParam(), budget);
    const DecodeScope scope(d);
    const CORBA::ValueBase_var x(get_value(d, &Point::link)), y(get_value(d, &Point::link)),
        z(get_value(d, &Point::link));
    ASSERT_TRUE(d.ok()) << cut << fault_name(d.fault());
    EXPECT_STREQ(dynamic_cast<Named&>(*x.in()).named.name.in(), "a longer name");
    EXPECT_EQ(dynamic_cast<Point&>(*y.in()).point.x, 8);
    EXPECT_EQ(x.in(), z.in());
  }
}

TEST(Factories, AreCountedAndReplaced) {
  const CORBA::ValueFactory_var f(new Factory([] { return new Point; })), g(new Factory([] { return new Point; }));
  EXPECT_EQ(register_value_factory("IDL:F:1.0", f.in()), nullptr);
  EXPECT_EQ(CORBA::ValueFactory_var(lookup_value_factory("IDL:F:1.0")).in(), f.in());
  EXPECT_EQ(CORBA::ValueFactory_var(register_value_factory("IDL:F:1.0", g.in())).in(), f.in());
  unregister_value_factory("IDL:F:1.0");
  for (const auto& forbidden : std::initializer_list<std::function<void()>>{
           [] { unregister_value_factory("IDL:F:1.0"); }, [] { (void)lookup_value_factory("IDL:F:1.0"); },
           [] { (void)register_value_factory("IDL:F:1.0", nullptr); },
           [&f] { (void)register_value_factory("", f.in()); }}) {
    try {
      forbidden();
      ADD_FAILURE();
    } catch (const CORBA::BAD_PARAM& e) {
      EXPECT_EQ(e.minor(), CORBA::OMGVMCID | 1);
    }
  }
}

}  // namespace
}  // namespace callis::value::testing
