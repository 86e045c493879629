// SPDX-License-Identifier: Apache-2.0
// Distributable threads in each model of the server's threads, on the main thread, and within one ORB.
#include <callis/dynamic.h>
#include <callis/rt/scheduling/native.h>
#include <callis/rt/scheduling/testing/pair.h>
#include <sched.h>

namespace callis::rt::scheduling::testing {
namespace {

// A server in that model. If its threads are the application's, two are in run().
struct Models : ::testing::TestWithParam<const char*> {
  ManualTime time;
  Side server{by_turns(time), {"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBServerThreads", GetParam()}};
  Side client{by_turns(time), {}};
  PortableServer::Servant_var<Probe> probe{new Probe};
  CORBA::Object_var object;
  std::vector<std::thread> running;

  Models() {
    server.serve();
    object = server.object_of(probe.in(), client.orb.in());
    if (std::string(GetParam()) == "single")
      for (int i = 0; i < 2; ++i) running.emplace_back([this] {
        try {
          server.orb->run();
        } catch (const CORBA::BAD_INV_ORDER&) {  // the ORB has been shut down before the thread came here
        }
      });
  }
  ~Models() override {
    server.orb->shutdown(false);
    for (std::thread& t : running) t.join();
    client.orb->destroy();
    server.orb->destroy();
  }
};
INSTANTIATE_TEST_SUITE_P(Server, Models, ::testing::Values("connection", "pool", "single"));

TEST_P(Models, upcalls_are_of_the_callers_thread_and_leave_nothing_behind) {
  std::string id;
  probe->during = [&] { id = server.id(); };
  client.begin("caller", 5000);
  OrbFixture::act(object.in());
  EXPECT_EQ(id, client.id());
  client.end();
  OrbFixture::act(object.in());
  EXPECT_EQ(id, "");
  EXPECT_EQ(server.state().threads().size(), 0u);
}

TEST_P(Models, cancellations_are_taken_in_while_the_upcall_goes_on) {
  Signal inside, begun;
  probe->during = [&] {
    inside.set();
    for (;;) {
      server.begin("until it is cancelled", 1);
      server.end();
    }
  };
  RTScheduling::DistributableThread_var thread;
  std::string outcome;
  std::thread caller([&] {
    client.begin("caller", 5000);
    thread = client.me();
    begun.set();
    outcome = outcome_of([&] { OrbFixture::act(object.in()); });
  });
  begun.wait();
  inside.wait();
  thread->cancel();
  caller.join();
  EXPECT_EQ(outcome.substr(0, 20), "THREAD_CANCELLED 224");
}

// The test's thread is the main thread.
TEST_P(Models, upcalls_on_the_main_thread_are_of_the_callers_thread) {
  if (!running.empty()) GTEST_SKIP() << "the main thread is one of those in run()";
  CORBA::PolicyList policies;
  policies.length(1);
  policies[0] = server.root->create_thread_policy(PortableServer::MAIN_THREAD_MODEL);
  const PortableServer::POAManager_var manager = server.root->the_POAManager();
  const PortableServer::POA_var main = server.root->create_POA("main", manager.in(), policies);
  const PortableServer::Servant_var<Probe> servant(new Probe);
  const PortableServer::ObjectId_var oid = main->activate_object(servant.in());
  const CORBA::Object_var own = main->id_to_reference(oid.in());
  const CORBA::Object_var target =
      client.orb->string_to_object(CORBA::String_var(server.orb->object_to_string(own.in())).in());
  std::string id, mine;
  std::thread::id where;
  servant->during = [&] {
    id = server.id();
    where = std::this_thread::get_id();
  };
  Signal done;
  std::thread caller([&] {
    client.begin("caller", 5000);
    mine = client.id();
    OrbFixture::act(target.in());
    client.end();
    done.set();
  });
  while (!done.is_set())
    if (server.orb->work_pending()) server.orb->perform_work();
  caller.join();
  EXPECT_EQ(where, std::this_thread::get_id());
  EXPECT_EQ(id, mine);
  EXPECT_EQ(server.id(), "");
  EXPECT_EQ(server.state().threads().size(), 0u);
}

TEST(WithinOneOrb, upcalls_on_the_callers_native_thread_are_a_leg_of_their_own) {
  ManualTime time;
  Side both(by_turns(time), {"-ORBEndpoint", "tcp:127.0.0.1:0"});
  both.serve();
  const PortableServer::Servant_var<Probe> probe(new Probe);
  const CORBA::Object_var object = both.object_of(probe.in(), both.orb.in());
  std::string id;
  std::vector<std::string> names;
  probe->during = [&] {
    both.begin("in the servant", 100);
    id = both.id();
    names = both.names();
  };
  both.begin("outer", 5000);
  OrbFixture::act(object.in());
  EXPECT_EQ(id, both.id());
  EXPECT_EQ(names, (std::vector<std::string>{"in the servant", "outer"}));
  EXPECT_EQ(both.names(), std::vector<std::string>{"outer"});
  probe->during = [&] { RTScheduling::DistributableThread_var(both.me())->cancel(); };
  EXPECT_EQ(outcome_of([&] { OrbFixture::act(object.in()); }).substr(0, 20), "THREAD_CANCELLED 224");
  EXPECT_EQ(both.names(), std::vector<std::string>{});
  EXPECT_EQ(both.state().threads().size(), 0u);
  both.orb->destroy();
}

TEST(Natively, upcalls_run_by_SCHED_FIFO_and_their_native_threads_are_back_afterwards) {
  if (may_run_fifo(60) != 0) GTEST_SKIP() << "SCHED_FIFO is not permitted";
  Options o;
  o.order = Options::Order::Native;
  Side server(o, {"-ORBEndpoint", "tcp:127.0.0.1:0"});
  Side client(o, {});
  server.serve();
  const PortableServer::Servant_var<Probe> probe(new Probe);
  const CORBA::Object_var object = server.object_of(probe.in(), client.orb.in());
  int policy = -1, priority = -1, others = -1;
  probe->during = [&] {
    policy = native_priority().policy & ~SCHED_RESET_ON_FORK;
    priority = native_priority().priority;
    std::thread([&] { others = native_priority().policy; }).join();
  };
  client.begin("caller", 5000);
  OrbFixture::act(object.in());
  client.end();
  EXPECT_EQ(policy, SCHED_FIFO);
  EXPECT_EQ(priority, o.highest_native);
  EXPECT_EQ(others, SCHED_OTHER) << "threads that are made inside do not have the same";
  OrbFixture::act(object.in());
  EXPECT_EQ(policy, SCHED_OTHER);
  client.orb->destroy();
  server.orb->destroy();
}

TEST_P(Models, deferred_requests_count_as_waiting_until_their_reply_is_fetched) {
  std::string id;
  probe->during = [&] { id = server.id(); };
  client.begin("caller", 5000);
  const CORBA::Request_var request = object->_request("act");
  request->send_deferred();
  request->get_response();
  EXPECT_EQ(id, client.id());
  const CORBA::Request_var outlives = object->_request("act");
  outlives->send_deferred();
  client.end();
  outlives->get_response();
  EXPECT_EQ(client.names(), std::vector<std::string>{});
  EXPECT_EQ(client.state().threads().size(), 0u);
  client.begin("next", 5000);
  client.end();
}

// Many threads in segments, calls and cancellations at once: nothing is left, and nobody waits for ever.
TEST(ManyThreads, begin_call_cancel_and_end_at_the_same_time) {
  Options o;
  o.order = Options::Order::Turns;
  o.places = 2;
  Side server(o, {"-ORBEndpoint", "tcp:127.0.0.1:0"});
  Side client(o, {});
  server.serve();
  const PortableServer::Servant_var<Probe> probe(new Probe);
  const CORBA::Object_var object = server.object_of(probe.in(), client.orb.in());
  const RTScheduling::ResourceManager_var resource = server.scheduler->create_resource_manager("r", nullptr);
  probe->during = [&] {
    server.begin("nested", 50);
    resource->lock();
    resource->unlock();
    server.end();
  };
  std::atomic<int> done{0}, cancelled{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 40; ++i) {
        client.begin("caller", 1000 + 7 * t + i);
        const RTScheduling::DistributableThread_var me = client.me();
        std::thread canceller;
        if (i % 4 == 0)
          canceller = std::thread([&me] { (void)outcome_of([&me] { me->cancel(); }); });
        const std::string outcome = outcome_of([&] {
          OrbFixture::act(object.in());
          client.end();
        });
        if (canceller.joinable()) canceller.join();
        if (outcome == "ok") ++done;
        else if (outcome.substr(0, 20) == "THREAD_CANCELLED 224") ++cancelled;
        else ADD_FAILURE() << outcome;
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(done + cancelled, 240);
  EXPECT_GE(done, 180);
  EXPECT_EQ(client.state().threads().size(), 0u);
  until([&] { return server.state().threads().size() == 0; });
  EXPECT_EQ(client.state().gate().ready() + server.state().gate().ready(), 0u);
  client.orb->destroy();
  server.orb->destroy();
}

}  // namespace
}  // namespace callis::rt::scheduling::testing
