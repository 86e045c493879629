// SPDX-License-Identifier: Apache-2.0
// TypeCodes in messages that lie in fragments (CORBA 3.3 part 2, 9.4.9), and in values that come in chunks (9.3.4.6).
#include <callis/typecode/internal/received.h>
#include <callis/typecode/testing/types.h>
#include <gtest/gtest.h>

namespace callis::typecode::testing {
namespace {

class WireInPieces : public ::testing::TestWithParam<ByteOrder> {};
INSTANTIATE_TEST_SUITE_P(BothOrders, WireInPieces, ::testing::Values(ByteOrder::Big, ByteOrder::Little),
                         [](const auto& i) { return i.param == ByteOrder::Big ? "Big" : "Little"; });

TEST_P(WireInPieces, FragmentsOfGiop11ArePutTogether) {
  const TypeCode_var node = make_node();
  const auto bytes = written(node, GetParam());
  for (std::size_t cut = 8; cut < bytes.size(); ++cut) {
    const cdr::Segment parts[] = {{ByteView(bytes.data(), cut), 0},
                                  {ByteView(bytes.data() + cut, bytes.size() - cut), 4}};
    cdr::Budget budget{1u << 20, 64};
    cdr::Decoder d(parts, GetParam(), budget);
    const TypeCode_var t = get_type_code(d);
    ASSERT_NE(t.in(), nullptr) << cut << ' ' << fault_name(d.fault());
    EXPECT_TRUE(t->equal(node));
    EXPECT_EQ(d.remaining(), 0u);
  }
}

// Positions for indirections count from the TCKind, wherever the decoder stood before.
TEST_P(WireInPieces, ATypeMayBeginAChunkOrAFragment) {
  const TypeCode_var node = make_node();
  const auto bytes = written(node, GetParam());
  const auto size = Cdr(GetParam()).u32(bytes.size()).bytes();
  auto chunk = size;
  chunk.insert(chunk.end(), bytes.begin(), bytes.end());
  cdr::Budget budget{1u << 20, 64};
  cdr::Decoder in_chunks(chunk, GetParam(), budget);
  in_chunks.begin_chunks();
  const cdr::Segment parts[] = {{size, 0}, {bytes, 4}};
  cdr::Decoder in_fragments(parts, GetParam(), budget);
  (void)in_fragments.get_ulong();
  for (cdr::Decoder* d : {&in_chunks, &in_fragments}) {
    std::uint32_t depth;
    const TypeCode_var t = read_type_code(*d, depth);
    ASSERT_NE(t.in(), nullptr) << fault_name(d->fault());
    EXPECT_TRUE(t->equal(node));
    EXPECT_EQ(d->remaining(), 0u);
  }
}

}  // namespace
}  // namespace callis::typecode::testing
