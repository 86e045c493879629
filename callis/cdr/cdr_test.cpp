// SPDX-License-Identifier: Apache-2.0
// Encoder and decoder against bytes written by hand (CORBA 3.3 part 2, 9.3), in both orders.
#include <callis/cdr/cdr.h>
#include <gtest/gtest.h>
#include <cstring>

namespace callis::cdr {
namespace {

using Bytes = std::vector<Byte>;

Budget plenty() { return {1u << 30, 64}; }
Bytes bytes_of(const Buffer& b) { return {b.data(), b.data() + b.size()}; }

class BothOrders : public ::testing::TestWithParam<ByteOrder> {};
INSTANTIATE_TEST_SUITE_P(Cdr, BothOrders, ::testing::Values(ByteOrder::Big, ByteOrder::Little),
                         [](const auto& i) { return i.param == ByteOrder::Big ? "Big" : "Little"; });

TEST_P(BothOrders, PrimitivesRoundTripWithAlignment) {
  Buffer b;
  Encoder e(b, GetParam());
  e.put_octet(1);
  e.put(std::int16_t{-2});
  e.put_octet(3);
  e.put(std::int32_t{-4});
  e.put_octet(5);
  e.put(6.5);
  e.put_boolean(true);
  e.put(7.25f);
  e.put(std::int64_t{-8});
  e.put_long_double(9.125L);
  e.finish();
  EXPECT_EQ(e.fault(), Fault::None);
  auto budget = plenty();
  Decoder d(b.view(), GetParam(), budget);
  EXPECT_EQ(d.get_octet(), 1);
  EXPECT_EQ(d.get<std::int16_t>(), -2);
  EXPECT_EQ(d.get_octet(), 3);
  EXPECT_EQ(d.get<std::int32_t>(), -4);
  EXPECT_EQ(d.get_octet(), 5);
  EXPECT_EQ(d.get<double>(), 6.5);
  EXPECT_TRUE(d.get_boolean());
  EXPECT_EQ(d.get<float>(), 7.25f);
  EXPECT_EQ(d.get<std::int64_t>(), -8);
  EXPECT_EQ(d.get_long_double(), 9.125L);
  EXPECT_TRUE(d.ok());
  EXPECT_EQ(d.remaining(), 0u);
}

// CORBA 3.3 part 2, 9.3.1: byte-exact
TEST(Encoder, WritesBigEndianLongAtItsBoundary) {
  Buffer b;
  Encoder e(b, ByteOrder::Big);
  e.put_octet(0xAA);
  e.put(std::uint32_t{0x01020304});
  e.finish();
  EXPECT_EQ(bytes_of(b), (Bytes{0xAA, 0, 0, 0, 1, 2, 3, 4}));
}

TEST(Encoder, WritesLittleEndianDouble) {
  Buffer b;
  Encoder e(b, ByteOrder::Little);
  e.put(1.0);
  e.finish();
  EXPECT_EQ(bytes_of(b), (Bytes{0, 0, 0, 0, 0, 0, 0xF0, 0x3F}));
}

TEST(Encoder, WritesLongDoubleAsBinary128) {
  Buffer b;
  Encoder e(b, ByteOrder::Big);
  e.put_long_double(1.0L);
  e.finish();
  EXPECT_EQ(bytes_of(b), (Bytes{0x3F, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
}

// 9.3.2.7: the length counts the final NUL
TEST(Encoder, WritesStringsWithLengthAndNul) {
  Buffer b;
  Encoder e(b, ByteOrder::Big);
  e.put_string("ab");
  e.put_string("");
  e.finish();
  EXPECT_EQ(bytes_of(b), (Bytes{0, 0, 0, 3, 'a', 'b', 0, 0, 0, 0, 0, 1, 0}));
}

// The bytes of a message whose long arrays stand in a Gather.
Bytes flattened(const Buffer& b, const Gather& g) {
  Bytes out;
  std::size_t at = 0;
  for (std::size_t i = 0; i < g.count; ++i) {
    out.insert(out.end(), b.data() + at, b.data() + g.pieces[i].at);
    out.insert(out.end(), g.pieces[i].bytes.begin(), g.pieces[i].bytes.end());
    at = g.pieces[i].at;
  }
  out.insert(out.end(), b.data() + at, b.data() + b.size());
  return out;
}

void put_long_arrays(Encoder& e, const std::vector<double>& doubles, const std::vector<Byte>& odd) {
  e.put_octet(1);
  e.put_array(odd.data(), odd.size(), 1);
  e.put_octet(2);
  e.put_array(doubles.data(), doubles.size(), 8);
  e.put(std::uint32_t{3});
  const auto inner = e.begin_encapsulation();
  e.put_array(doubles.data(), doubles.size(), 8);
  e.end_encapsulation(inner);
  e.put_array(odd.data(), odd.size(), 1);
  e.put(4.0);
  e.finish();
}

TEST_P(BothOrders, GatheredArraysMakeTheSameMessage) {
  const std::vector<double> doubles(Gather::kLeastBytes, 1.5);
  const std::vector<Byte> odd(Gather::kLeastBytes + 3, 7);
  Buffer copied, gathered;
  Encoder plain(copied, GetParam());
  put_long_arrays(plain, doubles, odd);
  Gather gather;
  Encoder e(gathered, GetParam());
  e.set_gather(&gather);
  put_long_arrays(e, doubles, odd);
  EXPECT_EQ(gather.count, GetParam() == kNativeOrder ? 3u : 2u);
  EXPECT_EQ(e.gathered(), gather.bytes);
  EXPECT_EQ(flattened(gathered, gather), bytes_of(copied));
}

TEST(Encoder, CopiesWhatTheGatherHasNoRoomFor) {
  const std::vector<Byte> array(Gather::kLeastBytes, 7);
  Buffer b;
  Gather gather;
  Encoder e(b);
  e.set_gather(&gather);
  for (std::size_t i = 0; i < Gather::kMaxPieces + 2; ++i) e.put_array(array.data(), array.size(), 1);
  e.finish();
  EXPECT_EQ(gather.count, Gather::kMaxPieces);
  EXPECT_EQ(flattened(b, gather), Bytes((Gather::kMaxPieces + 2) * array.size(), 7));
}

TEST(Encoder, CopiesShortArrays) {
  const std::vector<Byte> array(Gather::kLeastBytes - 1, 7);
  Buffer b;
  Gather gather;
  Encoder e(b);
  e.set_gather(&gather);
  e.put_array(array.data(), array.size(), 1);
  EXPECT_EQ(gather.count, 0u);
  EXPECT_EQ(e.position(), array.size());
}

TEST(Encoder, SendsPaddingAsZeros) {
  Buffer b(64);
  std::memset(b.data(), 0xEE, 64);
  Encoder e(b, ByteOrder::Big);
  e.put_octet(1);
  e.put(std::uint64_t{~0ull});
  e.finish();
  for (std::size_t i = 1; i < 8; ++i) EXPECT_EQ(b.data()[i], 0) << i;
}

// 9.3.3: an encapsulation aligns from its own first byte
TEST(Encoder, EncapsulationsAlignFromTheirOwnStart) {
  Buffer b;
  Encoder e(b, ByteOrder::Big);
  e.put_octet(9);
  auto c = e.begin_encapsulation();  // length at 4, contents from 8
  e.put(std::uint64_t{0x1122334455667788});
  e.end_encapsulation(c);
  e.put(std::uint16_t{0xBEEF});
  e.finish();
  EXPECT_EQ(bytes_of(b), (Bytes{9, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0,
                                0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0xBE, 0xEF}));
}

TEST_P(BothOrders, NestedEncapsulationsRoundTrip) {
  Buffer b;
  Encoder e(b, GetParam());
  e.put_octet(1);
  auto outer = e.begin_encapsulation();
  e.put_string("x");
  auto inner = e.begin_encapsulation();
  e.put(2.5);
  e.end_encapsulation(inner);
  e.put(std::uint16_t{77});
  e.end_encapsulation(outer);
  e.finish();
  auto budget = plenty();
  Decoder d(b.view(), GetParam(), budget);
  d.get_octet();
  Decoder o = d.get_encapsulation();
  EXPECT_EQ(o.get_string(), "x");
  Decoder i = o.get_encapsulation();
  EXPECT_EQ(i.get<double>(), 2.5);
  EXPECT_EQ(o.get_ushort(), 77);
  EXPECT_TRUE(d.ok() && o.ok() && i.ok());
}

TEST_P(BothOrders, ArraysRoundTripAtEverySize) {
  Buffer b;
  Encoder e(b, GetParam());
  const std::uint16_t s[3] = {1, 2, 0xFFFE};
  const std::uint32_t l[2] = {3, 0xFFFFFFFD};
  const double f[2] = {1.5, -2.5};
  e.put_octet(0);
  e.put_array(s, 3, 2);
  e.put_array(l, 2, 4);
  e.put_array(f, 2, 8);
  e.finish();
  auto budget = plenty();
  Decoder d(b.view(), GetParam(), budget);
  d.get_octet();
  std::uint16_t s2[3];
  std::uint32_t l2[2];
  double f2[2];
  EXPECT_TRUE(d.get_array(s2, 3, 2) && d.get_array(l2, 2, 4) && d.get_array(f2, 2, 8));
  EXPECT_EQ(std::memcmp(s, s2, sizeof s), 0);
  EXPECT_EQ(std::memcmp(l, l2, sizeof l), 0);
  EXPECT_EQ(std::memcmp(f, f2, sizeof f), 0);
}

struct Reader {
  Bytes bytes;
  Budget budget;
  Decoder d;
  explicit Reader(Bytes b = {}, Budget g = plenty())
      : bytes(std::move(b)), budget(g), d(bytes, ByteOrder::Big, budget) {}
};

TEST(Decoder, TruncatedPrimitiveIsAFaultAndStays) {
  Reader r({1, 2, 3});
  EXPECT_EQ(r.d.get_ulong(), 0u);
  EXPECT_EQ(r.d.fault(), Fault::Truncated);
  EXPECT_EQ(r.d.get_octet(), 0);
  r.d.set_fault(Fault::BadEnum);
  EXPECT_EQ(r.d.fault(), Fault::Truncated);
}

TEST(Decoder, BooleanIsZeroOrOneOnly) {
  Reader r({0, 1, 2});
  EXPECT_FALSE(r.d.get_boolean());
  EXPECT_TRUE(r.d.get_boolean());
  EXPECT_FALSE(r.d.get_boolean());
  EXPECT_EQ(r.d.fault(), Fault::BadBoolean);
}

TEST(DecoderCount, AcceptsWhatFitsExactly) {
  Reader r({0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2});
  EXPECT_EQ(r.d.count(4, 4), 2u);
  EXPECT_TRUE(r.d.ok());
}
TEST(DecoderCount, RefusesOneMoreThanFits) {
  Reader r({0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 2});
  EXPECT_EQ(r.d.count(4, 4), 0u);
  EXPECT_EQ(r.d.fault(), Fault::BadCount);
}
TEST(DecoderCount, RefusesCountsWhoseProductWraps32Bits) {
  for (std::uint32_t n : {0x7fffffffu, 0x80000000u, 0x80000001u, 0xffffffffu, 0x20000001u, 0x40000001u}) {
    Bytes b(64, 0);
    store(b.data(), n, kNativeOrder != ByteOrder::Big);
    Reader r(b);
    EXPECT_EQ(r.d.count(8, 24), 0u) << n;
    EXPECT_EQ(r.d.fault(), Fault::BadCount) << n;
  }
}
TEST(DecoderCount, ElementsWithoutBytesAreBoundedByTheBudgetAlone) {
  for (const std::size_t none : {std::size_t{0}, std::size_t{Decoder::kNoBytes}}) {
    Reader r({0, 0, 0, 9}, {150, 64});
    EXPECT_EQ(r.d.count(none, 1), 9u);
    EXPECT_EQ(r.budget.bytes_left, 150u - 9 * Decoder::kEmptyElementCost);
    Reader s({0, 0, 0, 10, 0, 0, 0, 0}, {150, 64});
    EXPECT_EQ(s.d.count(none, 1), 0u);
    EXPECT_EQ(s.d.fault(), Fault::BudgetExceeded);
    Reader t({0, 0, 0, 2}, {150, 64});
    EXPECT_EQ(t.d.count(none, 24), 2u);
    EXPECT_EQ(t.budget.bytes_left, 150u - 48) << "what they take in memory, where that is more";
  }
}
TEST(DecoderCount, RefusesMemoryThatTheMachineCannotAddress) {
  const bool can = sizeof(std::size_t) > 4;
  Reader r({0, 0, 0, 4, 1, 2, 3, 4}, {SIZE_MAX, 64});
  EXPECT_EQ(r.d.count(1, 1u << 30), can ? 4u : 0u);
  EXPECT_EQ(r.d.fault(), can ? Fault::None : Fault::BudgetExceeded);
  Reader s({}, {SIZE_MAX, 64});
  EXPECT_EQ(s.d.charge(0x40000001, 4), can);
  EXPECT_EQ(s.d.fault(), can ? Fault::None : Fault::BudgetExceeded);
}
TEST(DecoderCount, ChargesTheBudget) {
  Reader r({0, 0, 0, 4, 1, 2, 3, 4}, {100, 64});
  EXPECT_EQ(r.d.count(1, 24), 4u);
  EXPECT_EQ(r.budget.bytes_left, 4u);
  Reader s({0, 0, 0, 4, 1, 2, 3, 4}, {95, 64});
  EXPECT_EQ(s.d.count(1, 24), 0u);
  EXPECT_EQ(s.d.fault(), Fault::BudgetExceeded);
}

TEST(DecoderString, RefusesLengthZero) {
  Reader r({0, 0, 0, 0});
  EXPECT_EQ(r.d.get_string(), "");
  EXPECT_EQ(r.d.fault(), Fault::BadString);
}
TEST(DecoderString, RefusesAMissingNul) {
  Reader r({0, 0, 0, 2, 'a', 'b'});
  r.d.get_string();
  EXPECT_EQ(r.d.fault(), Fault::BadString);
}
TEST(DecoderString, RefusesANulInside) {
  Reader r({0, 0, 0, 4, 'a', 0, 'b', 0});
  r.d.get_string();
  EXPECT_EQ(r.d.fault(), Fault::BadString);
}
TEST(DecoderString, RefusesMoreThanRemains) {
  Reader r({0, 0, 0, 5, 'a', 'b', 'c', 0});
  r.d.get_string();
  EXPECT_EQ(r.d.fault(), Fault::BadCount);
}
TEST(DecoderString, HoldsToItsBound) {
  Reader r({0, 0, 0, 4, 'a', 'b', 'c', 0});
  EXPECT_EQ(r.d.get_string(3), "abc");
  Reader s({0, 0, 0, 4, 'a', 'b', 'c', 0});
  s.d.get_string(2);
  EXPECT_EQ(s.d.fault(), Fault::BadBound);
}

TEST(DecoderEncapsulation, RefusesEmptyAndUnknownByteOrder) {
  Reader r({0, 0, 0, 0});
  EXPECT_EQ(r.d.get_encapsulation().fault(), Fault::BadEncapsulation);
  Reader s({0, 0, 0, 1, 2});
  s.d.get_encapsulation();
  EXPECT_EQ(s.d.fault(), Fault::BadEncapsulation);
}

TEST(DecoderDepth, StopsAtTheLimitAndRecoversOnLeave) {
  Reader r({}, {100, 2});
  EXPECT_TRUE(r.d.enter());
  EXPECT_TRUE(r.d.enter());
  r.d.leave();
  EXPECT_TRUE(r.d.enter());
  EXPECT_FALSE(r.d.enter());
  EXPECT_EQ(r.d.fault(), Fault::TooDeep);
}

// 9.4.9, GIOP 1.1: alignment restarts with each fragment's 12-byte header
TEST(DecoderSegments, AlignmentRestartsInEachFragment) {
  const Bytes first = {0, 7, 0, 0};                             // offsets 12..: ushort, 2 bytes of padding
  const Bytes second = {0, 0, 0, 0, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0};  // offset 12: padding, double at 16
  const Segment segs[] = {{first, 4}, {second, 4}};
  auto budget = plenty();
  Decoder d(segs, ByteOrder::Big, budget);
  EXPECT_EQ(d.remaining(), 16u);
  EXPECT_EQ(d.get_ushort(), 7);
  EXPECT_EQ(d.get<double>(), 1.0);
  EXPECT_TRUE(d.ok());
}
TEST(DecoderSegments, StringsAndArraysCrossFragments) {
  const Bytes first = {0, 0, 0, 6, 'h', 'e'};
  const Bytes second = {'l', 'l', 'o', 0, 0, 0, 0, 1};
  const Bytes third = {0, 0, 0, 2};
  const Segment segs[] = {{first, 4}, {second, 4}, {third, 4}};
  auto budget = plenty();
  Decoder d(segs, ByteOrder::Big, budget);
  const auto n = d.string_length();
  ASSERT_EQ(n, 6u);
  char s[6];
  EXPECT_TRUE(d.get_characters(s, n));
  EXPECT_STREQ(s, "hello");
  std::uint32_t a[2];
  EXPECT_TRUE(d.get_array(a, 2, 4));
  EXPECT_EQ(a[0], 1u);
  EXPECT_EQ(a[1], 2u);
}
TEST(DecoderSegments, ViewsDoNotCrossFragments) {
  const Bytes first = {0, 0, 0, 6, 'h', 'e'};
  const Bytes second = {'l', 'l', 'o', 0};
  const Segment segs[] = {{first, 4}, {second, 4}};
  auto budget = plenty();
  Decoder d(segs, ByteOrder::Big, budget);
  d.get_string();
  EXPECT_EQ(d.fault(), Fault::BadFragment);
}

TEST(Decoder, ReadsFromAnyPhase) {
  for (std::size_t phase = 0; phase < 8; ++phase) {
    const std::size_t pad = (0 - phase) & 3;
    Bytes b(pad + 4, 0);
    b[pad + 3] = 42;
    auto budget = plenty();
    Decoder d(b, ByteOrder::Big, budget, phase);
    EXPECT_EQ(d.get_ulong(), 42u) << phase;
  }
}

TEST(Decoder, EveryTruncationOfAMixedMessageIsACleanFault) {
  Buffer b;
  Encoder e(b, ByteOrder::Big);
  e.put_string("hello");
  e.put(1.5);
  e.put_octets(Bytes{1, 2, 3});
  auto c = e.begin_encapsulation();
  e.put_string("in");
  e.end_encapsulation(c);
  e.finish();
  for (std::size_t n = 0; n < b.size(); ++n) {
    const Bytes cut(b.data(), b.data() + n);
    auto budget = plenty();
    Decoder d(cut, ByteOrder::Big, budget);
    d.get_string();
    d.get<double>();
    d.get_octets();
    auto in = d.get_encapsulation();
    in.get_string();
    EXPECT_FALSE(d.ok() && in.ok()) << n;
  }
}

// Chunks of one octet, in which padding goes on and on (9.3.4.6).
TEST(Chunks, PaddingOverAnyNumberOfThemTakesNoStack) {
  constexpr std::size_t kChunks = 300000;
  std::vector<Byte> bytes(8 * kChunks);
  for (std::size_t i = 0; i < bytes.size(); i += 8) bytes[i + 3] = 1;
  auto budget = plenty();
  Decoder d(bytes, ByteOrder::Big, budget);
  d.begin_chunks();
  EXPECT_EQ(d.get_octet(), 0);
  EXPECT_FALSE(d.align(8));
  EXPECT_FALSE(d.ok());
}

// A fragment leaves less than 8 bytes unused, padding or not (9.4.9).
TEST(Segments, ALongDoubleDoesNotSkipAFragmentThatHasBytesFor) {
  const Byte first[1] = {1};
  const Byte second[9] = {};
  const Byte third[32] = {};
  for (const std::size_t used : {9u, 7u}) {
    const Segment segments[] = {{first, 0}, {ByteView(second, used), 4}, {third, 4}};
    auto budget = plenty();
    Decoder d(segments, kNativeOrder, budget);
    EXPECT_EQ(d.get_octet(), 1);
    (void)d.get_long_double();
    EXPECT_EQ(d.fault(), used == 9 ? Fault::Truncated : Fault::None);
  }
}

}  // namespace
}  // namespace callis::cdr
