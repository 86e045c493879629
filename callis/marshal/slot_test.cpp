// SPDX-License-Identifier: Apache-2.0
// Anys, values and abstract interfaces as the engine sees them: slots that handlers know what to do with
// (handlers.h). Here they all are numbers, counted; on the wire an unsigned long, 0 for null.
#include <callis/marshal/handlers.h>
#include <callis/marshal/memory.h>
#include <callis/marshal/testing/values.h>
#include <callis/marshal/testing/words.h>
#include <callis/marshal/values.h>
#include <gtest/gtest.h>

namespace callis::marshal {
namespace {

using testing::Bytes;
using testing::decoded;
using testing::encoded;
using testing::kLong;
using testing::kOctet;
using testing::kString;
using testing::Types;
using testing::Value;

struct Number {
  std::uint32_t n;
  int count = 1;
};
int g_live = 0;
Number* make(std::uint32_t n) {
  if (n == 0) return nullptr;
  ++g_live;
  return new Number{n};
}
Number* held(const void* slot) { return load<Number*>(slot); }
std::uint32_t number(const void* slot) { return held(slot) ? held(slot)->n : 0; }

void drop(void* slot, const void*) {
  Number* const x = held(slot);
  store<Number*>(slot, nullptr);
  if (!x || --x->count != 0) return;
  --g_live;
  delete x;
}
struct Scopes {
  int encoders = 0, decoders = 0, open = 0;
  bool memory = true;
  bool failed = false;  // the last decoder's
  bool seen = false;    // by the last handler
} g_scopes;

constexpr SlotHandlers kHandlers{
    [](cdr::Encoder& e, const void* slot, const void*) {
      g_scopes.seen = e.values() == &g_scopes;
      e.put_ulong(number(slot));
    },
    [](cdr::Decoder& d, void* slot, const void* link) {
      g_scopes.seen = d.values() == &g_scopes;
      const std::uint32_t n = d.get_ulong();
      if (n == 13) d.set_fault(Fault::BadValue);
      if (!d.ok()) return;
      drop(slot, link);
      store(slot, make(n));
    },
    [](cdr::Decoder& d, const void*) { d.get_ulong(); },
    drop,
    [](void* to, const void* from, const void*) {
      if (held(from)) ++held(from)->count;
      store(to, held(from));
      return number(from) != 99;
    },
    [](const void* a, const void* b, const void*) { return number(a) == number(b); },
    [](const void* slot, const void*) { return std::uint64_t{number(slot)}; },
};
constexpr ValueScopes kScopes{
    []() noexcept -> void* { return ++g_scopes.encoders, ++g_scopes.open, g_scopes.memory ? &g_scopes : nullptr; },
    [](void*) noexcept { --g_scopes.open; },
    [](const void*) noexcept -> void* {
      return ++g_scopes.decoders, ++g_scopes.open, g_scopes.memory ? &g_scopes : nullptr;
    },
    [](void*, bool failed) noexcept { --g_scopes.open, g_scopes.failed = failed; },
};

constexpr Word kAny = type_word(Kind::Any), kValue = type_word(Kind::Value, kNoLink),
               kAbstract = type_word(Kind::Abstract, kNoLink), kTypeCode = type_word(Kind::TypeCode);

struct Slots : ::testing::Test {
  Types types;
  Unit unit{};
  std::shared_ptr<const Plan> plan;

