// SPDX-License-Identifier: Apache-2.0
// Active objects by slot and generation, and their end while they are called.
#include <callis/poa/object/object_table.h>
#include <gtest/gtest.h>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace callis::poa {
namespace {

// The owner as the adapter's root is: one lock, releases what drained.
struct Fixture : ObjectTable::Owner {
  ObjectTable table{*this};
  std::mutex mutex;
  std::condition_variable changed;
  int drained_count = 0, idle_count = 0;

  void drained(std::uint32_t slot) noexcept override {
    const std::lock_guard lock(mutex);
    ++drained_count;
    table.release(slot);
    changed.notify_all();
  }
  void idle() noexcept override {
    const std::lock_guard lock(mutex);
    ++idle_count;
    changed.notify_all();
  }
  std::uint32_t activate(const std::string& key = {}, void* self = nullptr) {
    return table.activate({nullptr, self, nullptr, nullptr, 0}, bytes(key));
  }
  static ByteView bytes(const std::string& s) { return {reinterpret_cast<const Byte*>(s.data()), s.size()}; }
  std::uint32_t generation(std::uint32_t slot) { return table.at(slot)->generation(); }
};

TEST(ObjectTable, EntersWhatIsActive) {
  Fixture f;
  int self;
  const auto i = f.activate("", &self);
  Slot* s = f.table.enter(i, f.generation(i));
  ASSERT_NE(s, nullptr);
  EXPECT_EQ(s->self, &self);
  EXPECT_TRUE(f.table.pinned(*s));
  f.table.leave(s);
  EXPECT_FALSE(f.table.pinned(*s));
}

TEST(ObjectTable, RefusesSlotsOutOfBounds) {
  Fixture f;
  EXPECT_EQ(f.table.enter(0, 1), nullptr);
  f.activate();
  EXPECT_EQ(f.table.enter(f.table.size(), 1), nullptr);
  EXPECT_EQ(f.table.enter(0xffffffff, 1), nullptr);
}

TEST(ObjectTable, RefusesOtherGenerations) {
  Fixture f;
  const auto i = f.activate();
  const auto g = f.generation(i);
  EXPECT_EQ(f.table.enter(i, g + 1), nullptr);
  EXPECT_EQ(f.table.enter(i, g - 1), nullptr);
  EXPECT_FALSE(f.table.pinned(*f.table.at(i)));
}

TEST(ObjectTable, AReusedSlotHasANewGeneration) {
  Fixture f;
  const auto i = f.activate();
  const auto g = f.generation(i);
  ASSERT_TRUE(f.table.deactivate(i));
  f.table.release(i);
  ASSERT_EQ(f.activate(), i);
  EXPECT_EQ(f.table.enter(i, g), nullptr);
  Slot* s = f.table.enter(i, g + 1);
  ASSERT_NE(s, nullptr);
  f.table.leave(s);
}

TEST(ObjectTable, DeactivationWaitsForTheLastPin) {
  Fixture f;
  const auto i = f.activate();
  const auto g = f.generation(i);
  Slot* a = f.table.enter(i, g);
  Slot* b = f.table.enter(i, g);
  EXPECT_FALSE(f.table.deactivate(i));
  EXPECT_EQ(a->state(), SlotState::Draining);
  EXPECT_EQ(f.table.enter(i, g), nullptr);
  f.table.leave(a);
  EXPECT_EQ(f.drained_count, 0);
  f.table.leave(b);
  EXPECT_EQ(f.drained_count, 1);
  EXPECT_EQ(b->state(), SlotState::Free);
}

TEST(ObjectTable, FindsByKey) {
  Fixture f;
  int self;
  f.activate("one", &self);
  f.activate("two");
  const auto found = f.table.find(Fixture::bytes("one"));
  ASSERT_NE(found.slot, nullptr);
  EXPECT_EQ(found.slot->self, &self);
  f.table.leave(found.slot);
  EXPECT_EQ(f.table.find(Fixture::bytes("three")).slot, nullptr);
  EXPECT_FALSE(f.table.find(Fixture::bytes("three")).unsure);
}

TEST(ObjectTable, FindsNothingInAnEmptyTable) {
  Fixture f;
  EXPECT_EQ(f.table.find(Fixture::bytes("one")).slot, nullptr);
  EXPECT_EQ(f.table.lookup(Fixture::bytes("one")), kNoSlot);
}

TEST(ObjectTable, FindsThousandsByKeyAfterGrowing) {
  Fixture f;
  for (int i = 0; i < 5000; ++i) f.activate("key" + std::to_string(i), reinterpret_cast<void*>(std::uintptr_t(i)));
  for (int i = 0; i < 5000; ++i) {
    const auto found = f.table.find(Fixture::bytes("key" + std::to_string(i)));
    ASSERT_NE(found.slot, nullptr) << i;
    EXPECT_EQ(found.slot->self, reinterpret_cast<void*>(std::uintptr_t(i)));
    EXPECT_EQ(f.table.at(f.table.index_of(found.slot)), found.slot);
    f.table.leave(found.slot);
  }
}

// The keys' words differ in two places. A plain multiplication by a constant would take the first difference to the
// next word, where the second takes it back. So all keys would be in one bucket for every start value.
TEST(ObjectTable, FindsKeysThatWereChosenToCollide) {
  constexpr std::uint64_t kTop = std::uint64_t{1} << 63;
  constexpr int kPairs = 11;
  for (const std::uint64_t back : {kTop, kTop | kTop >> 32, kTop | kTop >> 29, kTop >> 32}) {
    Fixture f;
    std::vector<std::string> keys;
    for (int n = 0; n < 1 << kPairs; ++n) {
      std::uint64_t words[2 * kPairs] = {};
      for (int i = 0; i < kPairs; ++i)
        if ((n >> i & 1) != 0) words[2 * i] = kTop, words[2 * i + 1] = back;
      keys.emplace_back(reinterpret_cast<const char*>(words), sizeof words);
      f.activate(keys.back());
    }
    int found = 0;
    for (const std::string& key : keys) {
      Slot* const slot = f.table.find(Fixture::bytes(key)).slot;  // none where its chain is too long to be walked
      found += slot != nullptr;
      if (slot) f.table.leave(slot);
    }
    EXPECT_EQ(found, 1 << kPairs) << back;
  }
}

TEST(ObjectTable, SlotsKeepTheirAddressesWhenTheTableGrows) {
  Fixture f;
  const auto i = f.activate();
  Slot* const before = f.table.at(i);
  for (int k = 0; k < 1000; ++k) f.activate();
  EXPECT_EQ(f.table.at(i), before);
  EXPECT_GE(f.table.size(), 1001u);
}

TEST(ObjectTable, ADeactivatedKeyIsNotFound) {
  Fixture f;
  const auto i = f.activate("one");
  ASSERT_TRUE(f.table.deactivate(i));
  f.table.release(i);
  EXPECT_EQ(f.table.find(Fixture::bytes("one")).slot, nullptr);
  EXPECT_EQ(f.table.lookup(Fixture::bytes("one")), kNoSlot);
}

TEST(ObjectTable, ADrainingKeyIsSeenByTheWriterButNotEntered) {
  Fixture f;
  const auto i = f.activate("one");
  Slot* s = f.table.find(Fixture::bytes("one")).slot;
  EXPECT_FALSE(f.table.deactivate(i));
  EXPECT_EQ(f.table.find(Fixture::bytes("one")).slot, nullptr);
  EXPECT_EQ(f.table.lookup(Fixture::bytes("one")), i);
  f.table.leave(s);
  EXPECT_EQ(f.table.lookup(Fixture::bytes("one")), kNoSlot);
}

TEST(ObjectTable, ReservedGenerationsWereIssuedAndAreNotActive) {
  Fixture f;
  std::uint32_t slot, generation;
  ASSERT_TRUE(f.table.reserve(slot, generation));
  EXPECT_TRUE(f.table.issued(slot, generation));
  EXPECT_FALSE(f.table.issued(slot, generation + 1));
  EXPECT_FALSE(f.table.issued(slot, 0));
  EXPECT_FALSE(f.table.issued(f.table.size(), 1));
  EXPECT_EQ(f.table.enter(slot, generation), nullptr);
  EXPECT_EQ(f.table.active(), 0u);
}

TEST(ObjectTable, ASlotWhoseGenerationsAreUsedUpIsRetired) {
  Fixture f;
  const auto i = f.activate();
  ASSERT_TRUE(f.table.deactivate(i));
  // The slots are now as after four thousand million activations.
  f.table.at(i)->word.store(std::uint64_t{0xffffffff} << 32 | std::uint64_t{3} << 24);
  f.table.release(i);
  EXPECT_TRUE(f.table.issued(i, 1));
  EXPECT_EQ(f.table.enter(i, 0), nullptr);
  for (int k = 0; k < 200; ++k) EXPECT_NE(f.activate(), i);
}

TEST(ObjectTable, WatchingTellsWhenTheLastPinHasGone) {
  Fixture f;
  const auto i = f.activate();
  EXPECT_TRUE(f.table.watch(i));
  Slot* s = f.table.enter(i, f.generation(i));
  ASSERT_NE(s, nullptr);
  EXPECT_FALSE(f.table.watch(i));
  f.table.leave(s);
  EXPECT_EQ(f.idle_count, 1);
  EXPECT_TRUE(f.table.watch(i));
  s = f.table.enter(i, f.generation(i));
  ASSERT_NE(s, nullptr);  // the watch does not disturb entering
  f.table.leave(s);
  EXPECT_EQ(f.idle_count, 1);
}

// Threads enter by number and by key while others deactivate and activate again: whoever entered sees the
// activation whole, and every deactivation ends exactly once.
class Stress {
 public:
  explicit Stress(bool keyed) : keyed_(keyed) {
    for (int i = 0; i < kObjects; ++i) put(i);
  }
  void run() {
    std::vector<std::thread> threads;
    for (int t = 0; t < 2; ++t) threads.emplace_back([this, t] { read(static_cast<unsigned>(t)); });
    for (int t = 0; t < 2; ++t) threads.emplace_back([this, t] { write(static_cast<unsigned>(t)); });
    for (auto& t : threads) t.join();
    const std::lock_guard lock(f_.mutex);
    EXPECT_EQ(f_.table.active(), static_cast<std::uint32_t>(kObjects));
    EXPECT_EQ(wrong_.load(), 0);
    EXPECT_GT(entered_.load(), 0);
  }

