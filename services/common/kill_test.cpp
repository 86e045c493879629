// SPDX-License-Identifier: Apache-2.0
// Writers that are killed at random moments: no acknowledged change is lost, none is there by half. CALLIS_KILLS=1000
// is the long form.
#include <services/common/testing/folder.h>
#include <services/common/testing/places.h>
#include <services/common/testing/writers.h>
#include <chrono>
#include <iostream>
#include <random>

namespace callis::services::testing {
namespace {

// Moments differ by the number of acknowledged transactions, and by their place within the next transaction.
void pass_some_microseconds(std::minstd_rand& random) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(random() % 3000);
  while (std::chrono::steady_clock::now() < until) {}
}

TEST(KilledWriters, LoseNothingThatASqliteStoreHasAcknowledged) {
  const Folder folder;
  const std::string where = folder / "store.db";
  const unsigned seed = std::random_device{}();
  std::minstd_rand random(seed);
  std::uint64_t total = 0;
  const int times = kills(50);
  for (int kill = 0; kill < times; ++kill) {
    Writers writers(where);
    ASSERT_TRUE(writers.read_acknowledged(1 + static_cast<int>(random() % 40)));
    pass_some_microseconds(random);
    writers.kill();
    const std::unique_ptr<Store> store = open_store(where, test_kind());
    const std::string fault = fault_in(*store, writers.acknowledged());
    ASSERT_EQ(fault, "") << "kill " << kill << ", seed " << seed;
    total = 0;
    for (const std::uint64_t n : writers.acknowledged()) total += n;
  }
  std::cout << times << " kills, " << total << " transactions\n";
}

}  // namespace
}  // namespace callis::services::testing
