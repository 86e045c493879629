// SPDX-License-Identifier: Apache-2.0
// The texts of ExceptionDetailMessage contexts, as bytes (CORBA 3.0.3, 13.7.1).
#include <callis/base/text.h>
#include <callis/orb/context/exception_texts.h>
#include <gtest/gtest.h>
#include <vector>

namespace callis::orb {
namespace {

std::string read(std::vector<Byte> data) {
  giop::ServiceContexts contexts;
  contexts.reset(2);
  const Byte other[] = {0};
  contexts[0] = {giop::kCodeSetsContext, other};
  contexts[1] = {giop::kExceptionDetailContext, data};
  return exception_text_in(contexts);
}
std::string read_of(Byte count, std::vector<Byte> octets) {
  octets.insert(octets.begin(), {0, 0, 0, 0, 0, 0, 0, count});
  return read(std::move(octets));
}

TEST(ExceptionTexts, are_wide_strings_in_encapsulations_13_7_1) {
  EXPECT_EQ(read({0, 0, 0, 0, 0, 0, 0, 4, 0, 'h', 0, 'i'}), "hi");
  EXPECT_EQ(read({1, 0, 0, 0, 4, 0, 0, 0, 0, 'h', 0, 'i'}), "hi") << "UTF-16 is big-endian in any encapsulation";
  EXPECT_EQ(read_of(0, {}), "");
}

TEST(ExceptionTexts, may_begin_with_a_byte_order_mark) {
  EXPECT_EQ(read_of(6, {0xfe, 0xff, 0, 'h', 0, 'i'}), "hi");
  EXPECT_EQ(read_of(6, {0xff, 0xfe, 'h', 0, 'i', 0}), "hi");
}

TEST(ExceptionTexts, are_UTF_8_in_memory) {
  EXPECT_EQ(read_of(10, {0, 0xe9, 0x20, 0xac, 0xd8, 0x3d, 0xde, 0, 0, '.'}), "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80.");
}

TEST(ExceptionTexts, end_where_they_are_no_UTF_16) {
  EXPECT_EQ(read_of(6, {0, 'h', 0xde, 0, 0, 'i'}), "h");
  EXPECT_EQ(read_of(4, {0, 'h', 0xd8, 0x3d}), "h");
  EXPECT_EQ(read_of(6, {0, 'h', 0, 0, 0, 'i'}), "h") << "a terminator, which is not to be there";
  EXPECT_EQ(read_of(3, {0, 'h', 0}), "h");
}

TEST(ExceptionTexts, that_cannot_be_read_are_none) {
  EXPECT_EQ(read({}), "");
  EXPECT_EQ(read({0}), "");
  EXPECT_EQ(read({7, 0, 0, 0, 0, 0, 0, 2, 0, 'h'}), "");
  EXPECT_EQ(read_of(4, {0, 'h'}), "") << "more than there is";
  EXPECT_EQ(read({0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 'h'}), "");
  EXPECT_EQ(exception_text_in({}), "");
}

TEST(ExceptionTexts, of_any_length_cost_no_more_than_what_is_shown) {
  const std::uint32_t octets = 2'000'000;
  std::vector<Byte> data = {0, 0, 0, 0, octets >> 24, octets >> 16 & 0xff, octets >> 8 & 0xff, octets & 0xff};
  for (std::uint32_t i = 0; i < octets; ++i) data.push_back(i % 2 ? 'x' : 0);
  std::string shown(Printable::kMost, 'x');
  shown += "...";
  EXPECT_EQ(read(data), shown);
}

}  // namespace
}  // namespace callis::orb
