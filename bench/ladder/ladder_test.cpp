// SPDX-License-Identifier: Apache-2.0
// A rung against callis's engine: the same bytes, the same values from bytes in either order, nothing left behind,
// and no belief in what a peer says. Compiled once for each rung.
#include <callis/marshal/plan.h>
#include <callis/marshal/testing/reference_codec.h>
#include <gtest/gtest.h>
#include <limits>
#include "subjects.h"

namespace ladder {
namespace {

using callis::Buffer;
using callis::ByteOrder;
using callis::marshal::Kind;
using callis::marshal::Plan;
using callis::marshal::SequenceHeader;
using callis::marshal::type_word;
using callis::marshal::Unit;
using callis::marshal::Word;
using callis::marshal::testing::Random;
using callis::marshal::testing::Types;
using Memory = std::vector<std::uint64_t>;  // zeros, aligned for every type

// Offsets at which a value starts in a message; 12 is behind a GIOP header.
const std::size_t kStarts[] = {0, 12, 4, 17};

void start(Buffer& message, std::size_t at) {
  ASSERT_TRUE(message.reserve(at + 1));
  std::memset(message.data(), 0, at);
  message.set_size(at);
}

struct Subjected {
  Type type;
  std::shared_ptr<const Plan> plan;
  std::size_t size;

  Subjected(const Unit& unit, Word word)
      : type(unit, word), plan(make_plan(unit, word)), size(callis::marshal::native_size(*plan)) {}
  Memory zeros() const { return Memory(size / 8 + 1); }

