// SPDX-License-Identifier: Apache-2.0
// The table of iterators by itself, and behind objects that clients call: how many there may be, who goes, and ids
// that nobody was told.
#include <gtest/gtest.h>
#include <services/common/iterator_table.h>
#include <services/common/numbered_objects.h>
#include <services/common/rest.h>
#include <string>
#include <thread>
#include "CallisService_skel.h"

namespace callis::services {
namespace {

struct Apples final : IteratorTable::Cursor {
  int left = 3;
};
struct Pears final : IteratorTable::Cursor {};

// An iterator's servant: uptime_ms() is the next apple, healthy() says that it goes.
class ApplesServant final : public POA_CallisService::Statistics {
 public:
  explicit ApplesServant(IteratorTable& table) : table_(table) {}
  char* service() override { return CORBA::string_dup(std::string(request_id()).c_str()); }
  CORBA::ULongLong uptime_ms() override {
    const auto apples = table_.here<Apples>("pick() makes another");
    const std::lock_guard lock(apples->mutex);
    return static_cast<CORBA::ULongLong>(apples->left--);
  }
  CORBA::Boolean healthy() override {
    table_.end_here("pick() makes another");
    return true;
  }
  CallisService::Values* counters() override { return new CallisService::Values; }

 private:
  IteratorTable& table_;
};

struct Orchard : ::testing::Test {
  Orchard() {
    char name[] = "test", option[] = "-ORBEndpoint", where[] = "memory:orchard";
    char* argv[] = {name, option, where, nullptr};
    int argc = 3;
    orb = CORBA::ORB_init(argc, argv, "orchard");
    const CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    const PortableServer::POA_var root = PortableServer::POA::_narrow(object.in());
    PortableServer::POAManager_var(root->the_POAManager())->activate();
    adapter = make_adapter(root.in(), "apples", false, new ApplesServant(table));
  }
  ~Orchard() override { orb->destroy(); }

  CallisService::Statistics_var at(std::uint64_t number) {
    const CORBA::Object_var object =
        make_reference(adapter.in(), number, CallisService::Statistics::_repository_id());
    return CallisService::Statistics::_unchecked_narrow(object.in());
  }
  std::uint64_t add(std::size_t elements = 1, std::size_t bytes = 0) {
    return table.add(std::make_shared<Apples>(), elements, bytes);
  }

