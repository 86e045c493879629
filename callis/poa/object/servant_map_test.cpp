// SPDX-License-Identifier: Apache-2.0
#include <callis/poa/object/servant_map.h>
#include <gtest/gtest.h>
#include <random>
#include <unordered_map>

namespace callis::poa {
namespace {

// The map looks at addresses alone.
ServantMap::Servant servant(std::uintptr_t n) { return reinterpret_cast<ServantMap::Servant>(n * 16); }

TEST(ServantMap, AnEmptyMapHasNobody) {
  ServantMap map;
  EXPECT_EQ(map.find(servant(1)), nullptr);
  map.erase(servant(1));
  EXPECT_FALSE(map.contains(servant(1)));
}

TEST(ServantMap, KeepsTheNumberOfAServantThatIsThere) {
  ServantMap map;
  EXPECT_EQ(map.insert(servant(1), 7), 7u);
  EXPECT_EQ(map.insert(servant(1), 8), 7u);
  ++map.insert(servant(1), 0);
  EXPECT_EQ(*map.find(servant(1)), 8u);
  map.erase(servant(1));
  EXPECT_FALSE(map.contains(servant(1)));
  EXPECT_EQ(map.insert(servant(1), 9), 9u);
}

TEST(ServantMap, DoesWhatAnUnorderedMapDoes) {
  std::mt19937 random(1);
  for (const unsigned servants : {5u, 60u, 3000u}) {
    ServantMap map;
    std::unordered_map<ServantMap::Servant, std::uint32_t> expected;
    for (unsigned step = 0; step < 40 * servants; ++step) {
      const auto s = servant(1 + random() % servants);
      if (random() % 2 != 0) {
        EXPECT_EQ(map.insert(s, step), expected.emplace(s, step).first->second);
      } else {
        map.erase(s);
        expected.erase(s);
      }
      if (step % servants != 0) continue;
      for (unsigned n = 1; n <= servants; ++n) {
        const auto it = expected.find(servant(n));
        const std::uint32_t* const found = map.find(servant(n));
        ASSERT_EQ(found != nullptr, it != expected.end());
        if (found) {
          ASSERT_EQ(*found, it->second);
        }
      }
    }
  }
}

}  // namespace
}  // namespace callis::poa
