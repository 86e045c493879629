// SPDX-License-Identifier: Apache-2.0
// Perfect hashes find each of their names and nothing else.
#include <callis/base/perfect_hash_builder.h>
#include <gtest/gtest.h>

namespace callis {
namespace {

std::vector<std::string> names(int n, const std::string& middle) {
  std::vector<std::string> v;
  for (int i = 0; i < n; ++i) v.push_back("operation_" + middle + std::to_string(i) + "_of_the_interface");
  return v;
}

void expect_finds_all(const std::vector<std::string>& v, const PerfectHashTables& t) {
  const PerfectHash h = t.view();
  for (std::size_t i = 0; i < v.size(); ++i) ASSERT_EQ(t.order.at(h.find(v[i].data(), v[i].size())), i) << v[i];
  for (const std::string& n : v) {
    if (!h.mixes_ends(n.size())) continue;
    ASSERT_EQ(h.find_by_ends(n.data(), n.size()), h.find(n.data(), n.size())) << n;
  }
  EXPECT_EQ(t.order.size(), v.size());
  EXPECT_LE(t.displacements.size(), v.size() * 2 + 1);
}

void expect_finds_all(const std::vector<std::string>& v) {
  PerfectHashTables t;
  ASSERT_TRUE(build_perfect_hash(v, t)) << v.size();
  expect_finds_all(v, t);
}

class PerfectHashSizes : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(, PerfectHashSizes, ::testing::Values(0, 1, 2, 3, 7, 8, 31, 100, 500, 3000));
TEST_P(PerfectHashSizes, FindsEveryNameThatDiffersInTheMiddleOnly) { expect_finds_all(names(GetParam(), "")); }

class PerfectHashOfManyNames : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(, PerfectHashOfManyNames,
                         ::testing::Values(1024, 2047, 2048, 10'000, 32'767, 32'768, 65'534));
TEST_P(PerfectHashOfManyNames, TakesStepsInProportionToTheirNumber) {
  for (const auto& v : {names(GetParam(), ""), names(GetParam(), "with_a_long_name_in_the_middle_")}) {
    PerfectHashTables t;
    ASSERT_TRUE(build_perfect_hash(v, t));
    EXPECT_LT(t.steps, 600 * v.size());
    expect_finds_all(v, t);
  }
  std::vector<std::string> numbered;
  for (int i = 0; i < GetParam(); ++i) numbered.push_back("f" + std::to_string(i));
  PerfectHashTables t;
  ASSERT_TRUE(build_perfect_hash(numbered, t));
  EXPECT_LT(t.steps, 600 * numbered.size());
  expect_finds_all(numbered, t);
}
TEST(PerfectHash, MoreNamesThanPlacesCanBeNumberedAreRefused) {
  PerfectHashTables t;
  EXPECT_FALSE(build_perfect_hash(names(65'535, ""), t));
}
TEST(PerfectHash, FindsShortNames) {
  expect_finds_all({"a", "b", "ab", "ba", "", "abcdefg", "abcdefgh", "abcdefghi"});
}
TEST(PerfectHash, FindsNamesThatDifferInTheirLastCharactersOnly) {
  for (const int n : {2, 10, 100, 1000})
    for (std::size_t length = 1; length <= 24; length += n < 1000 ? 1 : 5) {
      std::vector<std::string> v;
      for (int i = 0; i < n; ++i) {
        const std::string number = std::to_string(n + i);
        v.push_back(std::string(length, 'a') + number);
      }
      expect_finds_all(v);
    }
}
TEST(PerfectHash, FindsNamesThatDifferInTheirFirstCharacterOnly) {
  for (std::size_t length = 0; length <= 24; ++length) {
    std::vector<std::string> v;
    for (char c = 'a'; c <= 'z'; ++c) v.push_back(c + std::string(length, 'x'));
    expect_finds_all(v);
  }
}
TEST(PerfectHash, FindsParamTest) {
  expect_finds_all({"test_short", "test_unbounded_string", "test_fixed_struct", "test_strseq", "test_var_struct",
                    "test_nested_struct", "test_struct_sequence"});
}
TEST(PerfectHash, WholeNamesAreMixedOnlyWhereTheirEndsDoNotTellThemApart) {
  std::vector<std::string> ends;
  for (int i = 0; i < 500; ++i) ends.push_back("operation_" + std::to_string(i));
  PerfectHashTables t;
  ASSERT_TRUE(build_perfect_hash(ends, t));
  EXPECT_FALSE(t.whole_name);
  ASSERT_TRUE(build_perfect_hash(names(10, ""), t));
  EXPECT_TRUE(t.whole_name);
}
TEST(PerfectHash, NamesOf8To32CharactersAreMixedFromTheirEnds) {
  const std::uint16_t displacement = 0;
  for (std::size_t length = 0; length <= 300; ++length) {
    EXPECT_EQ(PerfectHash(1, 1, &displacement, 1, 0, 0, false).mixes_ends(length), length >= 8 && length <= 32)
        << length;
    EXPECT_EQ(PerfectHash(1, 1, &displacement, 1, 0, 0, true).mixes_ends(length), length >= 8 && length <= 16)
        << length;
  }
}
TEST(PerfectHash, SameComparesEveryByte) {
  for (std::size_t length = 0; length <= 70; ++length) {
    // As vectors, so that a sanitizer sees whether more is read.
    const std::vector<char> a(length, 'a');
    EXPECT_TRUE(PerfectHash::same(a.data(), std::vector<char>(a).data(), length)) << length;
    for (std::size_t i = 0; i < length; ++i) {
      std::vector<char> b(a);
      b[i] = static_cast<char>(0x80);
      EXPECT_FALSE(PerfectHash::same(a.data(), b.data(), length)) << length << ' ' << i;
    }
  }
}
TEST(PerfectHash, UnknownNamesMeetAnotherNameOrNothing) {
  const auto v = names(50, "x");
  PerfectHashTables t;
  ASSERT_TRUE(build_perfect_hash(v, t));
  for (const auto& other : names(500, "y")) {
    const auto i = t.view().find(other.data(), other.size());
    if (i != PerfectHash::kNowhere) {
      ASSERT_LT(i, v.size());
      EXPECT_NE(v[t.order[i]], other);
    }
  }
}
TEST(PerfectHash, EqualNamesAreRefused) {
  PerfectHashTables t;
  EXPECT_FALSE(build_perfect_hash({"a", "b", "a"}, t));
}
// The IDL compiler makes tables on one machine that others search.
TEST(PerfectHash, IsTheSameOnEveryMachine) {
  const auto mix = [](std::string_view name, bool whole) {
    return PerfectHash::mix(name.data(), name.size(), 0x9e3779b97f4a7c15u, 0xd6e8feb86659fd93u, whole);
  };
  EXPECT_EQ(mix("a", false), 0xc9ee1e01a1930188u);
  EXPECT_EQ(mix("ping", false), 0x44c1fb2c9ae8dc7cu);
  EXPECT_EQ(mix("bounded", false), 0x6a1cedce8e5f8a0fu);
  EXPECT_EQ(mix("test_short", false), 0x86a4d8313587ef4bu);
  EXPECT_EQ(mix("test_struct_sequence", true), 0x66231106df280d0au);
}
TEST(PerfectHash, IsDeterministic) {
  PerfectHashTables a, b;
  ASSERT_TRUE(build_perfect_hash(names(40, ""), a) && build_perfect_hash(names(40, ""), b));
  EXPECT_EQ(a.order, b.order);
  EXPECT_EQ(a.k1, b.k1);
}

}  // namespace
}  // namespace callis