 private:
  static constexpr int kObjects = 16, kRounds = 3000;
  struct Published {
    std::atomic<std::uint64_t> where{0};
  };
  static std::string key_of(int i) { return "object" + std::to_string(i); }
  void* self_of(int i) { return &where_[i]; }

  void put(int i) {
    const auto slot = f_.activate(keyed_ ? key_of(i) : "", self_of(i));
    where_[i].where = std::uint64_t{f_.generation(slot)} << 32 | slot;
  }
  Slot* enter(int i) {
    if (keyed_) {
      const auto found = f_.table.find(Fixture::bytes(key_of(i)));
      return found.slot;
    }
    const std::uint64_t w = where_[i].where;
    return f_.table.enter(static_cast<std::uint32_t>(w), static_cast<std::uint32_t>(w >> 32));
  }
  void read(unsigned seed) {
    std::mt19937 random(seed);
    for (int n = 0; n < kRounds * 4; ++n) {
      const int i = static_cast<int>(random() % kObjects);
      if (Slot* s = enter(i)) {
        if (s->self != self_of(i)) ++wrong_;
        ++entered_;
        f_.table.leave(s);
      }
    }
  }
  void write(unsigned seed) {
    std::mt19937 random(seed + 100);
    for (int n = 0; n < kRounds; ++n) {
      const int i = static_cast<int>(seed + 2 * (random() % (kObjects / 2)));  // each writer its own half
      std::unique_lock lock(f_.mutex);
      const auto slot = static_cast<std::uint32_t>(where_[i].where.load());
      const auto generation = static_cast<std::uint32_t>(where_[i].where.load() >> 32);
      if (f_.table.deactivate(slot)) {
        f_.table.release(slot);
      } else {
        f_.changed.wait(lock, [&] { return f_.generation(slot) != generation; });
      }
      put(i);
    }
  }

  bool keyed_;
  Fixture f_;
  Published where_[kObjects];
  std::atomic<int> wrong_{0}, entered_{0};
};

TEST(ObjectTable, EnteringBySlotIsSafeAgainstReactivation) { Stress(false).run(); }
TEST(ObjectTable, FindingByKeyIsSafeAgainstReactivation) { Stress(true).run(); }

TEST(ObjectTable, ReadersFindStableKeysWhileOthersComeAndGo) {
  Fixture f;
  f.activate("stable");
  std::atomic<bool> stop{false};
  std::atomic<int> missed{0}, found{0};
  std::thread reader([&] {
    do {
      const auto r = f.table.find(Fixture::bytes("stable"));
      if (r.slot) {
        ++found;
        f.table.leave(r.slot);
      } else if (!r.unsure) {
        ++missed;
      }
    } while (!stop);
  });
  for (int n = 0; n < 3000; ++n) {
    const std::lock_guard lock(f.mutex);
    const auto i = f.activate("k" + std::to_string(n));
    if (n % 3 && f.table.deactivate(i)) f.table.release(i);
  }
  stop = true;
  reader.join();
  EXPECT_EQ(missed, 0);
  EXPECT_GT(found, 0);
}

}  // namespace
}  // namespace callis::poa
