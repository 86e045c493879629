// SPDX-License-Identifier: Apache-2.0
// The data that channels keep for clients count against one bound. Beyond the bound clients are refused, or their
// queues are full.
#include <callis/ior/text.h>
#include <callis/orb/client/reference.h>
#include <gtest/gtest.h>
#include <services/common/memory_bound.h>
#include <services/events/queue.h>
#include <services/events/testing/serving.h>

namespace callis::events {
namespace {

using namespace testing;
using services::HeldBytes;
using services::MemoryBound;

Event event_of(std::size_t bytes) { return {std::make_shared<int>(0), bytes, 0}; }

TEST(BoundedQueue, is_full_where_its_owner_has_no_room_left_and_keeps_the_newest) {
  MemoryBound bound({100'000, 100'000});
  Queue queue({1'000, 1u << 20, Overflow::DiscardOldest}, HeldBytes(bound.take_for("a", 0)));
  for (int i = 0; i < 50; ++i) EXPECT_EQ(queue.offer(event_of(10'000)), Queue::Offered::Kept);
  EXPECT_GE(queue.size(), 7u);
  EXPECT_LE(queue.size(), 9u);
  EXPECT_EQ(queue.size() + queue.discarded(), 50u);
  EXPECT_LE(bound.held(), 100'000u);
  while (queue.take()) {}
  EXPECT_LE(bound.held(), 20'000u);
  EXPECT_EQ(queue.offer(event_of(200'000)), Queue::Offered::Kept) << "never fits";
  EXPECT_EQ(queue.size(), 0u);
}

TEST(BoundedQueue, disconnects_where_there_is_no_room_and_its_policy_says_so) {
  MemoryBound bound({100'000, 100'000});
  const MemoryBound::Hold others = bound.take_for("b", 99'000);
  Queue queue({1'000, 1u << 20, Overflow::Disconnect}, HeldBytes(bound.take_for("a", 0)));
  EXPECT_EQ(queue.offer(event_of(10'000)), Queue::Offered::Full);
}

TEST(BoundedQueue, takes_its_bytes_in_pieces) {
  MemoryBound bound({1u << 30, 1u << 30});
  Queue queue({100'000, 1u << 30, Overflow::DiscardOldest}, HeldBytes(bound.take_for("a", 0)));
  std::size_t changes = 0, before = bound.held();
  for (int i = 0; i < 20'000; ++i) {
    (void)queue.offer(event_of(100));
    changes += bound.held() != before;
    before = bound.held();
  }
  EXPECT_LT(changes, 200u);
  queue.clear();
  EXPECT_LE(bound.held(), 8'192u);
}

struct BoundedService : ::testing::Test {
  MemoryBound bound{{200'000, 200'000}};
  Serving s{with(bound)};

  static ServiceOptions with(MemoryBound& bound) {
    ServiceOptions out = quick();
    out.memory = &bound;
    return out;
  }
};

TEST_F(BoundedService, refuses_channels_beyond_its_bound_and_gives_back_what_they_had) {
  int made = 0;
  try {
    for (;; ++made) (void)s.service->make("channel" + std::to_string(made));
  } catch (const CORBA::NO_RESOURCES& e) {
    EXPECT_NE(std::string(e.what()).find("--max-memory"), std::string::npos) << e.what();
  }
  EXPECT_GE(made, 5);
  EXPECT_LE(made, 20);
  EXPECT_TRUE(s.service->destroy("channel0"));
  EXPECT_NO_THROW(s.service->make("again"));
}

TEST_F(BoundedService, refuses_proxies_beyond_its_bound_and_gives_back_what_they_had) {
  std::vector<admin::ProxyPullSupplier_var> proxies;
  try {
    for (;;) proxies.push_back(s.pull_supplier());
  } catch (const CORBA::NO_RESOURCES&) {}
  EXPECT_GE(proxies.size(), 20u);
  EXPECT_LE(proxies.size(), 70u);
  proxies.back()->disconnect_pull_supplier();
  EXPECT_NO_THROW(proxies.back() = s.pull_supplier());
}

TEST_F(BoundedService, counts_long_references_of_who_connects) {
  const auto proxy = s.push_supplier();
  auto& consumer = s.make<Consumer>();
  const comm::PushConsumer_var own = s.reference_of(consumer);
  ior::Ior large = own->_callis_reference()->ior();
  large.profiles.push_back({0x7777, ior::Bytes(60'000)});
  const CORBA::Object_var object = s.client->string_to_object(ior::to_text(large).c_str());
  const comm::PushConsumer_var long_one = comm::PushConsumer::_unchecked_narrow(object.in());
  EXPECT_THROW(proxy->connect_push_consumer(long_one.in()), CORBA::NO_RESOURCES);
  EXPECT_NO_THROW(proxy->connect_push_consumer(own.in()));
}

TEST_F(BoundedService, lets_events_that_wait_count_for_the_consumer_and_not_for_suppliers) {
  const auto from = s.pull_supplier();
  from->connect_pull_consumer(comm::PullConsumer::_nil());
  const auto to = s.pushing();
  CORBA::Any event;
  const std::string text(20'000, 'x');
  event <<= text.c_str();
  for (std::size_t i = 0; i < 50; ++i) EXPECT_NO_THROW(to->push(event));
  EXPECT_LE(bound.held(), 200'000u);
  int waiting = 0;
  for (CORBA::Boolean has = true; has; waiting += has) (void)CORBA::Any_var(from->try_pull(has));
  EXPECT_GE(waiting, 4);
  EXPECT_LE(waiting, 10);
}

TEST_F(BoundedService, gives_all_back_when_channels_end) {
  const std::size_t before = bound.held();
  {
    const auto made = s.service->make("more");
    for (int i = 0; i < 5; ++i) (void)s.pull_supplier();
  }
  s.service->destroy("more");
  s.service->destroy("test");
  EXPECT_LT(bound.held(), before);
  EXPECT_EQ(bound.held(), 0u);
}

}  // namespace
}  // namespace callis::events
