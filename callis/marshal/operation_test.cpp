// SPDX-License-Identifier: Apache-2.0
// Frames of operations, as generated stubs and skeletons lay them out. The client's frame is encoded, and decoded
// into the server's frame. Results are put there as by a servant, and come back.
#include <callis/marshal/memory.h>
#include <callis/marshal/plan.h>
#include <callis/marshal/testing/words.h>
#include <gtest/gtest.h>
#include <cstring>

namespace callis::marshal {
namespace {

using testing::in;
using testing::inout;
using testing::kShort;
using testing::kString;
using testing::kVoid;
using testing::out;


struct Fixed {
  std::int32_t l;
  char c;
  double d;
};
constexpr Word kFixedEntry = 1, kFixed = type_word(Kind::Ref, kFixedEntry);
constexpr Word kSeqEntry = 5, kSeq = type_word(Kind::Ref, kSeqEntry);      // sequence<string>
constexpr Word kArrayEntry = 8, kArray = type_word(Kind::Ref, kArrayEntry);  // short[3]
constexpr Word kErrorEntry = 11;                                            // exception { string why; short code; }
constexpr Word kFixedsEntry = 15, kFixeds = type_word(Kind::Ref, kFixedsEntry);  // sequence<Fixed>
constexpr Word kFirstOp = 18;

int g_error_link = 0;

struct Operation {
  std::vector<Word> words;
  PlanCell cell;
  const void* links[1] = {&g_error_link};
  Unit unit;
  const OperationPlans* plans;
  Buffer wire;
  cdr::Budget budget{1u << 20, 64};
  Arena arena;