  Slots() {
    for (const Kind k : {Kind::Any, Kind::Value, Kind::Abstract}) set_slot_handlers(k, kHandlers);
    set_value_scopes(kScopes);
    g_scopes = {};
  }
  ~Slots() override {
    EXPECT_EQ(g_live, 0);
    EXPECT_EQ(g_scopes.open, 0);
    set_value_scopes({});
  }
  const Plan& make_plan_of(Word type) {
    unit = types.unit();
    plan = make_plan(unit, type);
    return *plan;
  }
};

// struct { octet o; any a; ValueBase v; AbstractBase b; octet p; }
struct SlotsInAStruct : Slots {
  Word type = types.structure({kOctet, kAny, kValue, kAbstract, kOctet});
  const Plan& p = make_plan_of(type);
  struct InMemory {
    Byte first;
    AnySlot any;
    void *value, *abstract;
    Byte last;
  };
  static constexpr std::size_t kAnyAt = offsetof(InMemory, any), kValueAt = offsetof(InMemory, value),
                               kAbstractAt = offsetof(InMemory, abstract);
  const Bytes wire{1, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 6, 0, 0, 0, 0, 2};
};

TEST_F(SlotsInAStruct, LieAsTheMemoryRulesSay) {
  EXPECT_EQ(native_size(p), sizeof(InMemory));
  EXPECT_EQ(native_alignment(p), alignof(void*));
  EXPECT_EQ(minimum_wire_size(p), 1u + 4 + 4 + 5 + 1);
}

TEST_F(SlotsInAStruct, AreReadWrittenAndDestroyed) {
  Value v(p);
  ASSERT_EQ(decoded(p, v, wire, ByteOrder::Big), Fault::None);
  EXPECT_EQ(g_live, 2);
  EXPECT_EQ(number(v.data() + kAnyAt), 5u);
  EXPECT_EQ(number(v.data() + kValueAt), 6u);
  EXPECT_EQ(held(v.data() + kAbstractAt), nullptr);
  EXPECT_EQ(encoded(p, v, ByteOrder::Big), wire);
  ASSERT_EQ(decoded(p, v, wire, ByteOrder::Big), Fault::None);
  EXPECT_EQ(g_live, 2) << "what was there is replaced";
}

TEST_F(SlotsInAStruct, StayValidAfterAFault) {
  Value v(p);
  ASSERT_EQ(decoded(p, v, wire, ByteOrder::Big), Fault::None);
  Bytes bad = wire;
  bad[11] = 13;
  EXPECT_EQ(decoded(p, v, bad, ByteOrder::Big), Fault::BadValue);
  EXPECT_EQ(number(v.data() + kValueAt), 6u);
  for (std::size_t n = 0; n < wire.size(); ++n)
    EXPECT_EQ(decoded(p, v, {wire.begin(), wire.begin() + static_cast<std::ptrdiff_t>(n)}, ByteOrder::Big),
              Fault::Truncated);
}

TEST_F(SlotsInAStruct, AreCopiedComparedHashedSkippedAndPrinted) {
  Value v(p), w(p);
  ASSERT_EQ(decoded(p, v, wire, ByteOrder::Big), Fault::None);
  ASSERT_TRUE(copy(p, v.data(), w.data()));
  EXPECT_EQ(held(v.data() + kAnyAt), held(w.data() + kAnyAt));
  EXPECT_TRUE(equal(p, v.data(), w.data()));
  EXPECT_EQ(hash(p, v.data()), hash(p, w.data()));
  Bytes other = wire;
  other[7] = 8;
  ASSERT_EQ(decoded(p, w, other, ByteOrder::Big), Fault::None);
  EXPECT_FALSE(equal(p, v.data(), w.data()));
  EXPECT_NE(hash(p, v.data()), hash(p, w.data()));
  for (const auto how : {validate, skip}) {
    auto budget = testing::plenty();
    cdr::Decoder d(wire, ByteOrder::Big, budget);
    EXPECT_TRUE(how(p, d));
    EXPECT_EQ(d.remaining(), 0u);
  }
  char room[60];
  EXPECT_STREQ((print(unit, type, v.data(), room), room), "{1, any, value, null, 2}");
}

TEST_F(SlotsInAStruct, ThatCannotBeCopiedLeaveNothingBehind) {
  Value v(p), w(p);
  Bytes in = wire;
  in[11] = 99;
  ASSERT_EQ(decoded(p, v, in, ByteOrder::Big), Fault::None);
  EXPECT_FALSE(copy(p, v.data(), w.data()));
  EXPECT_EQ(held(w.data() + kAnyAt), nullptr);
}

TEST_F(SlotsInAStruct, AreWalkedInOneScope) {
  Value v(p);
  ASSERT_EQ(decoded(p, v, wire, ByteOrder::Big), Fault::None);
  EXPECT_EQ(g_scopes.decoders, 1);
  EXPECT_TRUE(g_scopes.seen);
  g_scopes.seen = false;
  encoded(p, v, ByteOrder::Big);
  EXPECT_EQ(g_scopes.encoders, 1);
  EXPECT_TRUE(g_scopes.seen);
}

TEST_F(SlotsInAStruct, ShareAScopeThatIsOpen) {
  Value v(p);
  auto budget = testing::plenty();
  cdr::Decoder d(wire, ByteOrder::Big, budget);
  int mine;
  d.set_values(&mine);
  ASSERT_TRUE(decode(p, v.data(), d));
  EXPECT_EQ(d.values(), &mine);
  Buffer b;
  cdr::Encoder e(b);
  e.set_values(&mine);
  ASSERT_TRUE(encode(p, v.data(), e));
  EXPECT_EQ(e.values(), &mine);
  EXPECT_EQ(g_scopes.encoders + g_scopes.decoders, 0);
}

TEST_F(SlotsInAStruct, AreOutOfMemoryWithoutAScope) {
  Value v(p);
  g_scopes.memory = false;
  EXPECT_EQ(decoded(p, v, wire, ByteOrder::Big), Fault::OutOfMemory);
  Fault f;
  encoded(p, v, ByteOrder::Big, 0, &f);
  EXPECT_EQ(f, Fault::OutOfMemory);
  g_scopes.open = 0;  // nothing was opened
}

TEST_F(Slots, ThatCannotBeSharedWantNoScope) {
  const Plan& p = make_plan_of(types.structure({kString, type_word(Kind::TypeCode), types.sequence(kTypeCode)}));
  EXPECT_EQ(p.way(), Way::Walk);
}

TEST_F(Slots, WithoutHandlersAreUnsupported) {
  const Plan& p = make_plan_of(types.structure({kOctet, kTypeCode}));
  ASSERT_EQ(slot_handlers(Kind::TypeCode), nullptr);
  Value v(p);
  EXPECT_EQ(decoded(p, v, {1, 0, 0, 0, 0, 0, 0, 1}, ByteOrder::Big), Fault::Unsupported);
  Fault f;
  encoded(p, v, ByteOrder::Big, 0, &f);
  EXPECT_EQ(f, Fault::Unsupported);
  auto budget = testing::plenty();
  const Bytes in{1, 0, 0, 0, 0, 0, 0, 1};
  cdr::Decoder d(in, ByteOrder::Big, budget);
  EXPECT_FALSE(skip(p, d));
  EXPECT_EQ(d.fault(), Fault::Unsupported);
}

TEST_F(Slots, LieInSequencesArraysAndUnions) {
  const Word u = types.one_of(kLong, {kAny, kLong}, {{1, 0}, {2, 1}});
  const Plan& p = make_plan_of(types.structure({types.sequence(kAny), types.array(kValue, 2), types.sequence(u)}));
  EXPECT_EQ(p.way(), Way::Scoped);
  const Bytes wire{0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4,                          // anys
                   0, 0, 0, 0, 0, 0, 0, 5,                                      // values
                   0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 6, 0, 0, 0, 2, 0, 0, 0, 7};  // unions
  Value v(p), w(p);
  ASSERT_EQ(decoded(p, v, wire, ByteOrder::Big), Fault::None);
  EXPECT_EQ(g_live, 4);
  EXPECT_EQ(encoded(p, v, ByteOrder::Big), wire);
  ASSERT_TRUE(copy(p, v.data(), w.data()));
  EXPECT_TRUE(equal(p, v.data(), w.data()));
}

TEST_F(Slots, AreSharedInWhateverTypeStandsFirstInItsUnit) {
  const Word value_first[] = {type_word(Kind::Struct, 1), kValue, type_word(Kind::Sequence), 0,
                              type_word(Kind::Ref, 0)};
  unit = {value_first, "", nullptr, nullptr, &kExtension};
  for (const Word at : {0u, 2u}) EXPECT_EQ(make_plan(unit, type_word(Kind::Ref, at))->way(), Way::Scoped) << at;
  const Word union_first[] = {type_word(Kind::Union, 1), kLong, kNoDefault, 1, kAny, 7, 0, 0};
  unit = {union_first, "", nullptr, nullptr, &kExtension};
  EXPECT_EQ(make_plan(unit, type_word(Kind::Ref, 0))->way(), Way::Scoped);
}

// ---- frames of operations

struct SlotFrames : Slots {
  std::vector<Word> words{0};
  PlanCell* cell = new PlanCell;  // as long-lived as the plans
  const OperationPlans* plans = nullptr;
  Buffer wire;

