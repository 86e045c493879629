// SPDX-License-Identifier: Apache-2.0
// Deferred requests (CORBA 3.3 part 1, 11.2 and 11.3): no thread of the client's waits for their replies.
#include <callis/dynamic/deferred.h>
#include <callis/dynamic/testing/work.h>
#include <callis/interceptors/testing/recorder.h>
#include <callis/orb/core/core.h>
#include <thread>

namespace callis::dynamic::testing {
namespace {

// Over TCP; add() of a negative number waits until it is let go.
class DeferredTest : public ::testing::TestWithParam<const char*>, protected TwoOrbs {
 protected:
  PortableServer::Servant_var<Work> servant{new Work};
  CORBA::Object_var own, object;
  std::promise<void> let_go;
  std::shared_future<void> gone = let_go.get_future().share();
  bool released = false;

  DeferredTest()
      : TwoOrbs({"deferred", false, {"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBServerThreads", "pool"},
                 {"-ORBClientConnections", GetParam()}}) {
    own = activate(servant.in());
    object = seen(own.in());
    servant->before_add = [this](CORBA::Long a) {
      if (a < 0) gone.wait();
    };
  }
  ~DeferredTest() override { release(); }
  void release() {
    if (!std::exchange(released, true)) let_go.set_value();
  }
  static CORBA::Request_var add(CORBA::Object_ptr to, CORBA::Long a, CORBA::Long b) {
    CORBA::Request_var r = to->_request("add");
    r->add_in_arg() <<= a;
    r->add_in_arg() <<= b;
    r->set_return_type(CORBA::_tc_long);
    return r;
  }
  static CORBA::Long sum(CORBA::Request& r) {
    CORBA::Long v = -1;
    EXPECT_EQ(r.env()->exception(), nullptr);
    EXPECT_TRUE(r.return_value() >>= v);
    return v;
  }
};

TEST_P(DeferredTest, the_reply_is_fetched_later) {
  const CORBA::Request_var r = add(object.in(), -1, 43);
  r->send_deferred();
  EXPECT_FALSE(r->poll_response());
  release();
  r->get_response();
  EXPECT_EQ(sum(*r.in()), 42);
  EXPECT_EQ(minor_of([&] { r->get_response(); }), 12u);
  EXPECT_EQ(minor_of([&] { (void)r->poll_response(); }), 12u);
}

TEST_P(DeferredTest, polling_sees_the_reply_come) {
  const CORBA::Request_var r = add(object.in(), 1, 2);
  r->send_deferred();
  while (!r->poll_response()) std::this_thread::yield();
  EXPECT_TRUE(r->poll_response()) << "and goes on seeing it";
  r->get_response();
  EXPECT_EQ(sum(*r.in()), 3);
}

TEST_P(DeferredTest, another_thread_may_fetch_the_reply) {
  const CORBA::Request_var r = add(object.in(), 20, 22);
  std::thread([&] { r->send_deferred(); }).join();
  std::thread([&] { r->get_response(); }).join();
  EXPECT_EQ(sum(*r.in()), 42);
}

TEST_P(DeferredTest, many_wait_while_others_are_called) {
  std::vector<CORBA::Request_var> all;
  for (CORBA::Long i = 0; i < 20; ++i) {
    all.push_back(add(object.in(), i % 2 ? i : -1, i));
    all.back()->send_deferred();
  }
  const CORBA::Request_var called = add(object.in(), 1, 1);
  called->invoke();
  EXPECT_EQ(sum(*called.in()), 2);
  release();
  for (CORBA::Long i = 0; i < 20; ++i) {
    all[static_cast<std::size_t>(i)]->get_response();
    EXPECT_EQ(sum(*all[static_cast<std::size_t>(i)].in()), i % 2 ? 2 * i : i - 1);
  }
}

TEST_P(DeferredTest, the_orb_gives_those_that_have_come_first) {
  EXPECT_EQ(minor_of([&] { (void)client->poll_next_response(); }), 11u);
  CORBA::RequestSeq requests(2);
  requests.length(2);
  requests[0u] = add(object.in(), -1, 1)._retn();
  requests[1u] = add(object.in(), 1, 1)._retn();
  client->send_multiple_requests_deferred(requests);
  while (!client->poll_next_response()) std::this_thread::yield();
  CORBA::Request_var next;
  client->get_next_response(next.out());
  EXPECT_EQ(next.in(), requests[1u]);
  EXPECT_EQ(sum(*next.in()), 2);
  EXPECT_FALSE(client->poll_next_response());
  release();
  client->get_next_response(next.out());
  EXPECT_EQ(next.in(), requests[0u]);
  EXPECT_EQ(sum(*next.in()), 0);
  EXPECT_EQ(minor_of([&] { client->get_next_response(next.out()); }), 11u);
}

// Looks at requests, which a test counts: in proportion to how many there are, wherever those stand that are slow.
TEST_P(DeferredTest, thousands_are_fetched_in_steps_that_grow_with_their_number) {
  constexpr CORBA::ULong kMany = 2000, kSlow = 10;  // each on a connection of its own, or all on one
  const CORBA::ULong many = std::string(GetParam()) == "shared" ? kMany : 200;
  CORBA::RequestSeq slow(kSlow), quick(many);
  slow.length(kSlow);
  quick.length(many);
  for (CORBA::ULong i = 0; i < kSlow; ++i) slow[i] = add(object.in(), -1, 1)._retn();
  for (CORBA::ULong i = 0; i < many; ++i) quick[i] = add(object.in(), 1, static_cast<CORBA::Long>(i))._retn();
  client->send_multiple_requests_deferred(slow);
  client->send_multiple_requests_deferred(quick);
  const CORBA::Request_var called = add(object.in(), 1, 1);
  called->invoke();
  EXPECT_EQ(sum(*called.in()), 2);
  for (CORBA::ULong i = 0; i < many; ++i)
    while (!quick[i]->poll_response()) std::this_thread::yield();

  const auto all = DeferredRequests::find(static_cast<const orb::Core&>(*client.in()));
  ASSERT_NE(all, nullptr);
  EXPECT_EQ(all->size(), many + kSlow);
  const std::uint64_t before = all->looks();
  for (CORBA::ULong i = 0; i < many; ++i) {
    EXPECT_TRUE(i % 2 == 0 || client->poll_next_response());
    CORBA::Request_var next;
    client->get_next_response(next.out());
    EXPECT_GT(sum(*next.in()), 0);
  }
  EXPECT_LE(all->looks() - before, 2 * many + 2 * kSlow);
  EXPECT_FALSE(client->poll_next_response());
  release();
  for (CORBA::ULong i = 0; i < kSlow; ++i) {
    CORBA::Request_var next;
    client->get_next_response(next.out());
    EXPECT_EQ(sum(*next.in()), 0);
  }
  EXPECT_EQ(minor_of([&] { (void)client->poll_next_response(); }), 11u);
}

TEST_P(DeferredTest, each_orb_knows_its_own) {
  const CORBA::ORB_var other = make_orb({});
  const CORBA::String_var text = orb->object_to_string(own.in());
  const CORBA::Object_var seen_by_other = other->string_to_object(text.in());
  const CORBA::Request_var r = add(seen_by_other.in(), 1, 2);
  r->send_deferred();
  EXPECT_EQ(minor_of([&] { (void)client->poll_next_response(); }), 11u);
  CORBA::Request_var next;
  other->get_next_response(next.out());
  EXPECT_EQ(next.in(), r.in());
  EXPECT_EQ(minor_of([&] { other->get_next_response(next.out()); }), 11u);
  other->destroy();
}

TEST_P(DeferredTest, one_may_be_released_while_another_thread_asks_for_the_next) {
  const CORBA::Request_var stays = add(object.in(), -1, 1);
  stays->send_deferred();
  std::atomic<bool> done{false};
  std::thread asks([&] {
    while (!done) (void)client->poll_next_response();
  });
  for (CORBA::Long i = 0; i < 100; ++i) {
    const CORBA::Request_var r = add(object.in(), 1, i);
    r->send_deferred();
  }
  done = true;
  asks.join();
  EXPECT_FALSE(client->poll_next_response());
  release();
  stays->get_response();
  EXPECT_EQ(sum(*stays.in()), 0);
}

TEST_P(DeferredTest, oneways_are_sent_together) {
  CORBA::RequestSeq requests(1);
  requests.length(1);
  requests[0u] = object->_request("tell");
  requests[0u]->add_in_arg() <<= CORBA::Short(9);
  auto told = servant->told.get_future();
  client->send_multiple_requests_oneway(requests);
  EXPECT_EQ(told.get(), 9);
}

TEST_P(DeferredTest, what_nobody_fetches_is_given_up) {
  {
    const CORBA::Request_var r = add(object.in(), -1, 1);
    r->send_deferred();
  }
  release();
  const CORBA::Request_var r = add(object.in(), 4, 5);
  r->invoke();
  EXPECT_EQ(sum(*r.in()), 9);
  EXPECT_EQ(minor_of([&] { (void)client->poll_next_response(); }), 11u);
}

TEST_P(DeferredTest, follows_forwards) {
  struct Elsewhere final : PortableServer::ServantLocator {
    explicit Elsewhere(CORBA::Object_ptr to) : to_(CORBA::Object::_duplicate(to)) {}
    PortableServer::Servant preinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*,
                                      Cookie&) override {
      throw PortableServer::ForwardRequest(to_.in());
    }
    void postinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*, Cookie,
                    PortableServer::Servant) override {}
    CORBA::Object_var to_;
  };
  CORBA::PolicyList policies(2);
  policies.length(2);
  policies[0u] = root->create_request_processing_policy(PortableServer::USE_SERVANT_MANAGER);
  policies[1u] = root->create_servant_retention_policy(PortableServer::NON_RETAIN);
  const PortableServer::POAManager_var manager = root->the_POAManager();
  const PortableServer::POA_var poa = root->create_POA("forwards", manager.in(), policies);
  classic::ReferenceVar<Elsewhere> elsewhere(new Elsewhere(own.in()));
  poa->set_servant_manager(elsewhere.in());
  const CORBA::Object_var reference = poa->create_reference("IDL:Dyn/Work:1.0");
  const CORBA::Object_var forwarded = seen(reference.in());
  const CORBA::Request_var r = add(forwarded.in(), 30, 12);
  r->send_deferred();
  r->get_response();
  EXPECT_EQ(sum(*r.in()), 42);
}

TEST_P(DeferredTest, a_server_that_cannot_be_reached_is_in_the_environment) {
  const CORBA::Object_var nowhere = client->string_to_object("corbaloc::127.0.0.1:1/nobody");
  const CORBA::Request_var r = add(nowhere.in(), 1, 1);
  r->send_deferred();
  EXPECT_TRUE(r->poll_response());
  r->get_response();
  EXPECT_NE(CORBA::TRANSIENT::_downcast(r->env()->exception()), nullptr);
}

TEST_P(DeferredTest, calls_within_the_orb_are_made_at_once) {
  const CORBA::Request_var r = add(own.in(), 1, 2);
  r->send_deferred();
  EXPECT_TRUE(r->poll_response());
  r->get_response();
  EXPECT_EQ(sum(*r.in()), 3);
}

INSTANTIATE_TEST_SUITE_P(Connections, DeferredTest, ::testing::Values("exclusive", "shared"),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace callis::dynamic::testing
