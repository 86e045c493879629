// SPDX-License-Identifier: Apache-2.0
// Priorities by object key, read while they change.
#include <callis/orb/base/errors.h>
#include <callis/poa/object/object_table.h>
#include <gtest/gtest.h>
#include <callis/rt/priorities/object_priorities.h>
#include <string>
#include <thread>

namespace callis::rt {
namespace {

using RTCORBA::Priority;

struct Key {
  explicit Key(std::string t) : text(std::move(t)) {}
  explicit Key(int n) : text("key " + std::to_string(n)) {}
  operator ByteView() const { return {reinterpret_cast<const Byte*>(text.data()), text.size()}; }
  std::string text;
};

// A slot in that state and generation.
struct FakeSlot {
  FakeSlot(std::uint32_t generation, poa::SlotState state) {
    slot.word = std::uint64_t(generation) << 32 | std::uint64_t(state) << 24;
  }
  poa::Slot slot;
};

TEST(ObjectPriorities, are_none_at_first) {
  const ObjectPriorities p;
  EXPECT_TRUE(p.empty());
  EXPECT_FALSE(p.find(Key(1)));
}

TEST(ObjectPriorities, are_set_replaced_and_forgotten) {
  ObjectPriorities p;
  p.set(Key(1), 5);
  p.set(Key(2), 0);
  p.set(Key(""), 7);
  EXPECT_FALSE(p.empty());
  EXPECT_EQ(p.find(Key(1)), Priority(5));
  EXPECT_EQ(p.find(Key(2)), Priority(0));
  EXPECT_EQ(p.find(Key("")), Priority(7));
  EXPECT_FALSE(p.find(Key(3)));
  p.set(Key(1), 6);
  EXPECT_EQ(p.find(Key(1)), Priority(6));
  EXPECT_EQ(p.size(), 3u);
  p.forget(Key(1));
  p.forget(Key(9));
  EXPECT_FALSE(p.find(Key(1)));
  p.forget(Key(2));
  p.forget(Key(""));
  EXPECT_TRUE(p.empty());
}

TEST(ObjectPriorities, thousands_are_found) {
  ObjectPriorities p;
  for (int i = 0; i < 5000; ++i) p.set(Key(i), static_cast<Priority>(i));
  for (int i = 0; i < 5000; ++i) ASSERT_EQ(p.find(Key(i)), static_cast<Priority>(i));
  EXPECT_FALSE(p.find(Key(5000)));
}

TEST(ObjectPriorities, count_as_long_as_the_activation_is_there) {
  ObjectPriorities p;
  FakeSlot s(3, poa::SlotState::Active);
  p.set(Key(1), 5, {nullptr, &s.slot, 3});
  EXPECT_EQ(p.find(Key(1)), Priority(5));
  s.slot.word = FakeSlot(3, poa::SlotState::Draining).slot.word.load();
  EXPECT_FALSE(p.find(Key(1))) << "deactivated";
  s.slot.word = FakeSlot(4, poa::SlotState::Active).slot.word.load();
  EXPECT_FALSE(p.find(Key(1))) << "another object";
}

TEST(ObjectPriorities, of_activations_that_come_and_go_are_not_kept) {
  ObjectPriorities p;
  FakeSlot s(0, poa::SlotState::Active);
  for (std::uint32_t i = 1; i <= 10'000; ++i) {
    s.slot.word = FakeSlot(i, poa::SlotState::Active).slot.word.load();
    p.set(Key(static_cast<int>(i)), 5, {nullptr, &s.slot, i});
  }
  EXPECT_LT(p.size(), 100u);
  EXPECT_EQ(p.find(Key(10'000)), Priority(5));
}

TEST(ObjectPriorities, of_an_adapter_go_with_it) {
  ObjectPriorities p;
  int one = 0, other = 0;
  FakeSlot s(1, poa::SlotState::Active);
  for (int i = 0; i < 100; ++i) p.set(Key(i), 5, {i % 2 ? &one : &other, i % 3 ? &s.slot : nullptr, 1});
  p.forget_adapter(&one);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(p.find(Key(i)).has_value(), i % 2 == 0) << i;
  p.forget_adapter(&other);
  EXPECT_TRUE(p.empty());
}

TEST(ObjectPriorities, a_hint_in_the_key_makes_no_difference) {
  using namespace std::string_literals;
  const std::string magic = "\xca\x11\x15", nonce_and_tag = "12345678abcd";
  ObjectPriorities p;
  p.set(Key(magic + "H" + nonce_and_tag + "slotgene" + "the id"), 5);
  p.set(Key(magic + "Q" + "\0\2\0\0\0\1a\0\0\0\2bc"s + "slotgene" + "id"), 6);
  EXPECT_EQ(p.find(Key(magic + "H" + nonce_and_tag + "othershi" + "the id")), Priority(5));
  EXPECT_FALSE(p.find(Key(magic + "H" + nonce_and_tag + "slotgene" + "the ie")));
  EXPECT_EQ(p.find(Key(magic + "Q" + "\0\2\0\0\0\1a\0\0\0\2bc"s + "otherone" + "id")), Priority(6));
  EXPECT_FALSE(p.find(Key(magic + "Q" + "\0\2\0\0\0\1a\0\0\0\2bd"s + "slotgene" + "id")));
  // A peer may cut a key short or change its bytes.
  const std::string whole = magic + "Q" + "\0\2\0\0\0\1a\0\0\0\2bc"s + "slotgene";
  for (std::size_t n = 0; n < whole.size(); ++n) EXPECT_FALSE(p.find(Key(whole.substr(0, n)))) << n;
  EXPECT_FALSE(p.find(Key(magic + "Q" + "\xff\xff\xff\xff\xff\xff"s)));
}

TEST(ObjectPriorities, references_are_bounded_in_number) {
  ObjectPriorities p;
  const int most = static_cast<int>(ObjectPriorities::kMostReferences);
  for (int i = 0; i < most; ++i) p.set(Key(i), 1);
  EXPECT_THROW(p.set(Key(most), 1), CORBA::NO_RESOURCES);
  FakeSlot s(1, poa::SlotState::Active);
  p.set(Key(most), 1, {nullptr, &s.slot, 1});
  EXPECT_EQ(p.find(Key(most)), Priority(1)) << "active objects are not counted";
  p.forget(Key(0));
  p.set(Key(-1), 2);
  EXPECT_EQ(p.find(Key(-1)), Priority(2));
}

TEST(ObjectPriorities, readers_always_find_what_stays_while_others_change) {
  ObjectPriorities p;
  p.set(Key(0), 1);
  std::atomic<bool> done{false};
  std::atomic<int> missed{0}, wrong{0};
  std::vector<std::thread> readers;
  for (int t = 0; t < 2; ++t)
    readers.emplace_back([&] {
      while (!done) {
        const auto found = p.find(Key(0));
        if (!found) ++missed;
        else if (*found != 1 && *found != 2) ++wrong;
        (void)p.find(Key(77));
      }
    });
  for (int round = 0; round < 50; ++round) {
    for (int i = 1; i < 100; ++i) p.set(Key(i), 3);
    p.set(Key(0), static_cast<Priority>(1 + round % 2));
    for (int i = 1; i < 100; ++i) p.forget(Key(i));
  }
  done = true;
  for (std::thread& t : readers) t.join();
  EXPECT_EQ(missed, 0);
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace callis::rt
