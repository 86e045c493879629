// SPDX-License-Identifier: Apache-2.0
// Channels that keep their events in JetStream, over sockets. Skipped without nats-server.
#include <callis/base/testing/soon.h>
#include <gtest/gtest.h>
#include <services/events/durable/jetstream.h>
#include <services/events/durable/testing/nats_server.h>
#include <services/events/testing/serving.h>

namespace callis::events {
namespace {

using namespace testing;
using namespace std::chrono_literals;

// Each service has a journal of its own, as processes have.
struct Instance {
  std::unique_ptr<Journal> journal;
  std::unique_ptr<Serving> serving;

  explicit Instance(const JetStreamOptions& options) : journal(open_jetstream(options)) {
    ServiceOptions o = quick();
    o.journal = journal.get();
    serving = std::make_unique<Serving>(o);
  }
  Serving& operator*() { return *serving; }
  Serving* operator->() { return serving.get(); }
  CallisEvents::ConsumerAdmin_var admin() {
    const admin::ConsumerAdmin_var plain = serving->channel->for_consumers();
    return CallisEvents::ConsumerAdmin::_narrow(plain.in());
  }
  admin::ProxyPushSupplier_var connect(const char* name, Consumer& consumer) {
    admin::ProxyPushSupplier_var out = admin()->obtain_named_push_supplier(name);
    out->connect_push_consumer(comm::PushConsumer_var(serving->reference_of(consumer)).in());
    return out;
  }
  admin::ProxyPullSupplier_var pulling(const char* name) {
    admin::ProxyPullSupplier_var out = admin()->obtain_named_pull_supplier(name);
    out->connect_pull_consumer(comm::PullConsumer::_nil());
    return out;
  }
};

CORBA::Long pulled_from(admin::ProxyPullSupplier_ptr from) {
  const CORBA::Any_var event = from->pull();
  return number_in(event.in());
}

struct DurableChannels : ::testing::Test {
  std::unique_ptr<NatsServer> server;
  JetStreamOptions options;