  void engine_encodes(const void* value, ByteOrder order, Buffer& to) const {
    callis::cdr::Encoder encoder(to, order);
    ASSERT_TRUE(callis::marshal::encode(*plan, value, encoder));
  }
  // Decodes with the rung, and encodes again with the engine, which shows what was decoded.
  void comes_back(const Buffer& wire, const Buffer& native, std::size_t at, ByteOrder order) const {
    Memory back = zeros();
    ASSERT_TRUE(decode(*type, back.data(), wire.view(), at, order));
    Buffer again;
    start(again, at);
    engine_encodes(back.data(), callis::kNativeOrder, again);
    EXPECT_EQ(std::string(again.view().begin(), again.view().end()),
              std::string(native.view().begin(), native.view().end()));
    free(*type, back.data());
    EXPECT_TRUE(free_of_owners(back));
  }
  // A freed value has nothing to destroy; the engine would free twice what is left.
  bool free_of_owners(Memory& value) const {
    callis::marshal::destroy(*plan, value.data());
    return true;
  }
  void goes_round(const void* value) const {
    for (const std::size_t at : kStarts) {
      Buffer native, other, mine;
      start(native, at), start(other, at), start(mine, at);
      engine_encodes(value, callis::kNativeOrder, native);
      engine_encodes(value, callis::other(callis::kNativeOrder), other);
      ASSERT_TRUE(encode(*type, value, mine));
      ASSERT_EQ(std::string(mine.view().begin(), mine.view().end()),
                std::string(native.view().begin(), native.view().end()));
      comes_back(native, native, at, callis::kNativeOrder);
      comes_back(other, native, at, callis::other(callis::kNativeOrder));
    }
  }
};

// The rungs have primitives, strings, structs, sequences and arrays.
bool known(const Types& types, Word word) {
  const Kind kind = callis::marshal::kind_of(word);
  if (kind != Kind::Ref) return kind < Kind::LongDouble || kind == Kind::String;
  const Word* const entry = &types.words[callis::marshal::payload_of(word)];
  if (callis::marshal::kind_of(entry[0]) == Kind::Union) return false;
  if (callis::marshal::kind_of(entry[0]) != Kind::Struct) return known(types, entry[2]);
  for (Word i = 0; i < callis::marshal::payload_of(entry[0]); ++i)
    if (!known(types, entry[1 + i])) return false;
  return true;
}

template<class F>
void random_values(unsigned seed, int count, F f) {
  Random random(seed);
  while (count > 0) {
    Types types;
    types.with_nothing = false;  // the rungs have no types without items
    const Word word = callis::marshal::testing::random_type(types, random);
    if (!known(types, word)) continue;
    --count;
    const Unit unit = types.unit();
    const Subjected subject(unit, word);
    Memory value = subject.zeros();
    callis::marshal::testing::random_value(unit, word, reinterpret_cast<callis::Byte*>(value.data()), random);
    f(subject, value, random);
    callis::marshal::destroy(*subject.plan, value.data());
  }
}

TEST(Rung, has_a_name) { EXPECT_STREQ(kRung, LADDER_RUNG); }

TEST(Rung, writes_and_reads_the_ttcp_types_as_the_engine_does) {
  for (const Subject& s : kSubjects) {
    SCOPED_TRACE(std::string(s.name));
    const Subjected subject(subjects::kUnit, s.sequence);
    for (const std::size_t bytes : {0u, 32u, 1024u, 65536u}) {
      const Value value(s, bytes);
      subject.goes_round(&value.header);
      Buffer message;
      SequenceHeader back{};
      ASSERT_TRUE(encode(*subject.type, &value.header, message));
      ASSERT_TRUE(decode(*subject.type, &back, message.view(), 0, callis::kNativeOrder));
      EXPECT_TRUE(value.equals(back));
      free(*subject.type, &back);
      EXPECT_EQ(back.buffer, nullptr);
    }
  }
}

TEST(Rung, writes_and_reads_random_types_as_the_engine_does) {
  random_values(1, 400,
                [](const Subjected& subject, const Memory& value, Random&) { subject.goes_round(value.data()); });
}

TEST(Rung, appends_to_a_message_that_must_grow) {
  Types types;
  types.with_nothing = false;  // the rungs have no types without items
  const Word word = types.sequence(types.structure({type_word(Kind::String), type_word(Kind::Double)}));
  const Subjected subject(types.unit(), word);
  struct Element {
    const char* s;
    double d;
  } elements[1000];
  for (auto& e : elements) e = {"a string of some length", 1.5};
  const SequenceHeader value{1000, 1000, elements, false};
  subject.goes_round(&value);
}

TEST(Rung, refuses_every_message_that_is_cut_short) {
  random_values(2, 150, [](const Subjected& subject, const Memory& value, Random&) {
    Buffer whole;
    ASSERT_TRUE(encode(*subject.type, value.data(), whole));
    for (std::size_t n = 0; n < whole.size() && n < 200; ++n) {
      Buffer cut;  // of its own size, so that a sanitizer sees what reads beyond
      ASSERT_TRUE(cut.append(whole.view().first(n)));
      Memory back = subject.zeros();
      EXPECT_FALSE(decode(*subject.type, back.data(), cut.view(), 0, callis::kNativeOrder)) << n;
      free(*subject.type, back.data());
    }
  });
}

TEST(Rung, stays_within_a_spoiled_message) {
  random_values(3, 200, [](const Subjected& subject, const Memory& value, Random& random) {
    Buffer message;
    ASSERT_TRUE(encode(*subject.type, value.data(), message));
    for (int i = 0; i < 20 && !message.empty(); ++i) {
      message.data()[random() % message.size()] = static_cast<callis::Byte>(random());
      Memory back = subject.zeros();
      (void)decode(*subject.type, back.data(), message.view(), 0, callis::kNativeOrder);
      free(*subject.type, back.data());
    }
  });
}

TEST(Rung, refuses_a_count_that_the_message_cannot_hold) {
  const Type type(subjects::kUnit, kSubjects[4].sequence);  // of double
  Buffer message;
  const std::uint32_t count = 0x20000000;
  ASSERT_TRUE(message.append({reinterpret_cast<const callis::Byte*>(&count), 4}));
  SequenceHeader back{};
  EXPECT_FALSE(decode(*type, &back, message.view(), 0, callis::kNativeOrder));
  free(*type, &back);
}

TEST(Rung, keeps_bounds_both_ways) {
  Types types;
  types.with_nothing = false;  // the rungs have no types without items
  const Type bounded(types.unit(), types.sequence(type_word(Kind::Long), 2)),
      open(types.unit(), types.sequence(type_word(Kind::Long)));
  std::int32_t elements[3] = {1, 2, 3};
  SequenceHeader value{3, 3, elements, false}, back{};
  Buffer message, none;
  EXPECT_FALSE(encode(*bounded, &value, none));
  ASSERT_TRUE(encode(*open, &value, message));
  EXPECT_FALSE(decode(*bounded, &back, message.view(), 0, callis::kNativeOrder));
  free(*bounded, &back);

  const Type word(types.unit(), type_word(Kind::String, 3)), text(types.unit(), type_word(Kind::String));
  const char* s = "four";
  char* got = nullptr;
  Buffer letters, nothing;
  EXPECT_FALSE(encode(*word, &s, nothing));
  ASSERT_TRUE(encode(*text, &s, letters));
  EXPECT_FALSE(decode(*word, &got, letters.view(), 0, callis::kNativeOrder));
  free(*word, &got);
}

TEST(Rung, refuses_strings_without_their_nul_and_booleans_beyond_one) {
  Types types;
  types.with_nothing = false;  // the rungs have no types without items
  const Type text(types.unit(), type_word(Kind::String)), boolean(types.unit(), type_word(Kind::Boolean));
  const char* null = nullptr;
  Buffer message;
  EXPECT_FALSE(encode(*text, &null, message));
  const std::uint32_t words[2] = {4, 0x61616161};
  char* got = nullptr;
  EXPECT_FALSE(decode(*text, &got, {reinterpret_cast<const callis::Byte*>(words), 8}, 0, callis::kNativeOrder));
  free(*text, &got);
  bool b = false;
  const std::uint64_t two = 2;
  EXPECT_FALSE(decode(*boolean, &b, {reinterpret_cast<const callis::Byte*>(&two), 1},
                      callis::kNativeOrder == ByteOrder::Big ? 7 : 0, callis::kNativeOrder));
}

TEST(Rung, knows_no_types_that_are_not_whole) {
  Buffer whole;
  {
    callis::cdr::Encoder encoder(whole);
    describe(subjects::kUnit, kSubjects[5].sequence, encoder);
  }
  for (std::size_t n = 0; n < whole.size(); ++n) {
    Buffer cut;
    ASSERT_TRUE(cut.append(whole.view().first(n)));
    TypeCode* const type = make_type(cut.view());
    EXPECT_EQ(type, nullptr) << n;
    drop_type(type);
  }
}

}  // namespace
}  // namespace ladder
