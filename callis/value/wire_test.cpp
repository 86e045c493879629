// SPDX-License-Identifier: Apache-2.0
// Values on the wire, byte by byte, as CORBA 3.3 part 2, 9.3.4 has them. The vectors are big-endian and start at a
// multiple of 8; every case runs in both byte orders.
#include <callis/base/buffer.h>
#include <callis/base/limits.h>
#include <callis/classic/layout.h>
#include <callis/classic/string.h>
#include <callis/value/value.h>
#include <gtest/gtest.h>
#include <functional>

namespace callis::value {
namespace {

using marshal::Kind;
using marshal::type_word;

// What generated code would have for
//
//   valuetype Point { public long x; };
//   valuetype Named : truncatable Point { public string name; };
//   custom valuetype Self { ... };                  holds a long and any number of values
//   valuetype Label string;
const marshal::Word kWords[] = {0, type_word(Kind::Struct, 1), type_word(Kind::Long), type_word(Kind::Struct, 1),
                                type_word(Kind::String)};
const marshal::Unit kUnit = {kWords, "", nullptr, nullptr, &marshal::kExtension};

template <class X>
CORBA::ValueBase* to_base(void* p) {
  return static_cast<X*>(p);
}
template <class X>
void* from_base(CORBA::ValueBase* v) {
  return dynamic_cast<X*>(v);
}

const marshal::Plan *point_plan, *named_plan, *label_plan;

class Point : public virtual CORBA::ValueBase, public virtual CORBA::DefaultValueRefCountBase {
 public:
  static const ValueLink link;
  struct State {
    CORBA::Long x = 0;
  } point;
  CORBA::ValueBase* _copy_value() override { return nullptr; }
  const ValueLink* _callis_link() const noexcept override { return &link; }
  void* _callis_state(const ValueLink& l) noexcept override { return &l == &link ? &point : nullptr; }
  explicit Point(CORBA::Long x = 0) { point.x = x; }

 protected:
  ~Point() override = default;
};
const ValueLink Point::link = {"IDL:Point:1.0", nullptr, 0, &kUnit, type_word(Kind::Ref, 1), &point_plan,
                               &to_base<Point>, &from_base<Point>};

class Named : public virtual Point {
 public:
  static const ValueLink link;
  struct State {
    CORBA::String_member name;
  } named;
  const ValueLink* _callis_link() const noexcept override { return &link; }
  void* _callis_state(const ValueLink& l) noexcept override { return &l == &link ? &named : Point::_callis_state(l); }
  Named() = default;
  Named(CORBA::Long x, const char* name) : Point(x) { named.name = name; }
};
const ValueLink Named::link = {"IDL:Named:1.0", &Point::link, kTruncatable, &kUnit, type_word(Kind::Ref, 3),
                               &named_plan, &to_base<Named>, &from_base<Named>};

class Self : public virtual CORBA::CustomMarshal, public virtual CORBA::DefaultValueRefCountBase {
 public:
  static const ValueLink link;
  CORBA::Long before = 0;
  std::vector<CORBA::ValueBase_var> values;
  CORBA::Long after = 0;
  bool throws = false;
  CORBA::ValueBase* _copy_value() override { return nullptr; }
  const ValueLink* _callis_link() const noexcept override { return &link; }
  void marshal(CORBA::DataOutputStream* os) override {
    if (throws) throw 1;
    os->write_long(before);
    os->write_octet(static_cast<CORBA::Octet>(values.size()));
    for (const auto& v : values) os->write_Value(v.in());
    os->write_long(after);
  }
  void unmarshal(CORBA::DataInputStream* is) override {
    before = is->read_long();
    values.resize(is->read_octet());
    for (auto& v : values) v = is->read_Value();
    after = is->read_long();
  }
};
const ValueLink Self::link = {"IDL:Self:1.0", nullptr, kCustom, nullptr, 0, nullptr, &to_base<Self>, &from_base<Self>};

class Label : public CORBA::DefaultValueRefCountBase {
 public:
  static const ValueLink link;
  CORBA::String_member text;
  CORBA::ValueBase* _copy_value() override { return nullptr; }
  const ValueLink* _callis_link() const noexcept override { return &link; }
  void* _callis_state(const ValueLink& l) noexcept override { return &l == &link ? &text : nullptr; }
  static CORBA::ValueBase* create() { return new Label; }
};
const ValueLink Label::link = {"IDL:Label:1.0", nullptr, kBox, &kUnit, type_word(Kind::String), &label_plan,
                               &to_base<Label>, &from_base<Label>, &Label::create};

inline Self* callis_duplicate(Self* v) { return CORBA::add_ref(v), v; }
inline void callis_release(Self* v) { CORBA::remove_ref(v); }
inline Label* callis_duplicate(Label* v) { return CORBA::add_ref(v), v; }
inline void callis_release(Label* v) { CORBA::remove_ref(v); }

class Factory : public CORBA::ValueFactoryBase {
 public:
  explicit Factory(std::function<CORBA::ValueBase*()> make) : make_(std::move(make)) {}

