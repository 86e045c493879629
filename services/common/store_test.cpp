// SPDX-License-Identifier: Apache-2.0
// The promises of every store, whatever its back end.
#include <services/common/testing/places.h>
#include <algorithm>
#include <stdexcept>
#include <thread>

namespace callis::services::testing {
namespace {

struct EveryStore : ::testing::TestWithParam<std::string> {
  void SetUp() override {
    place = make_place(GetParam());
    if (!place) GTEST_SKIP() << GetParam() << " is not installed here";
    store = open_store(place->where(), test_kind());
  }
  void TearDown() override { store.reset(); }
  std::unique_ptr<Store> another() const { return open_store(place->where(), test_kind()); }

  std::unique_ptr<Place> place;
  std::unique_ptr<Store> store;
};

TEST_P(EveryStore, GivesBackWhatWasPut) {
  const Outcome first = store->commit({{}, {{"a", "1"}, {"b", "2"}}, {}});
  EXPECT_TRUE(first.applied);
  EXPECT_GT(first.revision, 0u);
  EXPECT_EQ(all_of(*store), (All{{"a", "1"}, {"b", "2"}}));
  const Outcome second = store->commit({{}, {{"b", "3"}, {"c", ""}}, {"a"}});
  EXPECT_GT(second.revision, first.revision);
  Revision as_of = 0;
  EXPECT_EQ(all_of(*store, "", &as_of), (All{{"b", "3"}, {"c", ""}}));
  EXPECT_GE(as_of, second.revision);
  EXPECT_EQ(changed(*store, "b"), second.revision);
}

TEST_P(EveryStore, ReadsByPrefixInTheOrderOfKeys) {
  for (const char* key : {"b/2", "b/1", "a", "b", "b/", "c", "b0"}) store->commit(put(key, key));
  std::vector<std::string> keys;
  store->read("b/", [&](Pair&& pair) { keys.push_back(pair.key); });
  EXPECT_EQ(keys, (std::vector<std::string>{"b/", "b/1", "b/2"}));
  keys.clear();
  store->read("", [&](Pair&& pair) { keys.push_back(pair.key); });
  EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
  EXPECT_EQ(keys.size(), 7u);
}

TEST_P(EveryStore, TakesKeysAndValuesOfAnyBytes) {
  std::string every;
  for (int c = 0; c < 256; ++c) every += static_cast<char>(c);
  All want;
  for (const std::string& key :
       {every, std::string("\0", 1), std::string("\xff\xff\xff"), std::string("\xff"), std::string("a\0b", 3),
        std::string("a\0", 2), std::string("\xc3\xa4 / %41\n\"\\")}) {
    store->commit(put(key, every + key));
    want[key] = every + key;
  }
  EXPECT_EQ(all_of(*store), want);
  EXPECT_EQ(all_of(*store, "\xff").size(), 2u);
  EXPECT_EQ(all_of(*store, std::string("a\0", 2)).size(), 2u);
  EXPECT_TRUE(store->commit(erase("\xff")).applied);
  EXPECT_EQ(all_of(*store, "\xff").size(), 1u);
}

// The order of conditions and puts says nothing.
TEST_P(EveryStore, PutsAKeyThatMustBeNewOnlyWithTheRestOfItsTransaction) {
  const Revision there = store->commit(put("there", "1")).revision;
  const Transaction both{{{"new", 0}, {"there", there}}, {{"other", "x"}, {"new", "y"}}, {}};
  EXPECT_FALSE(store->commit({{{"new", 0}, {"there", there + 1}}, {{"other", "x"}, {"new", "y"}}, {}}).applied);
  EXPECT_FALSE(store->commit({{{"there", 0}, {"new", 0}}, {{"other", "x"}, {"there", "y"}}, {"new"}}).applied);
  EXPECT_EQ(all_of(*store), (All{{"there", "1"}}));
  const Outcome out = store->commit(both);
  EXPECT_TRUE(out.applied);
  EXPECT_EQ(changed(*store, "new"), out.revision);
  EXPECT_EQ(all_of(*store), (All{{"new", "y"}, {"other", "x"}, {"there", "1"}}));
  EXPECT_FALSE(store->commit(both).applied);
  EXPECT_FALSE(store->commit({{{"new", 0}}, {{"new", "z"}, {"other", "z"}}, {"there"}}).applied);
  EXPECT_EQ(all_of(*store), (All{{"new", "y"}, {"other", "x"}, {"there", "1"}}));
}

TEST_P(EveryStore, AppliesATransactionOnlyIfItsConditionsHold) {
  const Revision a = store->commit(put("a", "1")).revision;
  EXPECT_TRUE(store->commit({{{"new", 0}}, {{"new", "x"}}, {}}).applied);
  EXPECT_FALSE(store->commit({{{"new", 0}}, {{"new", "y"}, {"other", "z"}}, {}}).applied);
  EXPECT_EQ(all_of(*store), (All{{"a", "1"}, {"new", "x"}}));
  const Outcome taken = store->commit({{{"a", a}, {"gone", 0}}, {{"a", "2"}}, {}});
  EXPECT_TRUE(taken.applied);
  const Outcome late = store->commit({{{"a", a}}, {{"a", "3"}}, {}});
  EXPECT_FALSE(late.applied);
  EXPECT_GE(late.revision, taken.revision);
  EXPECT_EQ(all_of(*store, "a"), (All{{"a", "2"}}));
  EXPECT_FALSE(store->commit({{{"gone", a}}, {{"a", "4"}}, {}}).applied);
  // Conditions alone ask.
  EXPECT_TRUE(store->commit({{{"a", taken.revision}}, {}, {}}).applied);
  EXPECT_FALSE(store->commit({{{"a", a}}, {}, {}}).applied);
}

TEST_P(EveryStore, ErasesWhatIsThereAndNothingElse) {
  store->commit(put("a", "1"));
  EXPECT_TRUE(store->commit(erase("not there")).applied);
  EXPECT_TRUE(store->commit(erase("a")).applied);
  EXPECT_TRUE(all_of(*store).empty());
  EXPECT_TRUE(store->commit({{{"a", 0}}, {{"a", "again"}}, {}}).applied);
}

TEST_P(EveryStore, RefusesWhatIsBeyondItsBounds) {
  const std::string megabyte(kMaxTransactionBytes, 'x');
  EXPECT_EQ(failure([&] { store->commit(put("a", megabyte)); }).kind(), StoreFailed::TooLarge);
  EXPECT_EQ(failure([&] { store->commit(put(std::string(kMaxKeyBytes + 1, 'k'), "")); }).kind(),
            StoreFailed::TooLarge);
  Transaction many;
  for (std::size_t i = 0; i <= kMaxChanges; ++i) many.puts.emplace_back("k" + std::to_string(i), "v");
  EXPECT_EQ(failure([&] { store->commit(many); }).kind(), StoreFailed::TooLarge);
  EXPECT_THROW(store->commit({{}, {{"a", "1"}}, {"a"}}), std::invalid_argument);
  EXPECT_THROW(store->commit(put("", "1")), std::invalid_argument);
  EXPECT_TRUE(all_of(*store).empty());
  // The largest that it takes.
  many.puts.pop_back();
  for (auto& [key, value] : many.puts) value.assign(10'000, 'v');
  for (std::size_t i = 0; i < kMaxConditions; ++i) many.conditions.push_back({"c" + std::to_string(i), 0});
  EXPECT_TRUE(store->commit(many).applied);
  EXPECT_EQ(all_of(*store).size(), kMaxChanges);
  EXPECT_TRUE(store->commit(put(std::string(kMaxKeyBytes, 'k'), megabyte.substr(kMaxKeyBytes))).applied);
}

TEST_P(EveryStore, ReadsMoreThanOneAnswerHolds) {
  All want;
  for (int i = 0; i < 25; ++i) {
    Transaction t;
    for (int k = 0; k < 100; ++k) {
      const std::string key = "key" + std::to_string(i * 100 + k);
      t.puts.emplace_back(key, std::string(300, static_cast<char>('a' + i)));
      want.emplace(t.puts.back());
    }
    store->commit(t);
  }
  EXPECT_EQ(all_of(*store), want);
}

TEST_P(EveryStore, IsUsedByManyThreadsAtOnce) {
  constexpr int kThreads = 8, kEach = 50;
  std::vector<std::thread> threads;
  std::atomic<int> won{0};
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < kEach; ++i) {
        // All want the same key; one gets it.
        const std::string mine = std::to_string(t) + "/" + std::to_string(i);
        if (store->commit({{{"race/" + std::to_string(i), 0}}, {{"race/" + std::to_string(i), mine}, {mine, ""}}, {}})
                .applied)
          ++won;
      }
    });
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(won, kEach);
  const All races = all_of(*store, "race/");
  EXPECT_EQ(races.size(), static_cast<std::size_t>(kEach));
  for (const auto& [key, winner] : races) EXPECT_EQ(all_of(*store, winner).count(winner), 1u);
  EXPECT_EQ(all_of(*store).size(), 2u * kEach);
}

