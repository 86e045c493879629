// SPDX-License-Identifier: Apache-2.0
// StringMap: what it finds, visits and ends, and names that are chosen to collide.
#include <callis/base/string_map.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <memory>
#include <set>

namespace callis {
namespace {

TEST(StringMap, FindsWhatWasInsertedAndNothingElse) {
  StringMap<int> map;
  EXPECT_EQ(map.find(""), nullptr);
  for (int i = 0; i < 1000; ++i) map.insert(std::to_string(i), i);
  map.insert("", -1);
  map.insert(std::string_view("\0x", 2), -2);
  EXPECT_EQ(map.size(), 1002u);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(*map.find(std::to_string(i)), i);
  EXPECT_EQ(*map.find(""), -1);
  EXPECT_EQ(*map.find(std::string_view("\0x", 2)), -2);
  EXPECT_FALSE(map.contains("1000"));
  EXPECT_FALSE(map.contains(std::string_view("\0", 1)));
}

// Shows how long the chains are that names have to be looked for in.
class Chains final : public StringMapBase {
 public:
  ~Chains() {
    for (Node *n = unlink_all(), *next; n; n = next) {
      next = n->next;
      delete n;
    }
  }
  void insert(const std::string& name) {
    reserve_one();
    link(new Node(name));
  }
  std::size_t longest() const {
    std::size_t longest = 0, length = 0;
    for (const Node* n = after(nullptr); n; n = after(n)) {
      longest = std::max(longest, ++length);
      if (!n->next) length = 0;
    }
    return longest;
  }
};

TEST(StringMap, NamesChosenToCollideUnderAFixedHashDoNot) {
  constexpr std::size_t kNames = 2000, kBuckets = 2048;
  const auto fnv_1a = [](const std::string& name) {
    std::uint32_t h = 2166136261u;
    for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 16777619u;
    return h ^ h >> 15;
  };
  Chains chains;
  for (std::uint32_t i = 0; chains.size() < kNames; ++i) {
    const std::string name = "10.0.0.1:" + std::to_string(i);
    if (fnv_1a(name) % kBuckets == 0) chains.insert(name);
  }
  EXPECT_LT(chains.longest(), 20u);
}

TEST(StringMap, KeepsValuesWhereTheyAre) {
  StringMap<int> map;
  int* first = &map.insert("first", 1);
  for (int i = 0; i < 100; ++i) map.insert(std::to_string(i), i);
  EXPECT_EQ(map.find("first"), first);
}

TEST(StringMap, EndsTheValuesItErasesAndClears) {
  const auto value = std::make_shared<int>(0);
  {
    StringMap<std::shared_ptr<int>> map;
    for (int i = 0; i < 20; ++i) map.insert(std::to_string(i), value);
    EXPECT_TRUE(map.erase("7"));
    EXPECT_FALSE(map.erase("7"));
    EXPECT_EQ(value.use_count(), 20);
    map.clear();
    EXPECT_EQ(value.use_count(), 1);
    EXPECT_TRUE(map.empty());
    map.insert("again", value);
  }
  EXPECT_EQ(value.use_count(), 1);
}

TEST(StringMap, VisitsEachOnceAndAllowsToEraseTheOneVisited) {
  StringMap<int> map;
  for (int i = 0; i < 100; ++i) map.insert(std::to_string(i), i);
  std::set<std::string> seen;
  map.for_each([&](const std::string& name, int& value) {
    EXPECT_TRUE(seen.insert(name).second);
    if (value % 2) map.erase(name);
  });
  EXPECT_EQ(seen.size(), 100u);
  EXPECT_EQ(map.size(), 50u);
  EXPECT_FALSE(map.contains("51"));
}

TEST(StringMap, TakesFromAnotherWhileThatIsVisited) {
  StringMap<int> from, to;
  for (int i = 0; i < 50; ++i) from.insert(std::to_string(i), i);
  from.for_each([&](const std::string& name, int value) {
    if (value % 2) to.take(from, name);
  });
  EXPECT_EQ(from.size(), 25u);
  EXPECT_EQ(to.size(), 25u);
  EXPECT_EQ(*to.find("49"), 49);
  EXPECT_FALSE(from.contains("49"));
}

TEST(StringMap, SwapsWithAnother) {
  StringMap<int> a, b;
  a.insert("x", 1);
  a.swap(b);
  EXPECT_TRUE(a.empty());
  EXPECT_EQ(*b.find("x"), 1);
}

}  // namespace
}  // namespace callis