 private:
  CORBA::ValueBase* create_for_unmarshal() override { return make_(); }
  std::function<CORBA::ValueBase*()> make_;
};

class Registered {
 public:
  Registered(const char* id, std::function<CORBA::ValueBase*()> make) : id_(id) {
    const CORBA::ValueFactory_var f(new Factory(std::move(make)));
    const CORBA::ValueFactory_var before(register_value_factory(id, f.in()));
    EXPECT_EQ(before.in(), nullptr);
  }
  ~Registered() { unregister_value_factory(id_); }

 private:
  const char* id_;
};

// Words and text as bytes: numbers have four, in the order; strings are as they stand.
class Bytes {
 public:
  explicit Bytes(ByteOrder order) : order_(order) {}
  Bytes& u(std::uint32_t v) {
    while (bytes.size() % 4) bytes.push_back(0);
    for (int i = 0; i < 4; ++i)
      bytes.push_back(static_cast<Byte>(v >> 8 * (order_ == ByteOrder::Big ? 3 - i : i)));
    return *this;
  }
  Bytes& o(Byte b) {
    bytes.push_back(b);
    return *this;
  }
  // A string: length, characters, NUL.
  Bytes& s(std::string_view text) {
    u(static_cast<std::uint32_t>(text.size() + 1));
    for (char c : text) bytes.push_back(static_cast<Byte>(c));
    return o(0);
  }
  std::vector<Byte> bytes;

 private:
  ByteOrder order_;
};

class Wire : public testing::TestWithParam<ByteOrder> {
 protected:
  using Write = std::function<void(cdr::Encoder&)>;
  static std::vector<Byte> written(const Write& write, Fault expected = Fault::None) {
    Buffer buffer;
    cdr::Encoder e(buffer, GetParam());
    {
      const EncodeScope scope(e);
      write(e);
    }
    EXPECT_EQ(e.fault(), expected) << fault_name(e.fault());
    e.finish();
    return {buffer.data(), buffer.data() + buffer.size()};
  }
  static void reads(const std::vector<Byte>& bytes, const std::function<void(cdr::Decoder&)>& read) {
    cdr::Budget budget = cdr::Budget::of(Limits{}, bytes.size());
    cdr::Decoder d(ByteView(bytes.data(), bytes.size()), GetParam(), budget);
    const DecodeScope scope(d);
    read(d);
  }
  static Fault fault_of(const std::vector<Byte>& bytes, const ValueLink* formal) {
    Fault fault{};
    reads(bytes, [&](cdr::Decoder& d) {
      const CORBA::ValueBase_var v(get_value(d, formal));
      EXPECT_EQ(v.in() != nullptr && !d.ok(), false);
      fault = d.fault();
    });
    return fault;
  }
  // And read back: no bytes left.
  static CORBA::ValueBase_var read_one(const std::vector<Byte>& bytes, const ValueLink* formal) {
    CORBA::ValueBase_var v;
    reads(bytes, [&](cdr::Decoder& d) {
      v = get_value(d, formal);
      EXPECT_EQ(d.fault(), Fault::None) << fault_name(d.fault());
      EXPECT_EQ(d.remaining(), 0u);
    });
    return v;
  }
  static Bytes b() { return Bytes(GetParam()); }

