// SPDX-License-Identifier: Apache-2.0
// Ids of transfers: good once, for a while, and in one process.
#include <gtest/gtest.h>
#include <services/lifecycle/invitations.h>
#include <services/lifecycle/trust.h>
#include <set>

namespace callis::life_cycle {
namespace {

using namespace std::chrono_literals;
const Invitations::Time kBegin{};

TEST(Invitations, are_good_once) {
  Invitations all(kBegin);
  const std::string id = all.invite(kBegin + 5s);
  EXPECT_EQ(id.size(), kIdentityBytes);
  EXPECT_TRUE(all.good(id, kBegin + 6s));
  EXPECT_TRUE(all.good(id, kBegin + 6s));
  EXPECT_TRUE(all.use(id, kBegin + 6s));
  EXPECT_FALSE(all.good(id, kBegin + 6s));
  EXPECT_FALSE(all.use(id, kBegin + 6s));
  EXPECT_FALSE(all.use(id, kBegin + 66s));
  EXPECT_FALSE(all.use(id, kBegin + 1000s));
}

TEST(Invitations, are_good_for_a_minute_and_then_forgotten) {
  Invitations all(kBegin);
  const std::string late = all.invite(kBegin), good = all.invite(kBegin);
  EXPECT_TRUE(all.use(good, kBegin + Invitations::kGoodFor));
  EXPECT_FALSE(all.use(late, kBegin + Invitations::kGoodFor + 1s));
  for (int i = 0; i < 1000; ++i) {
    const auto now = kBegin + std::chrono::seconds(i);
    EXPECT_TRUE(all.use(all.invite(now), now));
    for (int asked = 0; asked < 10; ++asked) all.invite(now);
  }
  EXPECT_LT(all.remembered(), 100u);
}

TEST(Invitations, of_another_process_are_none_and_so_is_what_anybody_makes_up) {
  Invitations all(kBegin), next(kBegin);
  const std::string id = all.invite(kBegin);
  EXPECT_FALSE(next.use(id, kBegin));
  for (const std::string& bad : {std::string(), std::string(32, 'a'), std::string(32, 'z'), std::string(32, '0'),
                                 std::string(31, '0'), std::string(1000, '0'), id + "0", id.substr(1),
                                 new_identity()})
    EXPECT_FALSE(all.use(bad, kBegin)) << bad;
  for (std::size_t i = 0; i < id.size(); ++i) {
    std::string changed = id;
    changed[i] = changed[i] == '0' ? '1' : '0';
    EXPECT_FALSE(all.use(changed, kBegin)) << i;
  }
  EXPECT_TRUE(all.use(id, kBegin));
}

TEST(Invitations, differ) {
  Invitations all(kBegin);
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(seen.insert(all.invite(kBegin)).second);
}

}  // namespace
}  // namespace callis::life_cycle