  MemoryBound bound{{.all = 100'000, .each = 2'000}};  // outlives the table
  IteratorTable table{{.elements = 10, .bytes = 100, .iterators = 4}};
  CORBA::ORB_var orb;
  PortableServer::POA_var adapter;
};

TEST_F(Orchard, an_iterator_is_found_by_the_request_and_keeps_its_place) {
  const CallisService::Statistics_var one = at(add()), other = at(add());
  EXPECT_EQ(one->uptime_ms(), 3u);
  EXPECT_EQ(one->uptime_ms(), 2u);
  EXPECT_EQ(other->uptime_ms(), 3u);
  EXPECT_TRUE(one->healthy());
  EXPECT_EQ(table.size(), 1u);
  try {
    one->uptime_ms();
    FAIL() << "it has been destroyed";
  } catch (const CORBA::OBJECT_NOT_EXIST&) {}
  EXPECT_THROW(one->healthy(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_EQ(other->uptime_ms(), 2u);
}

TEST_F(Orchard, numbers_that_nobody_was_told_and_other_kinds_are_not_there) {
  const std::uint64_t pears = table.add(std::make_shared<Pears>(), 1);
  EXPECT_THROW(at(pears)->uptime_ms(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(at(0)->uptime_ms(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(at(pears + 1)->healthy(), CORBA::OBJECT_NOT_EXIST);
  for (const char* const text : {"", "x", "00000000000000000", "-000000000000001", "000000000000000g"}) {
    const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId(text);
    const CORBA::Object_var object =
        adapter->create_reference_with_id(id.in(), CallisService::Statistics::_repository_id());
    const CallisService::Statistics_var nobody = CallisService::Statistics::_unchecked_narrow(object.in());
    EXPECT_THROW(nobody->healthy(), CORBA::OBJECT_NOT_EXIST) << text;
  }
}

TEST_F(Orchard, the_one_that_rested_longest_makes_room) {
  const std::uint64_t first = add(), second = add(), third = add(), fourth = add();
  EXPECT_EQ(at(first)->uptime_ms(), 3u);  // it has not rested
  add();
  EXPECT_EQ(table.size(), 4u);
  EXPECT_THROW(at(second)->uptime_ms(), CORBA::OBJECT_NOT_EXIST);
  for (const std::uint64_t number : {first, third, fourth}) EXPECT_NO_THROW(at(number)->uptime_ms()) << number;
}

TEST_F(Orchard, elements_and_bytes_are_bounded_over_all_but_one_alone_may_have_more) {
  add(4);
  add(4);
  add(4);
  EXPECT_EQ(table.size(), 2u);
  add(1, 90);
  EXPECT_EQ(table.size(), 3u);
  add(1, 20);
  EXPECT_EQ(table.size(), 1u) << "the three others went, which had rested longer";
  add(1'000, 1'000);
  EXPECT_EQ(table.size(), 1u);
  add();
  EXPECT_EQ(table.size(), 1u) << "the large one made room";
}

TEST_F(Orchard, tells_whoever_reaps_of_the_first_and_when_it_is_due) {
  int told = 0;
  table.when_first([&] { ++told; });
  EXPECT_EQ(table.first_due(), IteratorTable::Time::max());
  const auto before = std::chrono::steady_clock::now();
  const std::uint64_t one = add();
  EXPECT_EQ(told, 1);
  EXPECT_GE(table.first_due(), before + IteratorTable::kIdle);
  EXPECT_LE(table.first_due(), std::chrono::steady_clock::now() + IteratorTable::kIdle);
  add();
  EXPECT_EQ(told, 1) << "it sleeps no longer for the second";
  const auto due = table.first_due();
  EXPECT_EQ(at(one)->uptime_ms(), 3u);
  EXPECT_GT(table.first_due(), due) << "the other has rested longest now";
  table.reap(std::chrono::steady_clock::now() + IteratorTable::kIdle);
  EXPECT_EQ(table.first_due(), IteratorTable::Time::max());
  add();
  EXPECT_EQ(told, 2);
}

TEST(Rest, ends_when_something_is_due_or_told_and_at_the_end) {
  Rest rest;
  const auto due = std::chrono::steady_clock::now() + std::chrono::milliseconds(5);
  EXPECT_TRUE(rest.until(due));
  EXPECT_GE(std::chrono::steady_clock::now(), due);
  rest.tell();
  EXPECT_TRUE(rest.until(Rest::Time::max())) << "told before it slept";
  std::thread sleeper([&] {
    while (rest.until(Rest::Time::max())) {}
  });
  rest.tell();
  while (rest.wakeups() != 3) std::this_thread::yield();
  rest.end();
  sleeper.join();
  EXPECT_EQ(rest.wakeups(), 4u) << "woken by nothing else";
  EXPECT_FALSE(rest.until(due));
}

TEST_F(Orchard, who_rests_for_long_is_reaped) {
  const std::uint64_t one = add(), other = add();
  const auto now = std::chrono::steady_clock::now();
  table.reap(now);
  EXPECT_EQ(table.size(), 2u);
  EXPECT_EQ(at(one)->uptime_ms(), 3u);
  table.reap(std::chrono::steady_clock::now() + IteratorTable::kIdle);
  EXPECT_EQ(table.size(), 0u);
  EXPECT_THROW(at(other)->uptime_ms(), CORBA::OBJECT_NOT_EXIST);
}

TEST_F(Orchard, a_client_that_has_most_makes_room_for_others_and_itself) {
  const auto add_for = [&](const char* client, std::size_t elements) {
    return table.add(std::make_shared<Apples>(), elements, 0, bound.take_for(client, 0));
  };
  const std::uint64_t good = add_for("good", 1), first = add_for("greedy", 1);
  for (int i = 0; i < 100; ++i) add_for("greedy", 1);
  EXPECT_EQ(table.size(), 4u);
  EXPECT_EQ(at(good)->uptime_ms(), 3u);
  EXPECT_THROW(at(first)->uptime_ms(), CORBA::OBJECT_NOT_EXIST);
  for (int i = 0; i < 100; ++i) add_for("greedy", 9);  // elements are bounded by 10
  EXPECT_EQ(table.size(), 2u);
  EXPECT_EQ(at(good)->uptime_ms(), 2u);
  add_for("third", 1);
  EXPECT_EQ(table.size(), 2u) << "the large one went";
  EXPECT_EQ(at(good)->uptime_ms(), 1u);
}

TEST_F(Orchard, iterators_count_and_a_client_whose_share_is_used_up_loses_its_own) {
  const auto add_for = [&](const char* client, std::size_t bytes) {
    return table.add(std::make_shared<Apples>(), 1, bytes, bound.take_for(client, 0));
  };
  const std::uint64_t good = add_for("good", 10);
  EXPECT_GE(bound.held(), 10u + 2 * MemoryBound::kOverhead);
  const auto others = bound.take_for("greedy", 1'300), all_of_poor = bound.take_for("poor", 1'900);
  const std::uint64_t first = add_for("greedy", 10), second = add_for("greedy", 10), third = add_for("greedy", 10);
  EXPECT_EQ(table.size(), 3u);
  EXPECT_THROW(at(first)->uptime_ms(), CORBA::OBJECT_NOT_EXIST);
  for (const std::uint64_t number : {good, second, third}) EXPECT_EQ(at(number)->uptime_ms(), 3u);
  EXPECT_THROW((void)add_for("poor", 10), CORBA::NO_RESOURCES);
  EXPECT_EQ(table.size(), 3u);
  table.reap(std::chrono::steady_clock::now() + IteratorTable::kIdle);
  EXPECT_EQ(bound.held(), 3'200u);
}

TEST(IteratorTable, is_asked_within_requests_alone) {
  IteratorTable table{{.elements = 10}};
  EXPECT_THROW(table.here<Apples>(""), CORBA::BAD_INV_ORDER);
}

TEST(Answers, end_after_so_many_elements_or_so_many_bytes_but_have_one) {
  const std::vector<std::size_t> bytes{kMostAnswerBytes + 1, 5, 5, kMostAnswerBytes - 5, 5};
  const auto end = [&](std::size_t next, std::size_t most) {
    return end_of_answer(bytes, next, most, [](std::size_t b) { return b; });
  };
  EXPECT_EQ(end(0, 5), 1u);
  EXPECT_EQ(end(1, 1), 2u);
  EXPECT_EQ(end(1, 5), 3u);
  EXPECT_EQ(end(2, 5), 4u);
  EXPECT_EQ(end(3, 5), 5u);
  EXPECT_EQ(end(5, 5), 5u);
}

}  // namespace
}  // namespace callis::services
