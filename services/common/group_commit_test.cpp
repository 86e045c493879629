// SPDX-License-Identifier: Apache-2.0
// Groups of transactions that threads commit at the same time.
#include <gtest/gtest.h>
#include <services/common/group_commit.h>
#include <atomic>
#include <stdexcept>
#include <thread>

namespace callis::services {
namespace {

Transaction put(std::string key) { return {{}, {{std::move(key), "value"}}, {}}; }

template <class F>
void in_threads(int count, F f) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back([&f, i] { f(i); });
  for (std::thread& each : threads) each.join();
}

TEST(GroupCommit, writes_a_lone_transaction_by_itself) {
  std::size_t groups = 0;
  GroupCommit commit([&](std::span<GroupCommit::Request* const> group) {
    ASSERT_EQ(group.size(), 1u);
    group[0]->outcome = {true, ++groups};
  });
  EXPECT_EQ(commit.commit(put("a")).revision, 1u);
  EXPECT_EQ(commit.commit(put("b")).revision, 2u);
}

TEST(GroupCommit, writes_each_transaction_once_and_one_group_at_a_time) {
  constexpr int kThreads = 8, kEach = 2000;
  std::atomic<bool> writing{false};
  std::vector<int> written(kThreads * kEach);
  Revision last = 0;
  GroupCommit commit([&](std::span<GroupCommit::Request* const> group) {
    EXPECT_FALSE(writing.exchange(true));
    for (GroupCommit::Request* const each : group) {
      ++written[std::stoul(each->transaction->puts[0].first)];
      each->outcome = {true, ++last};
    }
    writing = false;
  });
  in_threads(kThreads, [&](int thread) {
    Revision before = 0;
    for (int i = 0; i < kEach; ++i) {
      const Outcome out = commit.commit(put(std::to_string(thread * kEach + i)));
      ASSERT_TRUE(out.applied);
      ASSERT_GT(out.revision, before);
      before = out.revision;
    }
  });
  EXPECT_EQ(last, Revision{kThreads * kEach});
  EXPECT_EQ(written, std::vector<int>(written.size(), 1));
}

TEST(GroupCommit, tells_a_failure_to_each_of_its_group_and_goes_on) {
  constexpr int kThreads = 4, kEach = 500;
  std::atomic<int> failed{0}, good{0};
  int to_fail = 0, groups = 0;
  GroupCommit commit([&](std::span<GroupCommit::Request* const> group) {
    if (++groups % 2) {
      to_fail += static_cast<int>(group.size());
      throw std::runtime_error("no disk");
    }
  });
  in_threads(kThreads, [&](int) {
    for (int i = 0; i < kEach; ++i) {
      try {
        commit.commit(put("key"));
        ++good;
      } catch (const std::runtime_error&) {
        ++failed;
      }
    }
  });
  EXPECT_EQ(failed, to_fail);
  EXPECT_EQ(failed + good, kThreads * kEach);
}

// Nobody is left waiting if many transactions are more than a group's bytes.
TEST(GroupCommit, divides_what_is_too_much_for_a_group) {
  const std::string large(GroupCommit::kMostBytes / 3, 'v');
  std::atomic<int> all{0};
  GroupCommit commit([&](std::span<GroupCommit::Request* const> group) {
    std::size_t bytes = 0;
    for (const GroupCommit::Request* const each : group) bytes += each->bytes;
    EXPECT_LE(bytes, GroupCommit::kMostBytes);
    all += static_cast<int>(group.size());
  });
  const Transaction one{{}, {{"key", large}}, {}};
  in_threads(8, [&](int) {
    for (int i = 0; i < 50; ++i) commit.commit(one);
  });
  EXPECT_EQ(all, 400);
}

}  // namespace
}  // namespace callis::services
