// SPDX-License-Identifier: Apache-2.0
// The marshaling functions of compiled stubs, where generated code alone does not lead: faults, fragments.
// That they write what the engine writes is tested with generated code, in tests/mapping.
#include <callis/base/limits.h>
#include <callis/classic/coder.h>
#include <gtest/gtest.h>

namespace {

using namespace callis;
using namespace callis::classic;
using cdr::Decoder;
using cdr::Encoder;

enum Color : CORBA::ULong { red, green, blue };

struct Pair {
  CORBA::Long l;
  CORBA::Double d;
};
using Pairs = Sequence<Pair>;

// As callis-idl writes it for struct Pair.
struct PairLayout {
  static constexpr unsigned kPhase = 0, kMask = 7, kFirst = 4, kBytes = 16, kStride = 16;
  static bool valid(const Pair&) { return true; }
  static void store(Byte* to, const Pair& v, bool swap) {
    callis::store(to + 4, std::uint32_t{0});
    callis::store(to, v.l, swap);
    callis::store(to + 8, v.d, swap);
  }
  static void load(Decoder&, const Byte* from, Pair& v, bool swap) {
    v.l = callis::load<CORBA::Long>(from, swap);
    v.d = callis::load<CORBA::Double>(from + 8, swap);
  }
};
void write_pair(Encoder& e, const Pair& v) {
  if (put_at<PairLayout>(e, v)) return;
  put_primitive(e, v.l);
  put_primitive(e, v.d);
}
void read_pair(Decoder& d, Pair& v) {
  if (get_at<PairLayout>(d, v)) return;
  get_primitive(d, v.l);
  get_primitive(d, v.d);
}

Pairs pairs(CORBA::ULong n) {
  Pairs s;
  s.length(n);
  for (CORBA::ULong i = 0; i < n; ++i) s[i] = {static_cast<CORBA::Long>(i + 1), 0.5 * i};
  return s;
}
bool same(const Pairs& a, const Pairs& b) {
  if (a.length() != b.length()) return false;
  for (CORBA::ULong i = 0; i < a.length(); ++i)
    if (a[i].l != b[i].l || a[i].d != b[i].d) return false;
  return true;
}

struct Wire {
  Buffer buffer;
  cdr::Budget budget{1 << 20, 64};
  ByteOrder order = kNativeOrder;
  template <class F>
  Fault write(F f) {
    buffer.clear();
    Encoder e(buffer, order);
    f(e);
    e.finish();
    return e.fault();
  }
  template <class F>
  Fault read(F f) {
    Decoder d(buffer.view(), order, budget);
    f(d);
    return d.fault();
  }
};

TEST(Coder, SequenceOfFixedStructsSurvivesBothByteOrdersAndAllLengths) {
  for (const ByteOrder order : {ByteOrder::Big, ByteOrder::Little}) {
    for (CORBA::ULong n = 0; n < 9; ++n) {
      Wire w;
      w.order = order;
      const Pairs out = pairs(n);
      EXPECT_EQ(w.write([&](Encoder& e) { put_fixed_sequence<PairLayout>(e, out, 0, write_pair); }), Fault::None);
      Pairs in;
      EXPECT_EQ(w.read([&](Decoder& d) { get_fixed_sequence<PairLayout>(d, in, 12, 0, read_pair); }), Fault::None);
      EXPECT_TRUE(same(in, out)) << n;
    }
  }
}

TEST(Coder, SequenceMayContinueInAFragmentWithItsOwnAlignment) {
  // GIOP 1.1: alignment starts afresh in each fragment, 12 bytes before its data (CORBA 3.3 part 2, 9.4.9).
  const Pairs out = pairs(5);
  for (CORBA::ULong first = 0; first <= 5; ++first) {
    Buffer one(256), two(256);
    Encoder a(one), b(two);
    a.put(out.length());
    for (CORBA::ULong i = 0; i < first; ++i) write_pair(a, out[i]);
    b.put(std::uint32_t{0});  // the last 4 bytes of the fragment's header: its data starts at phase 4
    for (CORBA::ULong i = first; i < 5; ++i) write_pair(b, out[i]);
    a.finish();
    b.finish();
    const cdr::Segment segments[] = {{one.view(), 0}, {two.view(4), 4}};
    cdr::Budget budget{1 << 20, 64};
    Decoder d(segments, kNativeOrder, budget);
    Pairs in;
    get_fixed_sequence<PairLayout>(d, in, 12, 0, read_pair);
    EXPECT_EQ(d.fault(), Fault::None) << first;
    EXPECT_TRUE(same(in, out)) << first;
  }
}

TEST(Coder, CountThatCannotFitIsRefusedBeforeAnythingIsAllocated) {
  Wire w;
  w.write([](Encoder& e) { e.put(std::uint32_t{0x10000000}); });
  Pairs in = pairs(2);
  EXPECT_EQ(w.read([&](Decoder& d) { get_fixed_sequence<PairLayout>(d, in, 12, 0, read_pair); }), Fault::BadCount);
  EXPECT_EQ(in.length(), 2u) << "what was there stays";
}

TEST(Coder, BoundsHoldInBothDirections) {
  Wire w;
  const Pairs three = pairs(3);
  EXPECT_EQ(w.write([&](Encoder& e) { put_fixed_sequence<PairLayout>(e, three, 2, write_pair); }), Fault::BadBound);
  w.write([&](Encoder& e) { put_fixed_sequence<PairLayout>(e, three, 0, write_pair); });
  Pairs in;
  EXPECT_EQ(w.read([&](Decoder& d) { get_fixed_sequence<PairLayout>(d, in, 12, 2, read_pair); }), Fault::BadBound);
  EXPECT_EQ(w.write([](Encoder& e) { put_string(e, "four", 3); }), Fault::BadBound);
}

TEST(Coder, NullStringIsAFaultAndNotACrash) {
  Wire w;
  EXPECT_EQ(w.write([](Encoder& e) { put_string(e, static_cast<const char*>(nullptr)); }), Fault::NullPointer);
}

TEST(Coder, EnumsBeyondTheirEnumeratorsAreFaultsInBothDirections) {
  Wire w;
  EXPECT_EQ(w.write([](Encoder& e) { put_enum(e, static_cast<Color>(3), 3); }), Fault::BadEnum);
  w.write([](Encoder& e) { e.put(std::uint32_t{3}); });
  Color c = green;
  EXPECT_EQ(w.read([&c](Decoder& d) { get_enum(d, c, 3); }), Fault::BadEnum);
  EXPECT_EQ(c, red);
}

TEST(Coder, BytesThatAreNoBooleansNeverBecomeBools) {
  Wire w;
  w.write([](Encoder& e) {
    e.put(std::uint32_t{3});
    e.put_octet(1);
    e.put_octet(2);
    e.put_octet(1);
  });
  Sequence<CORBA::Boolean> in;
  EXPECT_EQ(w.read([&in](Decoder& d) { get_primitive_sequence(d, in, 0); }), Fault::BadBoolean);
  for (const bool& b : std::as_const(in)) EXPECT_LE(*reinterpret_cast<const unsigned char*>(&b), 1);
}

TEST(Coder, StringsReplaceWhatWasThereOnlyWhenTheyAreWhole) {
  Wire w;
  w.write([](Encoder& e) {
    e.put(std::uint32_t{4});
    for (char c : {'a', '\0', 'b', '\0'}) e.put(c);
  });
  CORBA::String_var s = CORBA::string_dup("old");
  EXPECT_EQ(w.read([&s](Decoder& d) { get_string(d, s); }), Fault::BadString);
  EXPECT_STREQ(s, "old");
  w.write([](Encoder& e) { put_string(e, "new"); });
  EXPECT_EQ(w.read([&s](Decoder& d) { get_string(d, s); }), Fault::None);
  EXPECT_STREQ(s, "new");
}

TEST(Coder, SequencesOfStringsCountAsNesting) {
  Wire w;
  StringSequence<> out;
  out.length(1);
  w.write([&out](Encoder& e) { put_string_sequence(e, out, 0, 0); });
  w.budget.depth_left = 0;
  StringSequence<> in;
  EXPECT_EQ(w.read([&in](Decoder& d) { get_string_sequence(d, in, 0, 0); }), Fault::TooDeep);
}

TEST(Coder, MemoryBeyondTheBudgetIsRefused) {
  Wire w;
  const Pairs out = pairs(4);
  w.write([&](Encoder& e) { put_fixed_sequence<PairLayout>(e, out, 0, write_pair); });
  w.budget.bytes_left = 4 * sizeof(Pair) - 1;
  Pairs in;
  EXPECT_EQ(w.read([&](Decoder& d) { get_fixed_sequence<PairLayout>(d, in, 12, 0, read_pair); }),
            Fault::BudgetExceeded);
}

TEST(Coder, PaddingBetweenElementsIsZero) {
  Wire w;
  Pairs out = pairs(3);
  std::memset(static_cast<void*>(out.get_buffer()), 0xff, 3 * sizeof(Pair));
  w.write([&](Encoder& e) { put_fixed_sequence<PairLayout>(e, out, 0, write_pair); });
  // The count, then element i at 8 + 16 i but for the first, at 4: four bytes of padding before each double.
  const Byte* b = w.buffer.data();
  for (std::size_t at : {std::size_t{20}, std::size_t{36}})
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(b[at + i], 0) << at;
}

// ---- with an arena: what belongs to the request ----

TEST(Coder, BorrowedStringsStayInTheMessage) {
  Wire w;
  w.write([](Encoder& e) { put_string(e, "hello"); });
  Decoder d(w.buffer.view(), w.order, w.budget);
  Arena arena;
  d.set_arena(&arena);
  char* s = nullptr;
  get_string(d, s);
  ASSERT_TRUE(d.ok());
  EXPECT_STREQ(s, "hello");
  EXPECT_EQ(reinterpret_cast<const Byte*>(s), w.buffer.data() + 4);
}

TEST(Coder, BorrowedStringInTwoFragmentsIsPutTogether) {
  alignas(8) const Byte first[] = {0, 0, 0, 6, 'h', 'e'}, second[] = {'l', 'l', 'o', 0};
  const cdr::Segment segments[] = {{first, 0}, {second, 0}};
  cdr::Budget budget = cdr::Budget::of(Limits{}, 10);
  Decoder d(segments, ByteOrder::Big, budget);
  Arena arena;
  d.set_arena(&arena);
  char* s = nullptr;
  borrow_string(d, s);
  ASSERT_TRUE(d.ok());
  EXPECT_STREQ(s, "hello");
}

TEST(Coder, BorrowedSequenceInTwoFragmentsIsCopied) {
  alignas(8) const Byte first[] = {0, 0, 0, 2, 0, 0, 0, 7}, second[] = {0, 0, 0, 9};
  const cdr::Segment segments[] = {{first, 0}, {second, 0}};
  cdr::Budget budget = cdr::Budget::of(Limits{}, 12);
  Decoder d(segments, ByteOrder::Big, budget);
  Arena arena;
  d.set_arena(&arena);
  Borrowed<Sequence<CORBA::Long>> s;
  get_primitive_sequence(d, s.value(), 0);
  ASSERT_TRUE(d.ok());
  ASSERT_EQ(s.value().length(), 2u);
  EXPECT_EQ(s.value()[0], 7);
  EXPECT_EQ(s.value()[1], 9);
  EXPECT_FALSE(s.value().release());
}

TEST(Coder, OwnedTurnsTheArenaOffAndOnAgain) {
  Wire w;
  w.write([](Encoder& e) { put_string(e, "one"); });
  Decoder d(w.buffer.view(), w.order, w.budget);
  Arena arena;
  d.set_arena(&arena);
  CORBA::String_var mine;
  {
    const Owned owned(d);
    get_string(d, mine);
  }
  EXPECT_EQ(d.arena(), &arena);
  EXPECT_STREQ(mine.in(), "one");
}

TEST(Coder, StringFaultsAreTheSameForEveryReceiver) {
  const auto fault = [](std::initializer_list<Byte> bytes, bool borrowed, std::uint32_t bound = 0) {
    const std::vector<Byte> message(bytes);
    cdr::Budget budget = cdr::Budget::of(Limits{}, message.size());
    Decoder d(message, ByteOrder::Big, budget);
    Arena arena;
    if (borrowed) d.set_arena(&arena);
    char* s = nullptr;
    get_string(d, s, bound);
    EXPECT_EQ(s, nullptr);
    return d.fault();
  };
  for (const bool borrowed : {false, true}) {
    EXPECT_EQ(fault({0, 0, 0, 0}, borrowed), Fault::BadString);
    EXPECT_EQ(fault({0, 0, 0, 3, 'a', 'b'}, borrowed), Fault::BadCount);
    EXPECT_EQ(fault({0, 0, 0, 2, 'a', 'b'}, borrowed), Fault::BadString);
    EXPECT_EQ(fault({0, 0, 0, 3, 'a', 0, 0}, borrowed), Fault::BadString);
    EXPECT_EQ(fault({0, 0, 0, 3, 'a', 'b', 0}, borrowed, 1), Fault::BadBound);
    EXPECT_EQ(fault({0, 0, 0}, borrowed), Fault::Truncated);
  }
}

}  // namespace
