// SPDX-License-Identifier: Apache-2.0
// A client's request ids (CORBA 3.3 part 2, 9.5.1).
#include <callis/giop/request_table.h>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

namespace callis::giop {
namespace {

using Match = RequestTable::Match;

int call_a, call_b, call_c;  // calls are only addresses

std::uint32_t open(RequestTable& t, void* call) {
  const auto id = t.open(call);
  EXPECT_TRUE(id.ok());
  return id.ok() ? id.value() : 0;
}

TEST(RequestTable, GivesACallBackOnce) {
  RequestTable t;
  const std::uint32_t id = open(t, &call_a);
  EXPECT_EQ(t.pending(), 1u);
  EXPECT_EQ(t.find(id), &call_a);
  void* call = nullptr;
  EXPECT_EQ(t.match(id, call), Match::Pending);
  EXPECT_EQ(call, &call_a);
  EXPECT_EQ(t.pending(), 0u);
  call = nullptr;
  EXPECT_EQ(t.match(id, call), Match::Unknown);  // a duplicate
  EXPECT_EQ(call, nullptr);
  EXPECT_EQ(t.unknown_replies(), 1u);
}
TEST(RequestTable, MatchesRepliesInAnyOrder) {
  RequestTable t;
  const auto ia = open(t, &call_a), ib = open(t, &call_b), ic = open(t, &call_c);
  void* call = nullptr;
  EXPECT_EQ(t.match(ib, call), Match::Pending);
  EXPECT_EQ(call, &call_b);
  EXPECT_EQ(t.match(ic, call), Match::Pending);
  EXPECT_EQ(call, &call_c);
  EXPECT_EQ(t.match(ia, call), Match::Pending);
  EXPECT_EQ(call, &call_a);
}
TEST(RequestTable, RetiredIdsSwallowTheirLateReply) {
  RequestTable t;
  const auto id = open(t, &call_a);
  EXPECT_EQ(t.retire(id), &call_a);
  EXPECT_EQ(t.retire(id), nullptr);
  EXPECT_EQ(t.find(id), nullptr);
  EXPECT_EQ(t.retired(), 1u);
  void* call = nullptr;
  EXPECT_EQ(t.match(id, call), Match::Retired);
  EXPECT_EQ(call, nullptr);
  EXPECT_EQ(t.late_replies(), 1u);
  EXPECT_EQ(t.retired(), 0u);
}
TEST(RequestTable, WrapsAround) {
  RequestTable t(0xFFFFFFFEu);
  EXPECT_EQ(open(t, &call_a), 0xFFFFFFFEu);
  EXPECT_EQ(open(t, &call_b), 0xFFFFFFFFu);
  EXPECT_EQ(open(t, &call_c), 0u);
  void* call = nullptr;
  EXPECT_EQ(t.match(0xFFFFFFFFu, call), Match::Pending);
  EXPECT_EQ(call, &call_b);
}
TEST(RequestTable, NeverHandsOutAnIdThatMayStillBeAnswered) {
  RequestTable t(0xFFFFFFFFu);
  open(t, &call_a);            // 2^32 - 1
  t.retire(open(t, &call_b));  // 0
  open(t, &call_c);            // 1
  t.skip_to(0xFFFFFFFFu);  // once around
  EXPECT_EQ(open(t, &call_a), 2u);
  t.skip_to(0);
  EXPECT_EQ(t.open_oneway(), 3u);
  void* call = nullptr;
  EXPECT_EQ(t.match(0, call), Match::Retired);  // its late reply has come
  t.skip_to(0xFFFFFFFFu);
  EXPECT_EQ(open(t, &call_b), 0u);
}
TEST(RequestTable, OnewayIdsAreNotKept) {
  RequestTable t(10);
  EXPECT_EQ(t.open_oneway(), 10u);
  EXPECT_EQ(open(t, &call_a), 11u);
  EXPECT_EQ(t.pending(), 1u);
  void* call = nullptr;
  EXPECT_EQ(t.match(10, call), Match::Unknown);
}
TEST(RequestTable, ForgetsWhatWasNeverSent) {
  RequestTable t;
  const auto id = open(t, &call_a);
  EXPECT_EQ(t.forget(id), &call_a);
  EXPECT_EQ(t.forget(id), nullptr);
  void* call = nullptr;
  EXPECT_EQ(t.match(id, call), Match::Unknown);
}
TEST(RequestTable, GivesEveryPendingCallBackAtTheEnd) {
  RequestTable t;
  int calls[100];
  for (int& x : calls) open(t, &x);
  t.retire(open(t, &call_a));
  std::set<void*> seen;
  while (void* call = t.take_any()) EXPECT_TRUE(seen.insert(call).second);
  EXPECT_EQ(seen.size(), 100u);
  EXPECT_EQ(t.pending(), 0u);
  EXPECT_EQ(t.retired(), 0u);
}
TEST(RequestTable, HoldsToItsLimitOfPendingAndRetired) {
  RequestTable t(1, 3);
  const auto id = open(t, &call_a);
  open(t, &call_b);
  t.retire(open(t, &call_c));
  EXPECT_EQ(t.open(&call_c).fault(), Fault::LimitExceeded);
  void* call = nullptr;
  t.match(id, call);
  EXPECT_TRUE(t.open(&call_c).ok());
}
TEST(RequestTable, RefusesANullCall) { EXPECT_EQ(RequestTable().open(nullptr).fault(), Fault::NullPointer); }

// Random use across the wrap against a std::map.
TEST(RequestTable, AgreesWithAModel) {
  RequestTable t(0xFFFFFF00u);
  std::map<std::uint32_t, void*> model;  // nullptr: retired
  std::mt19937 random(3);
  static int calls[64];
  const auto any = [&] {
    return std::next(model.begin(), static_cast<std::ptrdiff_t>(random() % model.size()))->first;
  };
  for (int i = 0; i < 200000; ++i) {
    const auto what = random() % 8;
    if (what < 3 && model.size() < 300) {
      void* call = &calls[random() % 64];
      const auto id = open(t, call);
      ASSERT_TRUE(model.emplace(id, call).second);
    } else if (what < 6 && !model.empty()) {
      const auto id = any();
      void* call = nullptr;
      const Match m = t.match(id, call);
      ASSERT_EQ(m, model[id] ? Match::Pending : Match::Retired);
      ASSERT_EQ(call, model[id]);
      model.erase(id);
    } else if (what == 6 && !model.empty()) {
      const auto id = any();
      ASSERT_EQ(t.retire(id), model[id]);
      model[id] = nullptr;
    } else {
      const auto id = static_cast<std::uint32_t>(random());
      ASSERT_EQ(t.find(id), model.contains(id) ? model[id] : nullptr);
    }
    ASSERT_EQ(t.pending() + t.retired(), model.size());
  }
}


// --- Where the peer has the other half of the ids (9.8)

TEST(RequestTable, LeavesOutEveryOtherId) {
  for (const std::uint32_t first : {0u, 1u, 2u, 0xfffffff0u}) {
    RequestTable t(first, 1000, RequestTable::Ids::EveryOther);
    std::set<std::uint32_t> ids;
    for (int i = 0; i < 400; ++i) ids.insert(i % 3 == 0 ? t.open_oneway() : open(t, &call_a));
    EXPECT_EQ(ids.size(), 400u);
    for (const std::uint32_t id : ids) {
      EXPECT_EQ(id % 2, first % 2);
      EXPECT_EQ(t.find(id ^ 1), nullptr) << "one of the peer's";
    }
    t.skip_to(first);
    EXPECT_EQ(open(t, &call_b) % 2, first % 2) << "beyond those in use";
  }
}

}  // namespace
}  // namespace callis::giop