  // T f(in T a, inout T b, out T c)
  void operation(Word t) {
    words.insert(words.end(), {op_word(0, 3), 0, 1, t, t, t | Word{2} << 6, t | Word{1} << 6});
    unit = {words.data(), "f", nullptr, cell, &kExtension};
    plans = operation_plans(unit, 1);
    static auto& kept = *new std::vector<PlanCell*>();
    kept.push_back(cell);
  }
  void send(const Plan* p, const void* frame) {
    wire.clear();
    cdr::Encoder e(wire);
    ASSERT_TRUE(encode(*p, frame, e)) << fault_name(e.fault());
  }
  void receive(const Plan* p, void* frame) {
    auto budget = testing::plenty();
    Arena arena;
    cdr::Decoder d(wire.view(), kNativeOrder, budget);
    d.set_arena(&arena);
    ASSERT_TRUE(decode(*p, frame, d)) << fault_name(d.fault());
    EXPECT_EQ(d.remaining(), 0u);
  }
};

TEST_F(SlotFrames, ValuesArePassedLikeReferences) {
  operation(kValue);
  struct Client { Number* a; Number** b; Number** c; Number* result; };
  struct Server { Number *a, *b, *c, *result; };
  ASSERT_EQ(plans->server_frame_bytes, sizeof(Server));
  Number* in = make(1);
  Number* inout = make(2);
  Number* out = nullptr;
  Client client{in, &inout, &out, nullptr};
  Server server{};
  send(plans->client_request, &client);
  receive(plans->server_request, &server);
  EXPECT_EQ(server.a->n, 1u);
  EXPECT_EQ(server.b->n, 2u);
  server.b->n = 20;
  server.c = make(30);
  server.result = make(40);
  send(plans->server_reply, &server);
  EXPECT_TRUE(plans->server_frame_owns);
  destroy(*plans->server_frame, &server);
  receive(plans->client_reply, &client);
  EXPECT_EQ(inout->n, 20u);
  EXPECT_EQ(out->n, 30u);
  EXPECT_EQ(client.result->n, 40u);
  EXPECT_EQ(g_scopes.encoders, 2);
  EXPECT_EQ(g_scopes.decoders, 2);
  for (Number** x : {&in, &inout, &out, &client.result}) drop(x, nullptr);
}

TEST_F(SlotFrames, AnysArePassedLikeStructsOfVariableLength) {
  operation(kAny);
  struct Client { const AnySlot* a; AnySlot* b; AnySlot** c; AnySlot* result; };
  struct Server { AnySlot a, b; AnySlot *c, *result; };
  ASSERT_EQ(plans->server_frame_bytes, sizeof(Server));
  AnySlot in{make(1), nullptr}, inout{make(2), nullptr}, *out = nullptr;
  Client client{&in, &inout, &out, nullptr};
  Server server{};
  send(plans->client_request, &client);
  receive(plans->server_request, &server);
  EXPECT_EQ(number(&server.a), 1u);
  EXPECT_EQ(number(&server.b), 2u);
  server.c = static_cast<AnySlot*>(value_allocate(sizeof(AnySlot)));
  server.c->type = make(30);
  server.result = static_cast<AnySlot*>(value_allocate(sizeof(AnySlot)));
  send(plans->server_reply, &server);
  destroy(*plans->server_frame, &server);
  receive(plans->client_reply, &client);
  EXPECT_EQ(number(&inout), 2u);
  EXPECT_EQ(number(out), 30u);
  EXPECT_EQ(number(client.result), 0u);
  for (AnySlot* x : {&in, &inout, out, client.result}) drop(x, nullptr);
  value_free(out);
  value_free(client.result);
}

TEST_F(SlotFrames, WhatAFaultLeavesBehindIsReleased) {
  operation(kValue);
  struct Server { Number *a, *b, *c, *result; } server{};
  wire.clear();
  {
    cdr::Encoder e(wire);
    e.put_ulong(7);
    e.put_ulong(13);
  }
  auto budget = testing::plenty();
  Arena arena;
  cdr::Decoder d(wire.view(), kNativeOrder, budget);
  d.set_arena(&arena);
  EXPECT_FALSE(decode(*plans->server_request, &server, d));
  EXPECT_EQ(g_live, 1);
  destroy(*plans->server_frame, &server);
}

}  // namespace
}  // namespace callis::marshal
