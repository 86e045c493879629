// SPDX-License-Identifier: Apache-2.0
// Types of which nothing is on the wire: structs without members, arrays of these, structs of these. They take room
// in memory and nothing else, wherever they stand.
#include <callis/marshal/plan.h>
#include <callis/marshal/testing/reference_reader.h>
#include <callis/marshal/testing/values.h>
#include <callis/marshal/testing/words.h>
#include <callis/marshal/values.h>
#include <gtest/gtest.h>

namespace callis::marshal {
namespace {

using testing::Bytes;
using testing::decoded;
using testing::encoded;
using testing::kBoolean;
using testing::kDouble;
using testing::kLong;
using testing::kOctet;
using testing::kShort;
using testing::kString;
using testing::Random;
using testing::Types;
using testing::Value;

// The type is made before the unit is asked for, whatever the compiler evaluates first.
std::shared_ptr<const Plan> plan_of(const Types& t, Word type) { return make_plan(t.unit(), type); }

constexpr Word kEnum = type_word(Kind::Enum, 3);

// Every coder and walk says of a value of that type what the reference codec says.
void expect_right(const Types& types, Word type, unsigned seed) {
  const Unit unit = types.unit();
  const auto plan = make_plan(unit, type);
  ASSERT_TRUE(plan);
  EXPECT_EQ(native_size(*plan), layout_of(unit, type).size);
  Random random(seed);
  for (int i = 0; i < 4; ++i) {
    const std::size_t phase = random() & 7;
    const auto order = static_cast<ByteOrder>(random() & 1);
    Value v(*plan), w(*plan), x(*plan);
    testing::random_value(unit, type, v.data(), random);
    testing::ReferenceWriter writer(unit, order, phase);
    writer.value(type, v.data());
    ASSERT_EQ(encoded(*plan, v, order, phase), writer.out);
    ASSERT_EQ(decoded(*plan, w, writer.out, order, phase), Fault::None);
    EXPECT_TRUE(testing::same_value(unit, type, v.data(), w.data()));
    EXPECT_TRUE(equal(*plan, v.data(), w.data()));
    EXPECT_EQ(hash(*plan, v.data()), hash(*plan, w.data()));
    ASSERT_TRUE(copy(*plan, v.data(), x.data()));
    EXPECT_EQ(encoded(*plan, x, order, phase), writer.out);
    for (const auto pass : {validate, skip}) {
      cdr::Budget budget = testing::plenty();
      cdr::Decoder d(writer.out, order, budget, phase);
      EXPECT_TRUE(pass(*plan, d)) << fault_name(d.fault());
      EXPECT_EQ(d.remaining(), 0u);
    }
    for (int k = 0; k < 8 && !writer.out.empty(); ++k) {
      Value cut(*plan);
      const std::size_t n = random() % writer.out.size();
      EXPECT_NE(decoded(*plan, cut, Bytes(writer.out.begin(), writer.out.begin() + static_cast<std::ptrdiff_t>(n)),
                        order, phase),
                Fault::None);
    }
  }
}

// One sort of nothing in the places where a type can stand.
class Nothing : public ::testing::TestWithParam<int> {
 protected:
  Nothing() {
    const Word empty = t.structure({});
    switch (GetParam()) {
      case 0: nothing = empty; break;
      case 1: nothing = t.array(empty, 2); break;
      case 2: nothing = t.structure({empty, empty}); break;
      case 3: nothing = t.array(t.structure({t.array(empty, 3), empty}), 4); break;
      case 4: nothing = t.array(empty, 1000); break;
      default: nothing = t.array(t.array(t.array(t.array(empty, 20), 20), 20), 20); break;
    }
  }
  void expect(Word type) { expect_right(t, type, static_cast<unsigned>(GetParam())); }
  // By itself, in arrays short and long, in sequences, and in sequences of what holds sequences.
  void expect_everywhere(Word type) {
    expect(type);
    expect(t.array(type, 3));
    expect(t.array(type, 260));
    expect(t.sequence(type));
    expect(t.sequence(t.array(type, 2)));
    expect(t.sequence(t.structure({type, t.sequence(type)})));
  }
  Types t;
  Word nothing;
};
INSTANTIATE_TEST_SUITE_P(, Nothing, ::testing::Range(0, 5));

TEST_P(Nothing, Alone) {
  expect(nothing);
  expect(t.array(nothing, 3));
  expect(t.sequence(nothing));
  expect(t.sequence(t.array(nothing, 7)));
  expect(t.structure({nothing, t.sequence(nothing), nothing}));
}
TEST_P(Nothing, FirstLastAndBetweenMembersOfFixedSize) {
  expect_everywhere(t.structure({nothing, kLong}));
  expect_everywhere(t.structure({kLong, nothing}));
  expect_everywhere(t.structure({kLong, nothing, kLong}));
  expect_everywhere(t.structure({kOctet, nothing, kShort, nothing, kDouble, nothing, kOctet}));
  expect_everywhere(t.structure({kBoolean, nothing, kEnum, nothing, kBoolean}));
}
TEST_P(Nothing, BetweenMembersOfVariableSize) {
  expect_everywhere(t.structure({nothing, kString}));
  expect_everywhere(t.structure({kString, nothing, kOctet, nothing, kString, nothing}));
}
TEST_P(Nothing, NestedInStructs) {
  const Word inner = t.structure({nothing, kOctet, nothing});
  expect_everywhere(t.structure({kShort, inner, t.array(inner, 3), kDouble}));
}
TEST_P(Nothing, AsTheMemberOfAUnion) {
  expect_everywhere(t.one_of(kLong, {nothing, kDouble, kString}, {{1, 0}, {2, 1}}, 2));
  expect_everywhere(t.one_of(kBoolean, {nothing}, {{0, 0}}));
}

TEST(ZeroItems, ArraysOfNothingLeaveNothingInAPlan) {
  Types t;
  const Word nothing = t.array(t.structure({t.array(t.structure({}), 100)}), 100);
  const auto alone = plan_of(t, nothing);
  EXPECT_EQ(instructions(*alone->program), 1u);  // End
  const auto between = plan_of(t, t.structure({kLong, nothing, kLong}));
  ASSERT_EQ(testing::all(*between, Op::Run).size(), 1u);
  EXPECT_EQ(testing::run_of(*between).items, 2u);
}

TEST(ZeroItems, TakeNoBytes) {
  Types t;
  const Word empty = t.structure({});
  const auto plan = plan_of(t, t.structure({kOctet, empty, t.array(empty, 3), kOctet}));
  Value v(*plan);
  ASSERT_EQ(decoded(*plan, v, {1, 2}, ByteOrder::Big), Fault::None);
  EXPECT_EQ(v.data()[5], 2);
  EXPECT_EQ(encoded(*plan, v, ByteOrder::Big), (Bytes{1, 2}));
  const auto counted = plan_of(t, t.structure({t.sequence(empty), kShort}));
  Value w(*counted);
  ASSERT_EQ(decoded(*counted, w, {0, 0, 0, 2, 0, 9}, ByteOrder::Big), Fault::None);
  EXPECT_EQ(load<std::uint32_t>(w.data() + 4), 2u);
  EXPECT_EQ(encoded(*counted, w, ByteOrder::Big), (Bytes{0, 0, 0, 2, 0, 9}));
}

TEST(ZeroItems, ArePrintedAsTheyStand) {
  Types t;
  const Word type = t.structure({kOctet, t.array(t.structure({}), 2), kOctet});
  const Byte value[] = {1, 0, 0, 2};
  char text[40];
  print(t.unit(), type, value, text);
  EXPECT_STREQ(text, "{1, [{}, {}], 2}");
}

// A fixed element of no bytes on the wire, which once ended a server.
TEST(ZeroItems, ASequenceWhoseElementsEndInAnArrayOfNothing) {
  Types t;
  const Word element = t.structure({kLong, t.array(t.structure({}), 2)});
  const auto plan = plan_of(t, t.sequence(element));
  Value v(*plan);
  const Bytes bytes = {0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 9};
  ASSERT_EQ(decoded(*plan, v, bytes, ByteOrder::Big), Fault::None);
  EXPECT_EQ(encoded(*plan, v, ByteOrder::Big), bytes);
  SequenceHeader s;
  std::memcpy(&s, v.data(), sizeof s);
  EXPECT_EQ(load<std::int32_t>(static_cast<const Byte*>(s.buffer)), 7);
  EXPECT_EQ(load<std::int32_t>(static_cast<const Byte*>(s.buffer) + 8), 9);
}

// ---- frames of operations, and exceptions

TEST(ZeroItems, AnExceptionOfNothing) {
  // exception E { struct {} a[3]; long n; struct {} b; }; exception None {};
  const Word words[] = {0,
                        type_word(Kind::Struct, 0),
                        type_word(Kind::Array), 3, type_word(Kind::Ref, 1),
                        type_word(Kind::Exception, 3), 0, type_word(Kind::Ref, 2), kLong, type_word(Kind::Ref, 1),
                        type_word(Kind::Exception, 0), 0};
  const void* const links[] = {nullptr};
  const Unit unit{words, "", links, nullptr};
  const auto plan = make_plan(unit, type_word(Kind::Ref, 5)), none = make_plan(unit, type_word(Kind::Ref, 10));
  Value v(*plan), w(*none);
  ASSERT_EQ(decoded(*plan, v, {0, 0, 0, 5}, ByteOrder::Big), Fault::None);
  EXPECT_EQ(load<std::int32_t>(v.data() + sizeof(void*) + 4), 5);
  EXPECT_EQ(encoded(*plan, v, ByteOrder::Big), (Bytes{0, 0, 0, 5}));
  ASSERT_EQ(decoded(*none, w, {}, ByteOrder::Big), Fault::None);
  EXPECT_EQ(encoded(*none, w, ByteOrder::Big), Bytes());
}

TEST(ZeroItems, AsArgumentsAndResults) {
  // struct {} [2] call(in struct {} a, in long b, inout struct {} [2] c, out struct {} d)
  static PlanCell cell;
  const Word kA = type_word(Kind::Ref, 1), kTwo = type_word(Kind::Ref, 2);
  const Word words[] = {0,
                        type_word(Kind::Struct, 0),
                        type_word(Kind::Array),
                        2,
                        kA,
                        op_word(0, 4),
                        0,
                        4,
                        kTwo,
                        kA,
                        kLong,
                        kTwo | static_cast<Word>(Direction::InOut) << 6,
                        kA | static_cast<Word>(Direction::Out) << 6};
  const Unit unit{words, "call", nullptr, &cell};
  const OperationPlans* const plans = operation_plans(unit, 5);
  ASSERT_TRUE(plans);
  Byte a = 0, c[2] = {}, d = 0;
  struct {
    const Byte* a;
    std::int32_t b;
    Byte *c, *d, *result;
  } frame{&a, 5, c, &d, nullptr};
  Buffer buffer(64);
  cdr::Encoder e(buffer, ByteOrder::Big);
  ASSERT_TRUE(encode(*plans->client_request, &frame, e));
  e.finish();
  EXPECT_EQ(Bytes(buffer.data(), buffer.data() + buffer.size()), (Bytes{0, 0, 0, 5}));
  auto budget = testing::plenty();
  cdr::Decoder reply(ByteView(), ByteOrder::Big, budget);
  ASSERT_TRUE(decode(*plans->client_reply, &frame, reply));
  ASSERT_TRUE(frame.result);
  value_free(frame.result);
  std::vector<std::uint64_t> server(plans->server_frame_bytes / 8 + 1);
  cdr::Decoder request(buffer.view(), ByteOrder::Big, budget);
  ASSERT_TRUE(decode(*plans->server_request, server.data(), request)) << fault_name(request.fault());
  destroy(*plans->server_frame, server.data());
}

}  // namespace
}  // namespace callis::marshal
