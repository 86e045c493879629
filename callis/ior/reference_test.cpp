// SPDX-License-Identifier: Apache-2.0
// References on the wire: round trips, truncation, counts that cannot be.
#include <callis/ior/ior.h>
#include <gtest/gtest.h>

namespace callis::ior {
namespace {

const Limits kLimits;

struct Reader {
  Bytes bytes;
  cdr::Budget budget{1u << 30, 64};
  cdr::Decoder d;
  explicit Reader(Bytes b, ByteOrder order = ByteOrder::Big) : bytes(std::move(b)), d(bytes, order, budget) {}
};

Bytes encoded(const Ior& ior, ByteOrder order) {
  Buffer b;
  cdr::Encoder e(b, order);
  encode(e, ior);
  e.finish();
  return {b.data(), b.data() + b.size()};
}

Ior of_unknown_profiles() { return {"IDL:X:1.0", {{7, {1, 2, 3}}, {0xDEADBEEF, {}}}}; }

TEST(Ior, IsWrittenAsTypeIdAndProfiles) {  // 7.6.2, byte-exact
  EXPECT_EQ(encoded({"AB", {{7, {1, 2, 3}}}}, ByteOrder::Big),
            (Bytes{0, 0, 0, 3, 'A', 'B', 0, 0, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 3, 1, 2, 3}));
  EXPECT_EQ(encoded({"AB", {{7, {1, 2, 3}}}}, ByteOrder::Little),
            (Bytes{3, 0, 0, 0, 'A', 'B', 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 3, 0, 0, 0, 1, 2, 3}));
}

TEST(Ior, RoundTripsInBothOrdersWithUnknownTags) {
  for (const ByteOrder order : {ByteOrder::Big, ByteOrder::Little}) {
    Reader r(encoded(of_unknown_profiles(), order), order);
    Ior back;
    ASSERT_TRUE(decode(r.d, back, kLimits));
    EXPECT_EQ(back, of_unknown_profiles());
    EXPECT_EQ(encoded(back, order), r.bytes);
  }
}

TEST(Ior, NilHasNoProfiles) {
  Reader r({0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0});
  Ior back = of_unknown_profiles();
  ASSERT_TRUE(decode(r.d, back, kLimits));
  EXPECT_TRUE(back.is_nil());
  EXPECT_FALSE(of_unknown_profiles().is_nil());
}

TEST(Ior, EveryTruncationIsAFaultAndLeavesTheTargetUntouched) {
  const Bytes whole = encoded({"IDL:X:1.0", {{7, {1, 2, 3}}}}, ByteOrder::Big);
  for (std::size_t n = 0; n < whole.size(); ++n) {
    Reader r(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n)));
    Ior out{"kept", {}};
    EXPECT_FALSE(decode(r.d, out, kLimits)) << n;
    EXPECT_FALSE(r.d.ok());
    EXPECT_EQ(out.type_id, "kept");
  }
}

TEST(Ior, RefusesAProfileCountThatCannotFit) {
  Reader r({0, 0, 0, 1, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0});
  Ior out;
  EXPECT_FALSE(decode(r.d, out, kLimits));
  EXPECT_EQ(r.d.fault(), Fault::BadCount);
}

TEST(Ior, HoldsToTheLimitOfProfiles) {
  Ior many{"", std::vector<TaggedProfile>(64)};
  Reader at(encoded(many, ByteOrder::Big));
  Ior out;
  EXPECT_TRUE(decode(at.d, out, kLimits));
  many.profiles.emplace_back();
  Reader above(encoded(many, ByteOrder::Big));
  EXPECT_FALSE(decode(above.d, out, kLimits));
  EXPECT_EQ(above.d.fault(), Fault::LimitExceeded);
}

TEST(Ior, HoldsToTheLimitOfProfileBytes) {
  Ior big{"", {{7, Bytes(kLimits.max_context_bytes)}}};
  Reader at(encoded(big, ByteOrder::Big));
  Ior out;
  EXPECT_TRUE(decode(at.d, out, kLimits));
  big.profiles[0].data.push_back(0);
  Reader above(encoded(big, ByteOrder::Big));
  EXPECT_FALSE(decode(above.d, out, kLimits));
  EXPECT_EQ(above.d.fault(), Fault::LimitExceeded);
}

TEST(Ior, ChargesItsMemoryToTheBudget) {
  Reader r(encoded({"", {{7, Bytes(1000)}}}, ByteOrder::Big));
  r.budget.bytes_left = 900;
  Ior out;
  EXPECT_FALSE(decode(r.d, out, kLimits));
  EXPECT_EQ(r.d.fault(), Fault::BudgetExceeded);
}

TEST(Ior, IsReadAcrossTheFragmentsOfGiop11) {
  const Bytes whole = encoded({"IDL:X:1.0", {{7, Bytes(20, 9)}}}, ByteOrder::Big);
  // Cut inside the type id and inside the profile's bytes; each segment begins at a multiple of 8.
  const Bytes a(whole.begin(), whole.begin() + 8), b(whole.begin() + 8, whole.begin() + 32),
      c(whole.begin() + 32, whole.end());
  const cdr::Segment segments[] = {{a, 0}, {b, 0}, {c, 0}};
  cdr::Budget budget{1u << 20, 8};
  cdr::Decoder d(segments, ByteOrder::Big, budget);
  Ior out;
  ASSERT_TRUE(decode(d, out, kLimits));
  EXPECT_EQ(out.type_id, "IDL:X:1.0");
  EXPECT_EQ(out.profiles[0].data, Bytes(20, 9));
}

TEST(Ior, RefusesATypeIdWithANulInside) {
  Reader r({0, 0, 0, 4, 'a', 0, 'b', 0, 0, 0, 0, 0});
  Ior out;
  EXPECT_FALSE(decode(r.d, out, kLimits));
  EXPECT_EQ(r.d.fault(), Fault::BadString);
}

TEST(TaggedProfile, EqualsByTagAndBytes) {
  const TaggedProfile p{7, {1, 2}};
  EXPECT_EQ(p, (TaggedProfile{7, {1, 2}}));
  EXPECT_NE(p, (TaggedProfile{8, {1, 2}}));
  EXPECT_NE(p, (TaggedProfile{7, {1, 3}}));
}

TEST(TaggedComponents, RoundTripAsASequence) {
  const std::vector<TaggedComponent> list{{1, {5}}, {2, {6, 7}}};
  Buffer b;
  cdr::Encoder e(b, ByteOrder::Big);
  encode(e, list);
  e.finish();
  cdr::Budget budget{1u << 20, 8};
  cdr::Decoder d(b.view(), ByteOrder::Big, budget);
  std::vector<TaggedComponent> back;
  ASSERT_TRUE(decode(d, back, kLimits));
  EXPECT_EQ(back, list);
}

}  // namespace
}  // namespace callis::ior