  void SetUp() override {
    if (!NatsServer::is_installed()) GTEST_SKIP() << "no nats-server";
    server = std::make_unique<NatsServer>();
    options.urls = {server->url()};
    options.patience = 1s;
  }
};

TEST_F(DurableChannels, pass_events_as_others_do) {
  Instance one(options);
  auto& consumer = one->make<Consumer>();
  const auto p = one->connect(consumer);
  const auto q = one->pull_supplier();
  q->connect_pull_consumer(comm::PullConsumer::_nil());
  const auto supplier = one->pushing();
  for (CORBA::Long i = 0; i < 20; ++i) supplier->push(any_of(i));
  std::vector<CORBA::Long> all;
  for (CORBA::Long i = 0; i < 20; ++i) all.push_back(i);
  EXPECT_TRUE(consumer.has_got(all));
  EXPECT_EQ(pulled_from(q.in()), 0);
}

TEST_F(DurableChannels, of_one_name_in_several_services_are_one) {
  Instance one(options), two(options);
  auto &here = one->make<Consumer>(), &there = two->make<Consumer>();
  const auto p = one->connect(here), q = two->connect(there);
  one->pushing()->push(any_of(1));
  EXPECT_TRUE(here.has_got({1}));
  EXPECT_TRUE(there.has_got({1}));
  two->pushing()->push(any_of(2));
  EXPECT_TRUE(here.has_got({1, 2}));
  EXPECT_TRUE(there.has_got({1, 2}));
}

TEST_F(DurableChannels, keep_events_for_named_consumers_while_no_service_runs) {
  {
    Instance one(options);
    const auto supplier = one->pushing();
    auto& consumer = one->make<Consumer>();
    const auto p = one.connect("log", consumer);
    supplier->push(any_of(1));
    EXPECT_TRUE(consumer.has_got({1}));
    p->disconnect_push_supplier();
    one.pulling("pulls")->disconnect_pull_supplier();
    supplier->push(any_of(2));
  }
  Instance two(options);
  auto& consumer = two->make<Consumer>();
  const auto p = two.connect("log", consumer);
  two->pushing()->push(any_of(3));
  ASSERT_TRUE(consumer.got.wait([](const auto& all) { return !all.empty() && all.back() == 3; }));
  // The consumer may have left before the channel had the reply of its first push: that event comes twice then.
  std::vector<CORBA::Long> all = consumer.got.value();
  if (all.front() == 1) all.erase(all.begin());
  EXPECT_EQ(all, (std::vector<CORBA::Long>{2, 3}));
  const auto q = two.pulling("pulls");
  EXPECT_EQ(pulled_from(q.in()), 2);
  CORBA::Boolean has_event = false;
  const CORBA::Any_var event = q->try_pull(has_event);
  ASSERT_TRUE(has_event);
  EXPECT_EQ(number_in(event.in()), 3);
}

TEST_F(DurableChannels, bring_again_what_a_consumer_refuses_or_does_not_answer) {
  Instance one(options);
  auto& consumer = one->make<Consumer>();
  consumer.held.change([](bool& b) { b = true; });
  const auto p = one.connect("log", consumer);
  const auto supplier = one->pushing();
  supplier->push(any_of(1));
  supplier->push(any_of(2));
  ASSERT_TRUE(consumer.inside.wait([](int n) { return n >= 2; }));  // again, after the deadline
  consumer.held.change([](bool& b) { b = false; });
  ASSERT_TRUE(consumer.got.wait([](const auto& all) { return !all.empty() && all.back() == 2; }));
  EXPECT_EQ(consumer.got.value().front(), 1);
}

TEST_F(DurableChannels, bring_again_what_was_pulled_when_the_consumer_has_not_come_back) {
  {
    Instance one(options);
    const auto p = one.pulling("log");
    one->pushing()->push(any_of(1));
    EXPECT_EQ(pulled_from(p.in()), 1);
  }
  Instance two(options);
  const auto p = two.pulling("log");
  EXPECT_EQ(pulled_from(p.in()), 1);
  p->disconnect_pull_supplier();  // it has it
  const auto q = two.pulling("log");
  two->pushing()->push(any_of(2));
  EXPECT_EQ(pulled_from(q.in()), 2);
}

TEST_F(DurableChannels, list_and_forget_names) {
  Instance one(options);
  const auto a = one.admin();
  one.pulling("b");
  one.pulling("a");
  CallisEvents::Names_var names = a->consumers();
  ASSERT_EQ(names->length(), 2u);
  EXPECT_STREQ(names[0u].in(), "a");
  a->forget("a");
  EXPECT_THROW(a->forget("a"), CallisEvents::BadName);
  for (const std::string& bad : {std::string(), std::string("a b"), std::string("a.b"), std::string(65, 'x')})
    EXPECT_THROW(a->obtain_named_pull_supplier(bad.c_str()), CallisEvents::BadName) << bad;
}

TEST_F(DurableChannels, tell_suppliers_when_an_event_is_not_kept) {
  options.wait = 300ms;
  Instance one(options);
  const auto supplier = one->pushing();
  supplier->push(any_of(1));
  server->kill();
  try {
    supplier->push(any_of(2));
    ADD_FAILURE();
  } catch (const CORBA::TRANSIENT& e) {
    EXPECT_NE(std::string(e.what()).find("JetStream at " + server->url()), std::string::npos) << e.what();
  }
  EXPECT_THROW(one.admin()->consumers(), CORBA::TRANSIENT);
  server->start();
  EXPECT_TRUE(callis::testing::soon([&] { return one.journal->connected(); }));
  EXPECT_NO_THROW(supplier->push(any_of(3)));
}

TEST(OtherChannels, keep_nothing) {
  Serving s;
  const admin::ConsumerAdmin_var plain = s.channel->for_consumers();
  const CallisEvents::ConsumerAdmin_var a = CallisEvents::ConsumerAdmin::_narrow(plain.in());
  EXPECT_THROW(a->obtain_named_push_supplier("x"), CallisEvents::NotDurable);
  EXPECT_THROW(a->obtain_named_pull_supplier("x"), CallisEvents::NotDurable);
  EXPECT_THROW(a->consumers(), CallisEvents::NotDurable);
  EXPECT_THROW(a->forget("x"), CallisEvents::NotDurable);
}

}  // namespace
}  // namespace callis::events
