// SPDX-License-Identifier: Apache-2.0
// Consumers and suppliers that stop, fail, lie, disconnect at any moment, and ask for more than there is.
#include <callis/base/testing/soon.h>
#include <services/events/testing/serving.h>
#include <gtest/gtest.h>
#include <thread>

namespace callis::events {
namespace {

using namespace testing;
using namespace std::chrono_literals;

std::int64_t counted(Serving& s, const std::string& name) {
  for (const auto& v : s.counters.values())
    if (v.name == name) return v.number;
  return -1;
}

// Whether a counter comes to a value: it is asked until it does.
void comes_to(Serving& s, const std::string& name, std::int64_t wanted) {
  EXPECT_TRUE(callis::testing::soon([&] { return counted(s, name) == wanted; })) << counted(s, name);
}

TEST(AStoppedConsumer, delays_no_other_and_is_dropped_in_the_end) {
  ServiceOptions options = quick();
  options.channel.lane.failures = 2;
  options.channel.deadline = 500ms;  // the good one is never so slow
  options.channel.lane.bounds.events = 10'000;
  Serving s(options);
  auto &stopped = s.make<Consumer>(), &good = s.make<Consumer>();
  stopped.held.change([](bool& b) { b = true; });
  const auto p = s.connect(stopped), q = s.connect(good);
  const auto supplier = s.pushing();
  supplier->push(any_of(0));
  ASSERT_TRUE(stopped.inside.wait([](int n) { return n == 1; }));
  std::vector<CORBA::Long> all{0};
  for (CORBA::Long i = 1; i < 500; ++i) {
    supplier->push(any_of(i));
    all.push_back(i);
  }
  EXPECT_TRUE(good.has_got(all));
  comes_to(s, "dropped", 1);
  EXPECT_THROW(p->disconnect_push_supplier(), CORBA::OBJECT_NOT_EXIST);
  stopped.held.change([](bool& b) { b = false; });
}

// More of them than threads that could wait for each.
TEST(StoppedConsumers, take_no_threads) {
  ServiceOptions options = quick();
  options.pool.threads = 2;
  options.channel.deadline = kLong;
  Serving s(options);
  auto& good = s.make<Consumer>();
  std::vector<admin::ProxyPushSupplier_var> proxies{s.connect(good)};
  std::vector<Consumer*> stopped;
  for (int i = 0; i < 8; ++i) {
    stopped.push_back(&s.make<Consumer>());
    proxies.push_back(s.connect(*stopped.back()));
  }
  const auto supplier = s.pushing();
  supplier->push(any_of(0));  // connections are there after it
  for (Consumer* c : stopped) ASSERT_TRUE(c->has_got({0}));
  ASSERT_TRUE(good.has_got({0}));
  for (Consumer* c : stopped) c->held.change([](bool& b) { b = true; });
  std::vector<CORBA::Long> all{0};
  for (CORBA::Long i = 1; i < 100; ++i) {
    supplier->push(any_of(i));
    all.push_back(i);
  }
  EXPECT_TRUE(good.has_got(all));
  for (Consumer* c : stopped) c->held.change([](bool& b) { b = false; });
  for (Consumer* c : stopped) EXPECT_TRUE(c->has_got(all));
}

TEST(ADeadConsumer, is_dropped) {
  Serving s;
  auto& good = s.make<Consumer>();
  const auto q = s.connect(good);
  const CORBA::Object_var nobody =
      s.client->string_to_object("corbaloc::127.0.0.1:1/nobody");
  const auto p = s.push_supplier();
  p->connect_push_consumer(comm::PushConsumer_var(comm::PushConsumer::_unchecked_narrow(nobody.in())).in());
  const auto supplier = s.pushing();
  for (CORBA::Long i = 0; i < 3; ++i) supplier->push(any_of(i));
  EXPECT_TRUE(good.has_got({0, 1, 2}));
  comes_to(s, "dropped", 1);
  EXPECT_EQ(counted(s, "failed"), 5);
  EXPECT_EQ(counted(s, "proxies"), 2);
}

TEST(AConsumer, may_disconnect_within_push) {
  Serving s;
  auto& consumer = s.make<Consumer>();
  const auto p = s.connect(consumer);
  Watched<bool> done;
  consumer.also = [&](CORBA::Long n) {
    if (n != 1) return;
    p->disconnect_push_supplier();
    done.change([](bool& b) { b = true; });
  };
  const auto supplier = s.pushing();
  for (CORBA::Long i = 0; i < 5; ++i) supplier->push(any_of(i));
  EXPECT_TRUE(done.wait([](bool b) { return b; }));
  EXPECT_TRUE(consumer.has_got({0, 1}));
  EXPECT_THROW(p->disconnect_push_supplier(), CORBA::OBJECT_NOT_EXIST);
  supplier->push(any_of(9));
  EXPECT_EQ(consumer.got.value().size(), 2u);
}

TEST(AConsumer, may_push_and_destroy_the_channel_within_push) {
  Serving s;
  auto& consumer = s.make<Consumer>();
  const auto p = s.connect(consumer);
  const auto supplier = s.pushing();
  consumer.also = [&](CORBA::Long n) {
    if (n < 3) supplier->push(any_of(n + 1));
    else s.channel->destroy();
  };
  supplier->push(any_of(0));
  EXPECT_TRUE(consumer.has_got({0, 1, 2, 3}));
  EXPECT_TRUE(consumer.disconnected.wait([](int n) { return n == 1; }));
}

TEST(AConsumer, whose_queue_is_full_is_disconnected_where_that_is_wanted) {
  ServiceOptions options = quick();
  options.channel.lane.bounds = {2, 1'000, Overflow::Disconnect};
  Serving s(options);
  const auto p = s.pull_supplier();
  p->connect_pull_consumer(comm::PullConsumer::_nil());
  const auto supplier = s.pushing();
  for (CORBA::Long i = 0; i < 3; ++i) supplier->push(any_of(i));
  CORBA::Boolean has_event = false;
  EXPECT_THROW(p->try_pull(has_event), comm::Disconnected);
  EXPECT_THROW(p->try_pull(has_event), CORBA::OBJECT_NOT_EXIST);
}

// Throws whatever it is told to.
class Failing final : public POA_CosEventComm::PullSupplier {
 public:
  Watched<int> asked;
  bool says_disconnected = false;
  CORBA::Any* pull() override { throw CORBA::NO_IMPLEMENT(); }
  CORBA::Any* try_pull(CORBA::Boolean&) override {
    asked.change([](int& n) { ++n; });
    if (says_disconnected) throw comm::Disconnected();
    throw CORBA::INTERNAL();
  }
  void disconnect_pull_supplier() override {}
};

TEST(ASupplier, that_fails_is_asked_so_often_and_one_that_disconnects_once) {
  Serving s;
  auto &failing = s.make<Failing>(), &gone = s.make<Failing>();
  gone.says_disconnected = true;
  for (Failing* f : {&failing, &gone}) {
    const CORBA::Object_var object = s.client_poa->servant_to_reference(f);
    const comm::PullSupplier_var supplier = comm::PullSupplier::_narrow(object.in());
    s.pull_consumer()->connect_pull_supplier(supplier.in());
  }
  comes_to(s, "proxies", 0);
  EXPECT_EQ(failing.asked.value(), 5);
  EXPECT_EQ(gone.asked.value(), 1);
}

// Disconnects while it is asked.
class Leaving final : public POA_CosEventComm::PullSupplier {
 public:
  admin::ProxyPullConsumer_var proxy;
  Watched<int> asked, disconnected;
  CORBA::Any* pull() override { throw CORBA::NO_IMPLEMENT(); }
  CORBA::Any* try_pull(CORBA::Boolean& has_event) override {
    asked.change([](int& n) { ++n; });
    proxy->disconnect_pull_consumer();
    has_event = true;
    return new CORBA::Any(any_of(7));
  }
  void disconnect_pull_supplier() override { disconnected.change([](int& n) { ++n; }); }
};

TEST(ASupplier, may_disconnect_within_try_pull_and_its_last_event_is_passed_on) {
  Serving s;
  auto& consumer = s.make<Consumer>();
  const auto p = s.connect(consumer);
  auto& leaving = s.make<Leaving>();
  leaving.proxy = s.pull_consumer();
  const CORBA::Object_var object = s.client_poa->servant_to_reference(&leaving);
  leaving.proxy->connect_pull_supplier(comm::PullSupplier_var(comm::PullSupplier::_narrow(object.in())).in());
  EXPECT_TRUE(consumer.has_got({7}));
  EXPECT_THROW(leaving.proxy->disconnect_pull_consumer(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_EQ(leaving.asked.value(), 1);
  EXPECT_EQ(leaving.disconnected.value(), 0);
}

TEST(Proxies, cannot_be_connected_when_they_were_disconnected) {
  Serving s;
  auto& consumer = s.make<Consumer>();
  auto& supplier = s.make<Supplier>();
  const comm::PushConsumer_var pushed = s.reference_of(consumer);
  const comm::PullSupplier_var pulled = s.reference_of(supplier);
  const auto a = s.push_consumer();
  const auto b = s.pull_consumer();
  const auto c = s.push_supplier();
  const auto d = s.pull_supplier();
  a->disconnect_push_consumer();
  b->disconnect_pull_consumer();
  c->disconnect_push_supplier();
  d->disconnect_pull_supplier();
  EXPECT_THROW(a->connect_push_supplier(comm::PushSupplier::_nil()), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(b->connect_pull_supplier(pulled.in()), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(c->connect_push_consumer(pushed.in()), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(d->connect_pull_consumer(comm::PullConsumer::_nil()), CORBA::OBJECT_NOT_EXIST);
  EXPECT_EQ(counted(s, "proxies"), 0);
}

TEST(Proxies, are_bounded_and_those_that_nobody_connected_make_room) {
  ServiceOptions options = quick();
  options.channel.proxies = 50;
  Serving s(options);
  const auto kept = s.pushing();
  for (int i = 0; i < 2'000; ++i) s.push_supplier();
  EXPECT_EQ(counted(s, "proxies"), 50);
  EXPECT_NO_THROW(kept->push(any_of(1)));
  std::vector<admin::ProxyPushConsumer_var> all;
  for (int i = 0; i < 49; ++i) all.push_back(s.pushing());
  EXPECT_THROW(s.push_consumer(), CORBA::IMP_LIMIT);
  all.pop_back();  // nobody is told of that
  EXPECT_THROW(s.push_consumer(), CORBA::IMP_LIMIT);
  all.back()->disconnect_push_consumer();
  EXPECT_NO_THROW(s.push_consumer());
}

TEST(Proxies, that_nobody_connects_in_time_are_gone) {
  ServiceOptions options = quick();
  options.channel.connect_within = 300ms;
  Serving s(options);
  const auto kept = s.pushing();
  const auto a = s.push_supplier();
  const auto b = s.pull_supplier();
  for (int i = 0; i < 20; ++i) s.push_consumer();
  comes_to(s, "proxies", 1);
  EXPECT_NO_THROW(kept->push(any_of(1)));
  EXPECT_THROW(b->connect_pull_consumer(comm::PullConsumer::_nil()), CORBA::OBJECT_NOT_EXIST);
  const auto later = s.pull_supplier();  // and is waited for anew
  comes_to(s, "proxies", 1);
}

TEST(Proxies, that_rested_for_long_make_room) {
  ServiceOptions options = quick();
  options.channel.proxies = 2;
  options.channel.proxy_rest = 0ms;
  Serving s(options);
  const auto first = s.pushing(), second = s.pushing();
  first->push(any_of(1));  // so the second has rested for longer
  const auto third = s.pushing();
  EXPECT_NO_THROW(first->push(any_of(1)));
  EXPECT_THROW(second->push(any_of(1)), CORBA::OBJECT_NOT_EXIST);
}

TEST(Channels, are_bounded) {
  ServiceOptions options = quick();
  options.channels = 3;
  Serving s(options);
  const auto a = s.service->make("a"), b = s.service->make("b");
  EXPECT_THROW(s.service->make("c"), CannotMake);
  EXPECT_TRUE(s.service->destroy("a"));
  EXPECT_NO_THROW(s.service->make("c"));
}

TEST(Events, of_types_with_higher_priority_stay_in_a_full_queue) {
  ServiceOptions options = quick();
  options.channel.lane.bounds = {2, 100'000, Overflow::DiscardByPriority};
  options.channel.priorities["IDL:CallisEvents/ChannelState:1.0"] = 7;
  Serving s(options);
  const auto p = s.pull_supplier();
  p->connect_pull_consumer(comm::PullConsumer::_nil());
  const auto supplier = s.pushing();
  CORBA::Any important;
  important <<= CallisEvents::ChannelState();
  supplier->push(any_of(1));
  supplier->push(important);
  for (CORBA::Long i = 2; i < 9; ++i) supplier->push(any_of(i));
  const CORBA::Any_var first = p->pull(), second = p->pull();
  EXPECT_EQ(CORBA::TypeCode_var(first->type())->kind(), CORBA::tk_struct);
  EXPECT_EQ(number_in(second.in()), 8);
}

TEST(Events, that_are_too_large_are_refused) {
  ServiceOptions options = quick();
  options.channel.event_bytes = 1'000;
  Serving s(options);
  const auto supplier = s.pushing();
  CORBA::Any event;
  event <<= std::string(900, 'x').c_str();
  EXPECT_NO_THROW(supplier->push(event));
  event <<= std::string(1'001, 'x').c_str();
  EXPECT_THROW(supplier->push(event), CORBA::IMP_LIMIT);
  event <<= std::string(5'000'000, 'x').c_str();
  EXPECT_THROW(supplier->push(event), CORBA::IMP_LIMIT);
  EXPECT_EQ(counted(s, "received"), 1);
}

TEST(Events, that_wait_take_no_more_bytes_than_they_may) {
  ServiceOptions options = quick();
  options.channel.lane.bounds.bytes = 100'000;
  Serving s(options);
  const auto p = s.pull_supplier();
  p->connect_pull_consumer(comm::PullConsumer::_nil());
  const auto supplier = s.pushing();
  CORBA::Any event;
  event <<= std::string(30'000, 'x').c_str();
  for (int i = 0; i < 20; ++i) supplier->push(event);
  EXPECT_EQ(counted(s, "waiting"), 3);
  EXPECT_EQ(counted(s, "discarded"), 17);
}

TEST(PullsThatWait, are_bounded_and_end_with_the_service) {
  ServiceOptions options = quick();
  options.channel.pulls = 1;
  Serving s(options);
  const auto p = s.pull_supplier(), q = s.pull_supplier();
  p->connect_pull_consumer(comm::PullConsumer::_nil());
  q->connect_pull_consumer(comm::PullConsumer::_nil());
  Watched<std::string> ended;
  std::thread first([&] {
    std::string how = "an event";
    try {
      const CORBA::Any_var event = p->pull();
    } catch (const CORBA::Exception& e) {
      how = e._name();
    }
    ended.change([&](std::string& text) { text = how; });
  });
  comes_to(s, "pulls_that_wait", 1);
  EXPECT_THROW(q->pull(), CORBA::NO_RESOURCES);
  CORBA::Boolean has_event = true;
  const CORBA::Any_var none = q->try_pull(has_event);
  EXPECT_FALSE(has_event);
  s.orb->shutdown(false);
  EXPECT_TRUE(ended.wait([](const std::string& text) { return !text.empty(); }));
  EXPECT_EQ(ended.value(), "TRANSIENT");
  first.join();
}

TEST(Pull, that_waits_is_let_go_when_its_proxy_is_disconnected) {
  Serving s;
  const auto p = s.pull_supplier();
  p->connect_pull_consumer(comm::PullConsumer::_nil());
  std::string how = "an event";
  std::thread waiting([&] {
    try {
      const CORBA::Any_var event = p->pull();
    } catch (const CORBA::Exception& e) {
      how = e._name();
    }
  });
  comes_to(s, "pulls_that_wait", 1);
  p->disconnect_pull_supplier();
  waiting.join();
  EXPECT_EQ(how, "Disconnected");
  EXPECT_EQ(counted(s, "pulls_that_wait"), 0);
}

TEST(Pull, gives_up_after_so_long) {
  ServiceOptions options = quick();
  options.channel.longest_pull = 1ms;
  Serving s(options);
  const auto p = s.pull_supplier();
  p->connect_pull_consumer(comm::PullConsumer::_nil());
  EXPECT_THROW(p->pull(), CORBA::TRANSIENT);
}

}  // namespace
}  // namespace callis::events