  const Registered point_{"IDL:Point:1.0", [] { return new Point; }};
};
INSTANTIATE_TEST_SUITE_P(Orders, Wire, testing::Values(ByteOrder::Big, ByteOrder::Little), [](const auto& i) {
  return i.param == ByteOrder::Big ? "big" : "little";
});

template <class X>
using Var = classic::ReferenceVar<X>;

TEST_P(Wire, OfTheFormalTypeGoesWithoutTypeInformation) {
  const CORBA::ValueBase_var v(new Point(7));
  const auto bytes = written([&](cdr::Encoder& e) { put_value(e, v.in(), &Point::link); });
  EXPECT_EQ(bytes, b().u(0x7fffff00).u(7).bytes);
  const CORBA::ValueBase_var back = read_one(bytes, &Point::link);
  EXPECT_EQ(dynamic_cast<Point&>(*back.in()).point.x, 7);
}

TEST_P(Wire, OfAnotherTypeHasItsRepositoryId) {
  const CORBA::ValueBase_var v(new Point(7));
  const auto bytes = written([&](cdr::Encoder& e) { put_value(e, v.in(), nullptr); });
  EXPECT_EQ(bytes, b().u(0x7fffff02).s("IDL:Point:1.0").u(7).bytes);
  EXPECT_EQ(dynamic_cast<Point&>(*read_one(bytes, nullptr).in()).point.x, 7);
}

TEST_P(Wire, NullIsATagOfZero) {
  const auto bytes = written([&](cdr::Encoder& e) { put_value(e, nullptr, &Point::link); });
  EXPECT_EQ(bytes, b().u(0).bytes);
  EXPECT_EQ(read_one(bytes, &Point::link).in(), nullptr);
}

TEST_P(Wire, WhatOccursTwiceIsAnOffsetBack) {
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

TEST_P(Wire, TruncatableOnesComeInChunksWithAllTheirIds) {
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

TEST_P(Wire, IsTruncatedToABaseThatIsKnown) {
  const CORBA::ValueBase_var v(new Named(7, "abc")), w(new Point(9));
  const auto bytes = written([&](cdr::Encoder& e) {
    for (auto* p : {v.in(), w.in(), v.in()}) put_value(e, p, &Point::link);
  });
  reads(bytes, [](cdr::Decoder& d) {
    const CORBA::ValueBase_var x(get_value(d, &Point::link)), y(get_value(d, &Point::link)), z(get_value(d, &Point::link));
    ASSERT_TRUE(d.ok()) << fault_name(d.fault());
    EXPECT_EQ(dynamic_cast<Named*>(x.in()), nullptr);
    EXPECT_EQ(dynamic_cast<Point&>(*x.in()).point.x, 7);
    EXPECT_EQ(dynamic_cast<Point&>(*y.in()).point.x, 9);
    EXPECT_EQ(x.in(), z.in());
    EXPECT_EQ(d.remaining(), 0u);
  });
}

TEST_P(Wire, BoxesNeedNoFactory) {
  static const BoxEntry entry(Label::link);
  const Var<Label> v(new Label);
  v->text = "hello";
  for (const ValueLink* formal : {&Label::link, static_cast<const ValueLink*>(nullptr)}) {
    const auto bytes = written([&](cdr::Encoder& e) { put_value(e, v.in(), formal); });
    EXPECT_EQ(bytes, formal ? b().u(0x7fffff00).s("hello").bytes : b().u(0x7fffff02).s("IDL:Label:1.0").s("hello").bytes);
    EXPECT_STREQ(dynamic_cast<Label&>(*read_one(bytes, formal).in()).text.in(), "hello");
  }
}

TEST_P(Wire, CustomOnesHaveNestedValuesBetweenTheirChunks) {
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

TEST_P(Wire, OneEndTagMayEndSeveralValues) {
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

TEST_P(Wire, ChunksMayBeSplitBetweenPrimitives) {
  const Registered named("IDL:Named:1.0", [] { return new Named; });
  // x, the length, and the characters in three chunks.
  const auto bytes = b().u(0x7fffff0e).u(2).s("IDL:Named:1.0").s("IDL:Point:1.0")
                         .u(4).u(7).u(4).u(4).u(4).o('a').o('b').o('c').o(0).u(0xffffffff).bytes;
  EXPECT_STREQ(dynamic_cast<Named&>(*read_one(bytes, &Point::link).in()).named.name.in(), "abc");
}

// omniORB ends a chunk behind the padding of what follows, which need not lie in it.
TEST_P(Wire, ChunksMayEndInPaddingBeforeANestedValue) {
  const Registered self("IDL:Self:1.0", [] { return new Self; });
  const auto head = [] { return b().u(0x7fffff0a).s("IDL:Self:1.0"); };
  const auto padded = head().u(8).u(7).o(1).o(0).o(0).o(0);
  const auto value = Bytes(padded).u(0x7fffff0a).s("IDL:Point:1.0").u(4).u(5).u(static_cast<std::uint32_t>(-2)).u(4).u(9).u(0xffffffff);
  const auto null = Bytes(padded).u(8).u(0).u(9).u(0xffffffff);
  for (const auto& bytes : {value.bytes, null.bytes}) {
    const CORBA::ValueBase_var read = read_one(bytes, nullptr);
    auto* const got = dynamic_cast<Self*>(read.in());
    ASSERT_NE(got, nullptr);
    EXPECT_EQ(got->values.size(), 1u);
    EXPECT_EQ(got->after, 9);
  }
}

TEST_P(Wire, MayHaveACodebase) {
  const auto bytes = b().u(0x7fffff03).s("http://x").s("IDL:Point:1.0").u(7).bytes;
  EXPECT_EQ(dynamic_cast<Point&>(*read_one(bytes, nullptr).in()).point.x, 7);
}

TEST_P(Wire, WhatNobodyCanMakeIsRefused) {
  EXPECT_EQ(fault_of(b().u(0x7fffff02).s("IDL:None:1.0").u(7).bytes, nullptr), Fault::NoValueFactory);
  // Without chunks nothing can be cut off.
  EXPECT_EQ(fault_of(b().u(0x7fffff06).u(2).s("IDL:None:1.0").s("IDL:Point:1.0").u(7).bytes, nullptr),
            Fault::NoValueFactory);
  // Of no type at all.
  EXPECT_NE(fault_of(b().u(0x7fffff00).u(7).bytes, nullptr), Fault::None);
  // Of another type than the place has.
  EXPECT_EQ(fault_of(b().u(0x7fffff02).s("IDL:Point:1.0").u(7).bytes, &Named::link), Fault::BadValue);
}

TEST_P(Wire, FactoriesThatThrowOrLieAreRefused) {
  const Registered throws("IDL:Throws:1.0", []() -> CORBA::ValueBase* { throw 1; });
  const Registered lies("IDL:Lies:1.0", [] { return new Point; });
  const Registered null("IDL:Null:1.0", [] { return nullptr; });
  EXPECT_EQ(fault_of(b().u(0x7fffff02).s("IDL:Throws:1.0").u(7).bytes, nullptr), Fault::Rejected);
  EXPECT_EQ(fault_of(b().u(0x7fffff02).s("IDL:Lies:1.0").u(7).bytes, nullptr), Fault::BadValue);
  EXPECT_EQ(fault_of(b().u(0x7fffff02).s("IDL:Null:1.0").u(7).bytes, nullptr), Fault::NoValueFactory);
}

TEST_P(Wire, ValuesThatThrowAreRefused) {
  const Var<Self> v(new Self);
  v->throws = true;
  (void)written([&](cdr::Encoder& e) { put_value(e, v.in(), nullptr); }, Fault::Rejected);
}

TEST_P(Wire, OffsetsLeadToValuesOnly) {
  for (const std::uint32_t offset : {0u, 4u, 0x80000000u, static_cast<std::uint32_t>(-4), static_cast<std::uint32_t>(-8),
                                     static_cast<std::uint32_t>(-400)})
    EXPECT_EQ(fault_of(b().u(0xffffffff).u(offset).bytes, nullptr), Fault::BadValue) << offset;
  // Into the middle of a value, and of an id.
  for (const std::uint32_t back : {4u, 8u, 24u}) {
    reads(b().u(0x7fffff02).s("IDL:Point:1.0").u(7).u(0xffffffff).u(-back).bytes, [](cdr::Decoder& d) {
      const CORBA::ValueBase_var v(get_value(d, nullptr)), w(get_value(d, nullptr));
      EXPECT_EQ(d.fault(), Fault::BadValue);
    });
  }
  EXPECT_EQ(fault_of(b().u(0x7fffff02).u(0xffffffff).u(static_cast<std::uint32_t>(-8)).u(1).bytes, nullptr), Fault::BadValue);
  EXPECT_EQ(fault_of(b().u(0x7fffff06).u(0xffffffff).u(static_cast<std::uint32_t>(-8)).u(1).bytes, nullptr), Fault::BadValue);
}

TEST_P(Wire, BadTagsAreRefused) {
  for (const std::uint32_t tag : {1u, 0x7ffffeffu, 0x80000000u, 0xfffffffeu, 0x7fffff10u, 0x7fffff04u, 0x7fffff80u})
    EXPECT_EQ(fault_of(b().u(tag).s("IDL:Point:1.0").u(7).bytes, &Point::link), Fault::BadValue) << tag;
  // Lists of no ids, and of too many.
  EXPECT_EQ(fault_of(b().u(0x7fffff0e).u(0).bytes, &Point::link), Fault::BadValue);
  EXPECT_EQ(fault_of(b().u(0x7fffff0e).u(65).bytes, &Point::link), Fault::LimitExceeded);
}

TEST_P(Wire, BadChunksAreRefused) {
  const auto head = [] { return b().u(0x7fffff0a).s("IDL:Point:1.0"); };
  EXPECT_EQ(fault_of(head().u(4).u(7).u(0xffffffff).bytes, nullptr), Fault::None);
  EXPECT_EQ(fault_of(head().u(400).u(7).u(0xffffffff).bytes, nullptr), Fault::Truncated);
  EXPECT_EQ(fault_of(head().u(4).u(7).bytes, nullptr), Fault::Truncated) << "no end tag";
  EXPECT_EQ(fault_of(head().u(4).u(7).u(static_cast<std::uint32_t>(-2)).bytes, nullptr), Fault::BadValue) << "of a level that is not";
  EXPECT_EQ(fault_of(head().u(4).u(7).u(0x80000000).bytes, nullptr), Fault::BadValue);
  EXPECT_EQ(fault_of(head().u(4).u(7).u(0).bytes, nullptr), Fault::BadValue);
  EXPECT_EQ(fault_of(head().u(0xffffffff).bytes, nullptr), Fault::BadValue) << "no state";
  EXPECT_EQ(fault_of(head().u(2).o(0).o(0).u(2).o(0).o(7).u(0xffffffff).bytes, nullptr), Fault::BadValue)
      << "a primitive in two chunks";
}

TEST_P(Wire, EveryTruncationIsAFault) {
  const Registered named("IDL:Named:1.0", [] { return new Named; });
  const CORBA::ValueBase_var v(new Named(7, "abc"));
  const auto bytes = written([&](cdr::Encoder& e) { put_value(e, v.in(), &Point::link); });
  for (std::size_t n = 0; n < bytes.size(); ++n)
    EXPECT_NE(fault_of({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n)}, &Point::link), Fault::None) << n;
}

TEST_P(Wire, NestingIsBounded) {
  const Registered self("IDL:Self:1.0", [] { return new Self; });
  Var<Self> v(new Self);
  for (std::uint32_t i = 1; i < kMaxDepth; ++i) {
    Var<Self> outer(new Self);
    outer->values.push_back(CORBA::ValueBase_var(v._retn()));
    v = outer;
  }
  const auto bytes = written([&](cdr::Encoder& e) { put_value(e, v.in(), &Self::link); });
  EXPECT_NE(read_one(bytes, &Self::link).in(), nullptr);
  Var<Self> outer(new Self);
  outer->values.push_back(CORBA::ValueBase_var(v._retn()));
  (void)written([&](cdr::Encoder& e) { put_value(e, outer.in(), &Self::link); }, Fault::TooDeep);
  // From the peer, within what is cut off.
  Bytes deep = b().u(0x7fffff0e).u(2).s("IDL:Unknown:1.0").s("IDL:Point:1.0").u(4).u(7);
  for (std::uint32_t i = 0; i < kMaxDepth; ++i) deep.u(0x7fffff08);
  EXPECT_EQ(fault_of(deep.u(0xffffffff).bytes, nullptr), Fault::TooDeep);
}

TEST_P(Wire, CanBePassedOver) {
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
    for (const ValueLink* formal : {&Self::link, &Self::link, &Self::link, &Named::link, &Point::link}) skip_value(d, formal);
    EXPECT_EQ(d.fault(), Fault::None) << fault_name(d.fault());
    EXPECT_EQ(d.remaining(), 0u);
  });
}

TEST_P(Wire, GoesOverTheFragmentsOfGiop11) {
  // In two segments, cut at every multiple of eight, so that alignment is the same with the header before each.
  const Registered named("IDL:Named:1.0", [] { return new Named; });
  const CORBA::ValueBase_var v(new Named(7, "a longer name")), p(new Point(8));
  const auto bytes = written([&](cdr::Encoder& e) {
    for (auto* x : {v.in(), p.in(), v.in()}) put_value(e, x, &Point::link);
  });
  for (std::size_t cut = 8; cut < bytes.size(); cut += 8) {
    const cdr::Segment segments[] = {{ByteView(bytes.data(), cut), 0}, {ByteView(bytes.data() + cut, bytes.size() - cut), 0}};
    cdr::Budget budget = cdr::Budget::of(Limits{}, bytes.size());
    cdr::Decoder d(segments, GetParam(), budget);
    const DecodeScope scope(d);
    const CORBA::ValueBase_var x(get_value(d, &Point::link)), y(get_value(d, &Point::link)), z(get_value(d, &Point::link));
    ASSERT_TRUE(d.ok()) << cut << fault_name(d.fault());
    EXPECT_STREQ(dynamic_cast<Named&>(*x.in()).named.name.in(), "a longer name");
    EXPECT_EQ(dynamic_cast<Point&>(*y.in()).point.x, 8);
    EXPECT_EQ(x.in(), z.in());
  }
}

// valuetype Node { public Node next; public sequence<Node> more; };
class Node;
const marshal::Plan* node_plan;
inline Node* callis_duplicate(Node* n);
inline void callis_release(Node* n);
class Node : public CORBA::DefaultValueRefCountBase {
 public:
  static const ValueLink link;
  struct State {
    Var<Node> next;
    classic::ReferenceSequence<Node> more;
  } state;
  CORBA::ValueBase* _copy_value() override { return nullptr; }
  const ValueLink* _callis_link() const noexcept override { return &link; }
  void* _callis_state(const ValueLink& l) noexcept override { return &l == &link ? &state : nullptr; }
};
inline Node* callis_duplicate(Node* n) { return CORBA::add_ref(n), n; }
inline void callis_release(Node* n) { CORBA::remove_ref(n); }
const void* const kNodeLinks[] = {&Node::link};
const marshal::Word kNodeWords[] = {0, type_word(Kind::Struct, 2), type_word(Kind::Value, 0), type_word(Kind::Ref, 4),
                                    type_word(Kind::Sequence), 0, type_word(Kind::Value, 0)};
const marshal::Unit kNodeUnit = {kNodeWords, "", kNodeLinks, nullptr, &marshal::kExtension};
const ValueLink Node::link = {"IDL:Node:1.0", nullptr, 0, &kNodeUnit, type_word(Kind::Ref, 1), &node_plan,
                              &to_base<Node>, &from_base<Node>};

TEST_P(Wire, CyclesThroughMembersComeBackAsTheyWere) {
  const Registered node("IDL:Node:1.0", [] { return new Node; });
  const Var<Node> a(new Node), b2(new Node);
  a->state.next = b2;
  b2->state.next = a;
  a->state.more.length(2);
  a->state.more[1] = Var<Node>(b2);
  const auto bytes = written([&](cdr::Encoder& e) { put_value(e, a.in(), &Node::link); });
  EXPECT_EQ(bytes, b().u(0x7fffff00)                                      // 0
                       .u(0x7fffff00).u(0xffffffff).u(static_cast<std::uint32_t>(-12)).u(0)  // 4: its next, its more
                       .u(2).u(0).u(0xffffffff).u(static_cast<std::uint32_t>(-28)).bytes);   // 20
  const CORBA::ValueBase_var back = read_one(bytes, &Node::link);
  auto& x = dynamic_cast<Node&>(*back.in());
  Node* const y = x.state.next.in();
  EXPECT_EQ(y->state.next.in(), &x);
  ASSERT_EQ(x.state.more.length(), 2u);
  EXPECT_EQ(x.state.more[0].in(), nullptr);
  EXPECT_EQ(x.state.more[1].in(), y);
  y->state.next = nullptr;
  b2->state.next = nullptr;
}

TEST_P(Wire, LongListsHaveAnEnd) {
  const Registered node("IDL:Node:1.0", [] { return new Node; });
  Var<Node> head;
  for (std::uint32_t i = 0; i < kMaxDepth; ++i) {
    Var<Node> n(new Node);
    n->state.next = head;
    head = n;
  }
  const auto bytes = written([&](cdr::Encoder& e) { put_value(e, head.in(), &Node::link); });
  reads(bytes, [](cdr::Decoder& d) { EXPECT_NE(CORBA::ValueBase_var(get_value(d, &Node::link)).in(), nullptr); });
  reads(bytes, [](cdr::Decoder& d) {
    skip_value(d, &Node::link);
    EXPECT_EQ(d.remaining(), 0u);
  });
  Var<Node> n(new Node);
  n->state.next = head;
  (void)written([&](cdr::Encoder& e) { put_value(e, n.in(), &Node::link); }, Fault::TooDeep);
  Bytes deep = b();
  for (std::uint32_t i = 0; i < 3 * kMaxDepth; ++i) deep.u(0x7fffff00);
  EXPECT_EQ(fault_of(deep.bytes, &Node::link), Fault::TooDeep);
  reads(deep.bytes, [](cdr::Decoder& d) {
    skip_value(d, &Node::link);
    EXPECT_EQ(d.fault(), Fault::TooDeep);
  });
}

TEST_P(Wire, ManySmallOnesStayWithinTheBudget) {
  const Registered node("IDL:Node:1.0", [] { return new Node; });
  const Var<Node> many(new Node);
  many->state.more.length(20000);
  for (CORBA::ULong i = 0; i < 20000; ++i) many->state.more[i] = new Node;
  const auto bytes = written([&](cdr::Encoder& e) { put_value(e, many.in(), &Node::link); });
  const CORBA::ValueBase_var back = read_one(bytes, &Node::link);
  ASSERT_NE(back.in(), nullptr);
  EXPECT_EQ(dynamic_cast<Node&>(*back.in()).state.more.length(), 20000u);
}

// Each leads back to the one before: a list as long as the message, although nothing nests in it.
TEST_P(Wire, ListsMadeOfOffsetsAreFreedWithoutRecursion) {
  const Registered node("IDL:Node:1.0", [] { return new Node; });
  constexpr std::uint32_t kNodes = 40000;
  Bytes list = b().u(0x7fffff00).u(0).u(kNodes).u(0x7fffff00).u(0).u(0);
  for (std::uint32_t i = 1; i < kNodes; ++i)
    list.u(0x7fffff00).u(0xffffffff).u(static_cast<std::uint32_t>(i == 1 ? -20 : -24)).u(0);
  CORBA::ValueBase_var back = read_one(list.bytes, &Node::link);
  ASSERT_NE(back.in(), nullptr);
  Var<Node> last(callis_duplicate(dynamic_cast<Node&>(*back.in()).state.more[kNodes - 1].in()));
  back = CORBA::ValueBase_var();
  EXPECT_NE(last->state.next.in(), nullptr);
  last = Var<Node>();
}

TEST_P(Wire, RepositoryIdsAreBounded) {
  const std::string longest(1024, 'x');
  EXPECT_EQ(fault_of(b().u(0x7fffff02).s(longest).bytes, nullptr), Fault::NoValueFactory);
  EXPECT_EQ(fault_of(b().u(0x7fffff02).s(longest + "x").bytes, nullptr), Fault::LimitExceeded);
  EXPECT_EQ(fault_of(b().u(0x7fffff03).s(longest + "x").s("IDL:None:1.0").bytes, nullptr), Fault::NoValueFactory);
}

TEST(Factories, AreCountedAndReplaced) {
  const CORBA::ValueFactory_var f(new Factory([] { return new Point; })), g(new Factory([] { return new Point; }));
  EXPECT_EQ(register_value_factory("IDL:F:1.0", f.in()), nullptr);
  EXPECT_EQ(CORBA::ValueFactory_var(lookup_value_factory("IDL:F:1.0")).in(), f.in());
  EXPECT_EQ(CORBA::ValueFactory_var(register_value_factory("IDL:F:1.0", g.in())).in(), f.in());
  unregister_value_factory("IDL:F:1.0");
  for (const auto& forbidden : std::initializer_list<std::function<void()>>{
           [] { unregister_value_factory("IDL:F:1.0"); }, [] { (void)lookup_value_factory("IDL:F:1.0"); },
           [] { (void)register_value_factory("IDL:F:1.0", nullptr); }, [&f] { (void)register_value_factory("", f.in()); }}) {
    try {
      forbidden();
      ADD_FAILURE();
    } catch (const CORBA::BAD_PARAM& e) {
      EXPECT_EQ(e.minor(), CORBA::OMGVMCID | 1);
    }
  }
}

}  // namespace
}  // namespace callis::value
