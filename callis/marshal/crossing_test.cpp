// SPDX-License-Identifier: Apache-2.0
// Crossing: what goes by value, what is lent, what is copied, and when it is refused.
#include <callis/marshal/crossing.h>
#include <callis/marshal/memory.h>
#include <callis/marshal/testing/words.h>
#include <gtest/gtest.h>
#include <cstring>
#include <vector>

namespace callis::marshal {
namespace {

using testing::in;
using testing::inout;
using testing::kDouble;
using testing::kLong;
using testing::kOctet;
using testing::kShort;
using testing::kString;
using testing::kVoid;
using testing::out;

constexpr Word kColour = type_word(Kind::Enum, 3);

struct Pair {
  std::int32_t l;
  double d;
};
constexpr Word kPair = type_word(Kind::Ref, 1), kOctets = type_word(Kind::Ref, 4), kRow = type_word(Kind::Ref, 7);
constexpr Word kStrings = type_word(Kind::Ref, 10), kBounded = type_word(Kind::Ref, 13);
constexpr Word kFirstOpCrossed = 16;

struct Crossed {
  std::vector<Word> words;
  PlanCell cell;
  Unit unit;
  const OperationPlans* plans;

  Crossed(Word result, std::vector<Word> parameters, Word flags = 0) {
    words = {0, type_word(Kind::Struct, 2), kLong, type_word(Kind::Double), type_word(Kind::Sequence), 0,
             type_word(Kind::Octet), type_word(Kind::Array), 3, kShort, type_word(Kind::Sequence), 0, kString,
             type_word(Kind::Sequence), 5, kLong};
    EXPECT_EQ(words.size(), kFirstOpCrossed);
    words.insert(words.end(), {op_word(flags, static_cast<Word>(parameters.size())), 0, 4, result});
    words.insert(words.end(), parameters.begin(), parameters.end());
    unit = {words.data(), "call", nullptr, &cell};
    plans = operation_plans(unit, kFirstOpCrossed);
    static auto& kept =
        *new std::vector<const OperationPlans*>();  // generated cells are static; plans live on in them
    kept.push_back(plans);
  }
  const Crossing* crossing() { return crossing_of(unit, kFirstOpCrossed, *plans); }
  void destroy_server(void* frame) {
    if (plans->server_frame_owns) destroy(*plans->server_frame, frame);
  }
};

TEST(Crossing, AnOperationWithoutAnythingHasNothingToMove) {
  Crossed op(kVoid, {});
  ASSERT_TRUE(op.crossing());
  EXPECT_TRUE(op.crossing()->as_is());
}

TEST(Crossing, ScalarsAndStructsGoByValue) {
  Crossed op(kPair, {in(kShort), in(kPair), inout(kLong), out(kPair), out(kColour), in(kRow)});
  const std::int16_t row[3] = {1, 2, 3};
  Pair given{5, 2.5}, taken{}, result{};
  struct {
    std::int16_t a;
    const Pair* p;
    std::int32_t b;
    Pair* o;
    std::uint32_t c;
    const std::int16_t* r;
    Pair* result;
  } client{-3, &given, 7, &taken, 9, row, &result};
  struct Server {
    std::int16_t a;
    Pair p;
    std::int32_t b;
    Pair o;
    std::uint32_t c;
    std::int16_t r[3];
    Pair result;
  } server{};
  ASSERT_EQ(op.plans->server_frame_bytes, sizeof server);
  ASSERT_EQ(op.crossing()->to_server(&client, &server), Fault::None);
  EXPECT_EQ(server.a, -3);
  EXPECT_EQ(server.p.d, 2.5);
  EXPECT_EQ(server.b, 7);
  EXPECT_EQ(server.r[2], 3);
  server.b = 8;
  server.o = {1, 1.5};
  server.c = 2;
  server.result = {4, 4.5};
  EXPECT_EQ(client.b, 7);
  ASSERT_EQ(op.crossing()->to_client(&server, &client), Fault::None);
  EXPECT_EQ(client.b, 8);
  EXPECT_EQ(taken.d, 1.5);
  EXPECT_EQ(client.c, 2u);
  EXPECT_EQ(result.l, 4);
}

TEST(Crossing, FramesOfScalarsAreGivenToTheServantAsTheyAre) {
  EXPECT_TRUE(Crossed(kShort, {in(kShort), inout(kShort), out(kShort)}).crossing()->as_is());
  EXPECT_TRUE(Crossed(kLong, {in(kShort), out(kDouble), inout(kOctet)}).crossing()->as_is());
  EXPECT_TRUE(Crossed(kVoid, {out(kOctet)}).crossing()->as_is());
  EXPECT_FALSE(Crossed(kVoid, {in(kShort), in(kPair)}).crossing()->as_is()) << "a struct is behind a pointer";
  EXPECT_FALSE(Crossed(kPair, {in(kShort)}).crossing()->as_is());
  EXPECT_FALSE(Crossed(kVoid, {in(kColour)}).crossing()->as_is()) << "enums are checked";
  EXPECT_FALSE(Crossed(kString, {}).crossing()->as_is()) << "null is refused";
}

TEST(Crossing, SmallFramesAreMovedWhole) {
  Crossed op(kLong, {in(kShort), out(kDouble), inout(kOctet), inout(kPair)});
  Pair both{5, 2.5};
  struct {
    std::int16_t i;
    double o;
    std::uint8_t b;
    Pair* p;
    std::int32_t result;
  } client{-300, 0, 200, &both, 0};
  struct Server {
    std::int16_t i;
    double o;
    std::uint8_t b;
    Pair p;
    std::int32_t result;
  } server{};
  ASSERT_EQ(op.plans->server_frame_bytes, sizeof server);
  ASSERT_TRUE(op.crossing()->small());
  Crossing::SmallFrame frame;
  op.crossing()->move_in(&client, &frame);
  std::memcpy(&server, frame.bytes, sizeof server);
  EXPECT_EQ(server.i, -300);
  EXPECT_EQ(server.b, 200);
  EXPECT_EQ(server.p.l, 5);
  EXPECT_EQ(server.p.d, 2.5);
  server = {0, 0.1, 100, {6, 3.5}, -0x01020304};
  std::memcpy(frame.bytes, &server, sizeof server);
  op.crossing()->move_out(&frame, &client);
  EXPECT_EQ(client.i, -300);
  EXPECT_EQ(client.o, 0.1);
  EXPECT_EQ(client.b, 100);
  EXPECT_EQ(both.l, 6);
  EXPECT_EQ(both.d, 3.5);
  EXPECT_EQ(client.result, -0x01020304);
}

TEST(Crossing, StringsAreLentCopiedAndHandedOver) {
  Crossed op(kString, {in(kString), inout(kString), out(kString)});
  char* both = string_duplicate("both");
  char* taken = nullptr;
  struct {
    const char* i;
    char** b;
    char** o;
    char* result;
  } client{"given", &both, &taken, nullptr};
  struct {
    char *i, *b, *o, *result;
  } server{};
  ASSERT_EQ(op.crossing()->to_server(&client, &server), Fault::None);
  EXPECT_EQ(server.i, client.i);
  EXPECT_NE(server.b, both);
  EXPECT_STREQ(server.b, "both");
  string_free(server.b);
  server.b = string_duplicate("new");
  server.o = string_duplicate("out");
  server.result = string_duplicate("result");
  EXPECT_STREQ(both, "both");
  ASSERT_EQ(op.crossing()->to_client(&server, &client), Fault::None);
  EXPECT_STREQ(both, "new");
  EXPECT_STREQ(taken, "out");
  EXPECT_STREQ(client.result, "result");
  for (char* s : {both, taken, client.result}) string_free(s);
}

TEST(Crossing, SequencesAreLentAndHandedOver) {
  Crossed op(kOctets, {in(kOctets), out(kOctets)});
  void* const bytes = buffer_allocate(4, 1);
  const SequenceHeader given{4, 4, bytes, true};
  SequenceHeader* taken = nullptr;
  struct {
    const SequenceHeader* i;
    SequenceHeader** o;
    SequenceHeader* result;
  } client{&given, &taken, nullptr};
  struct {
    SequenceHeader i;
    SequenceHeader *o, *result;
  } server{};
  ASSERT_EQ(op.crossing()->to_server(&client, &server), Fault::None);
  EXPECT_EQ(server.i.buffer, bytes);
  server.o = static_cast<SequenceHeader*>(value_allocate(sizeof(SequenceHeader)));
  server.result = static_cast<SequenceHeader*>(value_allocate(sizeof(SequenceHeader)));
  SequenceHeader *const o = server.o, *const r = server.result;
  ASSERT_EQ(op.crossing()->to_client(&server, &client), Fault::None);
  EXPECT_EQ(taken, o);
  EXPECT_EQ(client.result, r);
  value_free(o);
  value_free(r);
  buffer_free(bytes);
}

TEST(Crossing, WhatMarshalingWouldRefuseIsRefused) {
  Crossed op(kString, {in(kColour), inout(kString)});
  char* both = nullptr;
  struct {
    std::uint32_t c;
    char** b;
    char* result;
  } client{3, &both, nullptr};
  struct {
    std::uint32_t c;
    char *b, *result;
  } server{};
  EXPECT_EQ(op.crossing()->to_server(&client, &server), Fault::BadEnum);
  client.c = 2;
  EXPECT_EQ(op.crossing()->to_server(&client, &server), Fault::NullPointer);
  both = string_duplicate("x");
  ASSERT_EQ(op.crossing()->to_server(&client, &server), Fault::None);
  EXPECT_EQ(op.crossing()->to_client(&server, &client), Fault::NullPointer);  // no result
  EXPECT_STREQ(both, "x");
  op.destroy_server(&server);
  string_free(both);
}

TEST(Crossing, WhatNeedsALookAtEachPartIsMarshaled) {
  for (const Word type : {kStrings, kBounded, type_word(Kind::Any), type_word(Kind::WString), type_word(Kind::WChar),
                          type_word(Kind::String, 5), type_word(Kind::ObjRef, kNoLink), type_word(Kind::Fixed, 5)}) {
    Crossed op(kVoid, {});
    op.words[kFirstOpCrossed] = op_word(0, 1);
    op.words.push_back(in(type));
    op.unit.words = op.words.data();
    OperationState state;
    OperationPlans plans{};
    plans.state = &state;
    EXPECT_FALSE(crossing_of(op.unit, kFirstOpCrossed, plans)) << type;
    EXPECT_FALSE(crossing_of(op.unit, kFirstOpCrossed, plans)) << type;
  }
  Crossed inout_sequence(kVoid, {inout(kOctets)});
  EXPECT_FALSE(inout_sequence.crossing());
}

TEST(Crossing, FramesOfTheSameShapeAreTheSame) {
  Crossed a(kVoid, {in(kLong), in(kString)}), b(kVoid, {in(kLong), in(kString)}),
      c(kVoid, {in(kString), in(kLong)});
  EXPECT_TRUE(a.crossing()->same_as(*b.crossing()));
  EXPECT_FALSE(a.crossing()->same_as(*c.crossing()));
}

}  // namespace
}  // namespace callis::marshal