  Operation(Word result, std::vector<Word> parameters, Word flags = 0) {
    words = {0, type_word(Kind::Struct, 3), type_word(Kind::Long), type_word(Kind::Char), type_word(Kind::Double),
             type_word(Kind::Sequence), 0, kString, type_word(Kind::Array), 3, kShort,
             type_word(Kind::Exception, 2), 0, kString, kShort, type_word(Kind::Sequence), 0, kFixed};
    EXPECT_EQ(words.size(), kFirstOp);
    words.insert(words.end(), {op_word(flags, static_cast<Word>(parameters.size())), 0, 4, result});
    words.insert(words.end(), parameters.begin(), parameters.end());
    if (flags & kRaises) words.insert(words.end(), {1, type_word(Kind::Ref, kErrorEntry)});
    unit = {words.data(), "call", links, &cell};
    plans = operation_plans(unit, kFirstOp);
    static auto& kept =
        *new std::vector<const OperationPlans*>();  // generated cells are static; plans live on in them
    kept.push_back(plans);
  }
  void send(const Plan* plan, const void* frame) {
    wire.clear();
    cdr::Encoder e(wire);
    EXPECT_TRUE(encode(*plan, frame, e)) << fault_name(e.fault());
  }
  bool in_message(const void* p) const {
    const Byte* const at = static_cast<const Byte*>(p);
    return at >= wire.data() && at < wire.data() + wire.size();
  }
  void receive(const Plan* plan, void* frame) {
    cdr::Decoder d(wire.view(), kNativeOrder, budget);
    d.set_arena(&arena);
    EXPECT_TRUE(decode(*plan, frame, d)) << fault_name(d.fault());
    EXPECT_EQ(d.remaining(), 0u);
  }
};

TEST(OperationPlans, CarryNameAndFlags) {
  Operation op(kVoid, {in(kShort)}, kOneway);
  EXPECT_STREQ(op.plans->name, "call");
  EXPECT_EQ(op.plans->name_length, 4u);
  EXPECT_TRUE(op.plans->oneway);
}

TEST(OperationPlans, AreBuiltOnce) {
  Operation op(kVoid, {});
  EXPECT_EQ(operation_plans(op.unit, kFirstOp), op.plans);
}

// short f(in short a, inout short b, out short c)
TEST(Frames, ScalarsGoByValue) {
  Operation op(kShort, {in(kShort), inout(kShort), out(kShort)});
  struct Client { std::int16_t a, b, c, result; };
  struct Server { std::int16_t a, b, c, result; };
  Client client{1, 2, 0, 0};
  Server server{};
  ASSERT_EQ(op.plans->server_frame_bytes, sizeof server);
  op.send(op.plans->client_request, &client);
  EXPECT_EQ(op.wire.size(), 4u);
  op.receive(op.plans->server_request, &server);
  EXPECT_EQ(server.a, 1);
  EXPECT_EQ(server.b, 2);
  server = {1, 20, 30, 40};
  op.send(op.plans->server_reply, &server);
  EXPECT_EQ(op.wire.size(), 6u);
  op.receive(op.plans->client_reply, &client);
  EXPECT_EQ(client.result, 40);
  EXPECT_EQ(client.b, 20);
  EXPECT_EQ(client.c, 30);
  destroy(*op.plans->server_frame, &server);
}

// string f(in string a, inout string b, out string c)
TEST(Frames, StringsAreReplacedAndHandedOver) {
  Operation op(kString, {in(kString), inout(kString), out(kString)});
  struct Client { const char* a; char** b; char** c; char* result; };
  struct Server { char *a, *b, *c, *result; };
  char* b = string_duplicate("bee");
  char* c = nullptr;
  Client client{"ay", &b, &c, nullptr};
  Server server{};
  op.send(op.plans->client_request, &client);
  op.receive(op.plans->server_request, &server);
  EXPECT_STREQ(server.a, "ay");
  EXPECT_STREQ(server.b, "bee");
  EXPECT_TRUE(op.in_message(server.a));
  EXPECT_FALSE(op.in_message(server.b));
  server.c = string_duplicate("sea");
  server.result = string_duplicate("");
  op.send(op.plans->server_reply, &server);
  op.receive(op.plans->client_reply, &client);
  EXPECT_STREQ(client.result, "");
  EXPECT_STREQ(b, "bee");
  EXPECT_STREQ(c, "sea");
  destroy(*op.plans->server_frame, &server);
  EXPECT_EQ(server.b, nullptr);
  string_free(client.result);
  string_free(b);
  string_free(c);
}

// Fixed f(in Fixed a, inout Fixed b, out Fixed c)
TEST(Frames, FixedStructsLieInTheServersFrame) {
  Operation op(kFixed, {in(kFixed), inout(kFixed), out(kFixed)});
  struct Client { const Fixed* a; Fixed* b; Fixed* c; Fixed* result; };
  struct Server { Fixed a, b, c, result; };
  Fixed a{1, 'a', 1.5}, b{2, 'b', 2.5}, c{}, result{};
  Client client{&a, &b, &c, &result};
  Server server{};
  ASSERT_EQ(op.plans->server_frame_bytes, sizeof server);
  op.send(op.plans->client_request, &client);
  op.receive(op.plans->server_request, &server);
  EXPECT_EQ(server.b.l, 2);
  EXPECT_EQ(server.a.d, 1.5);
  server.c = {3, 'c', 3.5};
  server.result = {4, 'd', 4.5};
  op.send(op.plans->server_reply, &server);
  op.receive(op.plans->client_reply, &client);
  EXPECT_EQ(result.l, 4);
  EXPECT_EQ(b.c, 'b');
  EXPECT_EQ(c.d, 3.5);
}

// sequence<string> f(in sequence<string> a, inout sequence<string> b, out sequence<string> c)
TEST(Frames, VariableResultsAreAllocatedForTheCaller) {
  Operation op(kSeq, {in(kSeq), inout(kSeq), out(kSeq)});
  struct Client { const SequenceHeader* a; SequenceHeader* b; SequenceHeader** c; SequenceHeader* result; };
  struct Server { SequenceHeader a, b; SequenceHeader *c, *result; };
  const auto make = [](const char* s) {
    auto* buffer = static_cast<char**>(buffer_allocate(1, sizeof(char*)));
    buffer[0] = string_duplicate(s);
    return SequenceHeader{1, 1, buffer, true};
  };
  const auto first = [](const SequenceHeader& s) { return static_cast<char**>(s.buffer)[0]; };
  const auto release = [](SequenceHeader& s) {
    for (std::uint32_t i = 0; i < s.length; ++i) string_free(static_cast<char**>(s.buffer)[i]);
    buffer_free(s.buffer);
  };
  SequenceHeader a = make("a"), b = make("b");
  SequenceHeader* c = nullptr;
  Client client{&a, &b, &c, nullptr};
  Server server{};
  ASSERT_EQ(op.plans->server_frame_bytes, sizeof server);
  op.send(op.plans->client_request, &client);
  op.receive(op.plans->server_request, &server);
  EXPECT_STREQ(first(server.b), "b");
  server.c = static_cast<SequenceHeader*>(value_allocate(sizeof(SequenceHeader)));
  *server.c = make("c");
  server.result = static_cast<SequenceHeader*>(value_allocate(sizeof(SequenceHeader)));
  op.send(op.plans->server_reply, &server);
  destroy(*op.plans->server_frame, &server);
  op.receive(op.plans->client_reply, &client);
  EXPECT_EQ(client.result->length, 0u);
  EXPECT_STREQ(first(*c), "c");
  release(a);
  release(b);
  release(*c);
  value_free(c);
  value_free(client.result);
}

// array f(in array a, out array c): fixed arrays come back as slices from the result
TEST(Frames, ArrayResultsAreSlices) {
  Operation op(kArray, {in(kArray), out(kArray)});
  struct Client { const std::int16_t* a; std::int16_t* c; std::int16_t* result; };
  struct Server { std::int16_t a[3], c[3]; std::int16_t* result; };
  const std::int16_t a[3] = {1, 2, 3};
  std::int16_t c[3] = {};
  Client client{a, c, nullptr};
  Server server{};
  ASSERT_EQ(op.plans->server_frame_bytes, sizeof server);
  op.send(op.plans->client_request, &client);
  op.receive(op.plans->server_request, &server);
  EXPECT_EQ(server.a[2], 3);
  server.c[0] = 7;
  server.result = static_cast<std::int16_t*>(value_allocate(6));
  server.result[1] = 9;
  op.send(op.plans->server_reply, &server);
  destroy(*op.plans->server_frame, &server);
  op.receive(op.plans->client_reply, &client);
  EXPECT_EQ(c[0], 7);
  EXPECT_EQ(client.result[1], 9);
  value_free(client.result);
}

// void f(in sequence<Fixed> a): the first element stands at phase 4, the others at phase 0, as in memory.
struct BorrowedStructs : ::testing::Test {
  Operation op{kVoid, {in(kFixeds)}};
  std::vector<Fixed> elements{{1, 'a', 1.5}, {2, 'b', 2.5}, {3, 'c', 3.5}};