TEST_P(EveryStore, TellsAWatcherOfWholeTransactionsInOrder) {
  const Revision before = store->commit(put("old", "1")).revision;
  store->commit({{}, {{"a", "1"}, {"b", "2"}}, {}});
  Follower follower;
  store->watch(before, follower);
  store->commit({{}, {{"a", "3"}}, {"b", "not there"}});
  EXPECT_TRUE(follower.wait_until_it_has({{"a", "3"}})) << follower.all().size();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 40; ++i)
        store->commit(
            {{}, {{"x" + std::to_string(t), std::to_string(i)}, {"last", std::to_string(t * 100 + i)}}, {}});
    });
  for (std::thread& each : threads) each.join();
  All want = all_of(*store);
  want.erase("old");
  EXPECT_TRUE(follower.wait_until_it_has(want));
  store.reset();
  EXPECT_EQ(follower.transactions(), 2 + 160);
  EXPECT_FALSE(follower.mixed());
  EXPECT_EQ(follower.lost_times(), 0);
}

TEST_P(EveryStore, KnowsItsLatestRevision) {
  const Revision a = store->commit(put("a", "1")).revision;
  EXPECT_EQ(store->latest(), a);
  const Revision b = store->commit(erase("a")).revision;
  EXPECT_GT(b, a);
  EXPECT_EQ(store->latest(), b);
  EXPECT_EQ(store->commit({{{"a", 7}}, {{"a", "1"}}, {}}).applied, false);
  EXPECT_EQ(store->latest(), b);
}

