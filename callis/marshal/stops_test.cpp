// SPDX-License-Identifier: Apache-2.0
// Walks over values that stop at values, anys and references.
#include <callis/marshal/memory.h>
#include <callis/marshal/stops.h>
#include <callis/marshal/testing/reference_codec.h>
#include <callis/marshal/testing/values.h>
#include <callis/marshal/testing/words.h>
#include <callis/marshal/values.h>
#include <gtest/gtest.h>
#include <cstring>

namespace callis::marshal::testing {
namespace {

constexpr Word kValue = type_word(Kind::Value, kNoLink);

// A value is a number, kept in the slot itself.
constexpr SlotHandlers kNumbers{
    [](cdr::Encoder& e, const void* slot, const void*) {
      e.put_ulong(static_cast<std::uint32_t>(load<std::uint64_t>(slot)));
    },
    [](cdr::Decoder& d, void* slot, const void*) { store(slot, std::uint64_t{d.get_ulong()}); },
    [](cdr::Decoder& d, const void*) { d.get_ulong(); },
    [](void* slot, const void*) { store(slot, std::uint64_t{0}); },
    [](void* to, const void* from, const void*) { return store(to, load<std::uint64_t>(from)), true; },
    [](const void* a, const void* b, const void*) { return load<std::uint64_t>(a) == load<std::uint64_t>(b); },
    [](const void* slot, const void*) { return load<std::uint64_t>(slot); },
};

struct Stops : ::testing::Test {
  Types types;
  Unit unit{};
  std::shared_ptr<const Plan> plan;
  Stops() { set_slot_handlers(Kind::Value, kNumbers); }
  const Plan& make_plan_of(Word type) {
    unit = types.unit();
    plan = make_plan(unit, type);
    return *plan;
  }
};

// struct S { octet a; ValueBase v; sequence<ValueBase> more; S2 { ValueBase w; octet b; } s; };
TEST_F(Stops, AreAtTheValuesThatAreMembersAndNowhereElse) {
  const Word inner = types.structure({kValue, kOctet});
  const Plan& p = make_plan_of(types.structure({kOctet, kValue, types.sequence(kValue), inner}));
  const std::vector<Byte> wire{1, 0, 0, 0, 0, 0, 0, 2,  0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4,  0, 0, 0, 5, 6};
  for (int how = 0; how < 3; ++how) {
    std::vector<std::uint64_t> memory(native_size(p) / 8);
    Byte* const state = reinterpret_cast<Byte*>(memory.data());
    Buffer buffer(64);
    cdr::Budget budget{1u << 20, 64};
    cdr::Decoder d(wire, ByteOrder::Big, budget);
    std::vector<std::uint32_t> met;
    Stop stop;
    if (how == 0) {
      while (skip_to_value(p, d, stop)) met.push_back(d.get_ulong());
    } else {
      while (decode_to_value(p, state, d, stop)) {
        met.push_back(d.get_ulong());
        store(state + stop.offset, std::uint64_t{met.back()});
      }
    }
    EXPECT_EQ(met, (std::vector<std::uint32_t>{2, 5}));
    EXPECT_TRUE(d.ok());
    EXPECT_EQ(d.remaining(), 0u);
    EXPECT_EQ(budget.depth_left, 64u);
    if (how == 2) {
      cdr::Encoder e(buffer, ByteOrder::Big);
      met.clear();
      stop = {};
      while (encode_to_value(p, state, e, stop)) {
        met.push_back(static_cast<std::uint32_t>(load<std::uint64_t>(state + stop.offset)));
        e.put_ulong(met.back());
      }
      EXPECT_EQ(met, (std::vector<std::uint32_t>{2, 5}));
      e.finish();
      EXPECT_TRUE(std::ranges::equal(buffer.view(), wire));
    }
    destroy(p, state);
  }
}

// struct Tree { ValueBase v; sequence<Tree> more; }: the elements are walked by the same instructions, and do not
// stop.
TEST_F(Stops, AreNotInElementsOfTheSameType) {
  const Word tree = type_word(Kind::Ref, static_cast<Word>(types.words.size()));
  types.structure({kValue, kLong});
  types.words[payload_of(tree) + 2] = types.sequence(tree);
  const Plan& p = make_plan_of(tree);
  const std::vector<Byte> wire{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 0};
  for (const bool decode : {false, true}) {
    std::vector<std::uint64_t> memory(native_size(p) / 8);
    cdr::Budget budget{1u << 20, 64};
    cdr::Decoder d(wire, ByteOrder::Big, budget);
    std::vector<std::uint32_t> met;
    Stop stop;
    while (decode ? decode_to_value(p, memory.data(), d, stop) : skip_to_value(p, d, stop))
      met.push_back(d.get_ulong());
    EXPECT_EQ(met, std::vector<std::uint32_t>{1});
    EXPECT_EQ(d.remaining(), 0u);
    destroy(p, memory.data());
  }
}

TEST_F(Stops, AFaultEndsTheWalk) {
  const Plan& p = make_plan_of(types.structure({type_word(Kind::Boolean), kValue, kLong}));
  const std::vector<Byte> wire{2, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0};
  std::uint64_t memory[8] = {};
  cdr::Budget budget{1u << 20, 64};
  cdr::Decoder d(wire, ByteOrder::Big, budget);
  Stop stop;
  EXPECT_FALSE(decode_to_value(p, memory, d, stop));
  EXPECT_EQ(d.fault(), Fault::BadBoolean);
}

TEST_F(Stops, EachSlotIsMetOnce) {
  const Plan& p = make_plan_of(types.structure({kOctet, kValue, types.sequence(kValue), types.sequence(kLong),
                                                types.one_of(kOctet, {kValue}, {{1, 0}})}));
  const std::vector<Byte> wire{1, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4,
                               0, 0, 0, 1, 0, 0, 0, 9, 1, 0, 0, 0, 0, 0, 0, 6};
  std::vector<std::uint64_t> memory(native_size(p) / 8);
  cdr::Budget budget{1u << 20, 64};
  cdr::Decoder d(wire, ByteOrder::Big, budget);
  ASSERT_TRUE(decode(p, memory.data(), d)) << fault_name(d.fault());
  std::vector<std::uintptr_t> met;
  each_slot(p, memory.data(), [](void* to, void* slot, const SlotHandlers&, const void*) {
    std::uintptr_t number;
    std::memcpy(&number, slot, sizeof number);
    static_cast<std::vector<std::uintptr_t>*>(to)->push_back(number);
  }, &met);
  EXPECT_EQ(met, (std::vector<std::uintptr_t>{2, 3, 4, 6}));
  destroy(p, memory.data());
}

}  // namespace
}  // namespace callis::marshal::testing