  void send(ByteOrder order) {
    const SequenceHeader a{3, static_cast<std::uint32_t>(elements.size()), elements.data(), false};
    const SequenceHeader* client = &a;
    op.wire.clear();
    cdr::Encoder e(op.wire, order);
    ASSERT_TRUE(encode(*op.plans->client_request, &client, e));
  }
  void expect(const SequenceHeader& a) {
    ASSERT_EQ(a.length, elements.size());
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const Fixed& x = static_cast<const Fixed*>(a.buffer)[i];
      EXPECT_EQ(x.l, elements[i].l);
      EXPECT_EQ(x.c, elements[i].c);
      EXPECT_EQ(x.d, elements[i].d);
    }
  }
};

TEST_F(BorrowedStructs, StayInTheMessageOnceTheFirstHasBeenMovedOverTheCount) {
  send(kNativeOrder);
  SequenceHeader a{};
  op.receive(op.plans->server_request, &a);
  EXPECT_TRUE(op.in_message(a.buffer));
  EXPECT_FALSE(a.release);
  expect(a);
}

TEST_F(BorrowedStructs, AreCopiedFromTheOtherByteOrder) {
  const ByteOrder other = kNativeOrder == ByteOrder::Little ? ByteOrder::Big : ByteOrder::Little;
  send(other);
  cdr::Decoder d(op.wire.view(), other, op.budget);
  d.set_arena(&op.arena);
  SequenceHeader a{};
  ASSERT_TRUE(decode(*op.plans->server_request, &a, d));
  EXPECT_FALSE(op.in_message(a.buffer));
  expect(a);
}

TEST_F(BorrowedStructs, AreCopiedWhereTheMessageIsNotAligned) {
  send(kNativeOrder);
  std::vector<double> storage(op.wire.size() / sizeof(double) + 2);
  Byte* const odd = reinterpret_cast<Byte*>(storage.data()) + 1;
  std::memcpy(odd, op.wire.data(), op.wire.size());
  cdr::Decoder d({odd, op.wire.size()}, kNativeOrder, op.budget);
  d.set_arena(&op.arena);
  SequenceHeader a{};
  ASSERT_TRUE(decode(*op.plans->server_request, &a, d));
  EXPECT_TRUE(a.buffer < odd || a.buffer >= odd + op.wire.size());
  expect(a);
}

TEST_F(BorrowedStructs, OneAloneIsCopied) {
  elements.resize(1);
  send(kNativeOrder);
  SequenceHeader a{};
  op.receive(op.plans->server_request, &a);
  expect(a);
}

TEST_F(BorrowedStructs, CutShortAreAFault) {
  send(kNativeOrder);
  for (std::size_t n = 0; n < op.wire.size(); ++n) {
    std::vector<double> storage(op.wire.size() / sizeof(double) + 1);
    std::memcpy(storage.data(), op.wire.data(), n);
    cdr::Decoder d({reinterpret_cast<Byte*>(storage.data()), n}, kNativeOrder, op.budget);
    d.set_arena(&op.arena);
    SequenceHeader a{};
    EXPECT_FALSE(decode(*op.plans->server_request, &a, d)) << n;
  }
}

TEST(Frames, NullArrayIsAFaultNotACrash) {
  Operation op(kVoid, {in(kArray)});
  const void* client[1] = {nullptr};
  cdr::Encoder e(op.wire);
  EXPECT_FALSE(encode(*op.plans->client_request, client, e));
  EXPECT_EQ(e.fault(), Fault::NullPointer);
}

TEST(Frames, ResultsOfABrokenReplyAreFreedByDestroy) {
  Operation op(kSeq, {out(kSeq)});
  SequenceHeader* c = nullptr;
  struct Client { SequenceHeader** c; SequenceHeader* result; } client{&c, nullptr};
  op.wire.clear();
  cdr::Encoder e(op.wire);
  e.put_ulong(1);
  e.put_string("result");
  e.put_ulong(2);
  e.put_string("first of two");
  e.finish();
  cdr::Decoder d(op.wire.view(), kNativeOrder, op.budget);
  EXPECT_FALSE(decode(*op.plans->client_reply, &client, d));
  destroy(*op.plans->client_reply, &client);
  EXPECT_EQ(c, nullptr);
  EXPECT_EQ(client.result, nullptr);
}

TEST(Exceptions, MembersFollowTheVtablePointer) {
  Operation op(kVoid, {}, kRaises);
  struct Object { void* vtable; char* why; std::int16_t code; };
  ASSERT_EQ(op.plans->exception_count, 1u);
  EXPECT_EQ(op.plans->exceptions[0].link, &g_error_link);
  Object thrown{nullptr, string_duplicate("broken"), 7}, caught{};
  op.send(op.plans->exceptions[0].body, &thrown);
  op.receive(op.plans->exceptions[0].body, &caught);
  EXPECT_STREQ(caught.why, "broken");
  EXPECT_EQ(caught.code, 7);
  destroy(*op.plans->exceptions[0].body, &caught);
  string_free(thrown.why);
}

// References go through the handlers of the ORB.
TEST(References, GoThroughTheHandlersWithTheirLink) {
  static int alive = 0;
  set_reference_handlers({
      [](cdr::Encoder& e, const void* r, const void*) { e.put_ulong(r ? *static_cast<const std::uint32_t*>(r) : 0); },
      [](cdr::Decoder& d, const void*) -> void* {
        const std::uint32_t v = d.get_ulong();
        if (!d.ok() || v == 0) return nullptr;
        ++alive;
        return new std::uint32_t(v);
      },
      [](void* r, const void*) {
        --alive;
        delete static_cast<std::uint32_t*>(r);
      }});
  const Word object = type_word(Kind::ObjRef, kNoLink);
  Operation op(object, {in(object), out(object)});
  std::uint32_t target = 5;
  std::uint32_t* c = nullptr;
  struct Client { std::uint32_t* a; std::uint32_t** c; std::uint32_t* result; } client{&target, &c, nullptr};
  struct Server { std::uint32_t *a, *c, *result; } server{};
  op.send(op.plans->client_request, &client);
  op.receive(op.plans->server_request, &server);
  EXPECT_EQ(*server.a, 5u);
  server.c = new std::uint32_t(6);
  ++alive;
  op.send(op.plans->server_reply, &server);
  op.receive(op.plans->client_reply, &client);
  EXPECT_EQ(*c, 6u);
  EXPECT_EQ(client.result, nullptr);
  destroy(*op.plans->server_frame, &server);
  EXPECT_EQ(alive, 1);
  destroy(*op.plans->client_reply, &client);
  EXPECT_EQ(alive, 0);
  set_reference_handlers({});
}

// --- Flat plans

// Fixed f(in short a, inout Fixed b, out short c)
TEST(Flat, PlansWriteAndReadTheBytesThatEncoderAndDecoderDo) {
  Operation op(kFixed, {in(kShort), inout(kFixed), out(kShort)});
  const OperationPlans& p = *op.plans;
  ASSERT_TRUE(p.client_is_flat);
  ASSERT_TRUE(p.server_is_flat);
  EXPECT_EQ(p.flat_request_bytes, flat_bytes(*p.client_request));
  EXPECT_EQ(p.flat_reply_bytes, flat_bytes(*p.client_reply));
  Fixed b{7, 'x', 2.5}, result{};
  std::int16_t c = 0;
  struct Client { std::int16_t a; Fixed* b; std::int16_t c; Fixed* result; } client{3, &b, c, &result};
  struct Server { std::int16_t a; Fixed b; std::int16_t c; Fixed result; } server{};
  ASSERT_EQ(p.server_frame_bytes, sizeof server);

  op.send(p.client_request, &client);
  ASSERT_EQ(op.wire.size(), p.flat_request_bytes);
  std::vector<Byte> flat(p.flat_request_bytes + Buffer::kSlop);
  encode_flat(*p.client_request, &client, flat.data());
  EXPECT_EQ(std::memcmp(flat.data(), op.wire.data(), p.flat_request_bytes), 0);
  decode_flat(*p.server_request, &server, flat.data());
  EXPECT_EQ(server.a, 3);
  EXPECT_EQ(server.b.l, 7);
  EXPECT_EQ(server.b.c, 'x');
  EXPECT_EQ(server.b.d, 2.5);

  server.b = {8, 'y', -1};
  server.c = 9;
  server.result = {10, 'z', 0.25};
  op.send(p.server_reply, &server);
  ASSERT_EQ(op.wire.size(), p.flat_reply_bytes);
  flat.assign(p.flat_reply_bytes + Buffer::kSlop, 0);
  encode_flat(*p.server_reply, &server, flat.data());
  EXPECT_EQ(std::memcmp(flat.data(), op.wire.data(), p.flat_reply_bytes), 0);
  decode_flat(*p.client_reply, &client, flat.data());
  EXPECT_EQ(b.l, 8);
  EXPECT_EQ(client.c, 9);
  EXPECT_EQ(result.c, 'z');
  EXPECT_EQ(result.d, 0.25);
}

TEST(Flat, IsWhatHasNothing) {
  const Operation op(kVoid, {});
  EXPECT_TRUE(op.plans->client_is_flat);
  EXPECT_TRUE(op.plans->server_is_flat);
  EXPECT_EQ(op.plans->flat_request_bytes, 0u);
  EXPECT_EQ(op.plans->flat_reply_bytes, 0u);
}

TEST(Flat, IsNothingThatAPeerMayGetWrong) {
  EXPECT_FALSE(Operation(kVoid, {in(type_word(Kind::Boolean))}).plans->server_is_flat);
  EXPECT_FALSE(Operation(type_word(Kind::Boolean), {}).plans->client_is_flat);
  EXPECT_FALSE(Operation(kVoid, {in(kString)}).plans->client_is_flat);
  EXPECT_FALSE(Operation(kVoid, {in(kSeq)}).plans->server_is_flat);
  EXPECT_FALSE(Operation(kVoid, {in(kShort)}, kOneway).plans->client_is_flat) << "no results are waited for";
}

}  // namespace
}  // namespace callis::marshal