TEST_P(EveryStore, SaysWhichInstancesLive) {
  EXPECT_TRUE(store->instances().empty());
  store->announce("host:1");
  EXPECT_EQ(store->instances(), std::vector<std::string>{"host:1"});
  store->announce("host:2");
  EXPECT_EQ(store->instances(), std::vector<std::string>{"host:2"});
  EXPECT_TRUE(all_of(*store).empty());
  EXPECT_EQ(store->shared(), place->shared());
}

TEST_P(EveryStore, IsThereWhenItIsOpenedAgain) {
  if (!place->keeps()) GTEST_SKIP() << "memory keeps nothing";
  const Revision last = store->commit({{}, {{"a", "1"}, {"b", "2"}}, {}}).revision;
  store.reset();
  store = another();
  EXPECT_EQ(all_of(*store), (All{{"a", "1"}, {"b", "2"}}));
  EXPECT_EQ(changed(*store, "a"), last);
  EXPECT_GT(store->commit(put("c", "3")).revision, last);
  store.reset();
  EXPECT_EQ(failure([&] { open_store(place->where(), {"other", 1, {}}); }).kind(), StoreFailed::Foreign);
  store = another();
  EXPECT_EQ(all_of(*store).size(), 3u);
}

TEST_P(EveryStore, MigratesWhatAnOlderProgramHasWritten) {
  if (!place->keeps()) GTEST_SKIP() << "memory keeps nothing";
  for (int i = 0; i < 250; ++i) store->commit(put("k" + std::to_string(i), std::to_string(i)));
  store->commit(put("drop", ""));
  store.reset();
  StoreKind third = test_kind();
  third.schema = 3;
  third.migrations = {[](Pair&& p) -> std::optional<Pair> {
                        if (p.key == "drop") return std::nullopt;
                        p.value += "+2";
                        return std::move(p);
                      },
                      [](Pair&& p) -> std::optional<Pair> {
                        p.key = "new/" + p.key;
                        p.value += "+3";
                        return std::move(p);
                      }};
  for (int again = 0; again < 2; ++again) {
    store = open_store(place->where(), third);
    const All all = all_of(*store);
    EXPECT_EQ(all.size(), 250u);
    EXPECT_EQ(all.at("new/k17"), "17+2+3");
    store.reset();
  }
  const StoreFailed newer = failure([&] { another(); });
  EXPECT_EQ(newer.kind(), StoreFailed::Foreign);
  EXPECT_NE(std::string(newer.what()).find("schema 3"), std::string::npos) << newer.what();
  StoreKind too_new = third;
  too_new.schema = 5;
  too_new.migrations.resize(1);
  EXPECT_EQ(failure([&] { open_store(place->where(), too_new); }).kind(), StoreFailed::Foreign);
}

INSTANTIATE_TEST_SUITE_P(Stores, EveryStore, ::testing::Values("memory", "sqlite", "etcd"),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace callis::services::testing
