// SPDX-License-Identifier: Apache-2.0
// Cancelling distributable threads whose head is in another ORB, and what reaches whom.
#include <callis/rt/scheduling/testing/pair.h>

namespace callis::rt::scheduling::testing {
namespace {

using Names = std::vector<std::string>;

struct Cancellation : Pair {
  // A caller that has come to its upcall; what its call ends with.
  struct Caller {
    RTScheduling::DistributableThread_var thread;
    std::string outcome;
    Names names_afterwards{"?"};
    std::thread native;
    void join() {
      if (native.joinable()) native.join();
    }
    ~Caller() { join(); }
  };
  std::unique_ptr<Caller> caller() {
    auto c = std::make_unique<Caller>();
    Signal begun;
    c->native = std::thread([this, c = c.get(), &begun] {
      client.begin("caller", 5000);
      c->thread = client.me();
      begun.set();
      c->outcome = outcome_of([&] { act(); });
      c->names_afterwards = client.names();
      if (c->outcome == "ok") client.end();
    });
    begun.wait();
    return c;
  }
};

TEST_F(Cancellation, is_passed_on_to_the_head_which_hears_of_it_at_its_next_scheduling_point) {
  Signal inside;
  std::string at_head;
  probe->during = [&] {
    const RTScheduling::DistributableThread_var me = server.me();
    inside.set();
    until([&] { return me->state() == RTScheduling::DistributableThread::CANCELLED; });
    at_head = outcome_of([&] { server.begin("never", 1); });
    server.begin("never", 1);
  };
  {
    const auto c = caller();
    inside.wait();
    c->thread->cancel();
    c->join();
    EXPECT_EQ(c->outcome.substr(0, 20), "THREAD_CANCELLED 224");
    EXPECT_EQ(c->names_afterwards, Names{});
  }
  EXPECT_EQ(at_head, kCancelledNo);
  EXPECT_EQ(client.state().threads().size(), 0u);
  until([&] { return server.state().threads().size() == 0; });
}

TEST_F(Cancellation, of_a_head_that_comes_to_no_scheduling_point_is_known_when_the_upcall_ends) {
  Signal inside, go;
  probe->during = [&] {
    inside.set();
    go.wait();
  };
  const auto c = caller();
  inside.wait();
  c->thread->cancel();
  go.set();
  c->join();
  EXPECT_EQ(c->outcome, kCancelledYes);
}

TEST_F(Cancellation, at_the_server_reaches_the_client_by_the_reply) {
  std::string outcome;
  probe->during = [&] {
    const RTScheduling::DistributableThread_var me = server.me();
    me->cancel();
  };
  client.begin("outer", 9000);
  client.begin("inner", 5000);
  EXPECT_EQ(outcome_of([&] { act(); }), kCancelledYes);
  EXPECT_EQ(client.names(), Names{});
  EXPECT_EQ(outcome_of([&] { client.end(); }), kCancelledNo);
}

TEST_F(Cancellation, finds_a_head_that_waits_for_its_turn_at_the_server) {
  Signal taken, go;
  std::thread holder([&] {
    server.begin("holder", 1);
    taken.set();
    go.wait();
    server.end();
  });
  taken.wait();
  bool served = false;
  probe->during = [&] { served = true; };
  const auto c = caller();
  until([&] { return server.state().gate().ready() == 1; });
  c->thread->cancel();
  c->join();
  EXPECT_EQ(c->outcome.substr(0, 20), "THREAD_CANCELLED 224");
  EXPECT_FALSE(served);
  go.set();
  holder.join();
}

// client → server → third: the head is there.
TEST_F(Cancellation, goes_along_the_whole_chain) {
  Side third(by_turns(time), listening());
  third.serve();
  const PortableServer::Servant_var<Probe> last(new Probe);
  const CORBA::Object_var behind = third.object_of(last.in(), server.orb.in());
  Signal inside;
  last->during = [&] {
    const RTScheduling::DistributableThread_var me = third.me();
    inside.set();
    until([&] { return me->state() == RTScheduling::DistributableThread::CANCELLED; });
    third.begin("never", 1);
  };
  std::string in_the_middle;
  probe->during = [&] {
    in_the_middle = outcome_of([&] { OrbFixture::act(behind.in()); });
    OrbFixture::act(behind.in());
  };
  {
    const auto c = caller();
    inside.wait();
    c->thread->cancel();
    c->join();
    EXPECT_EQ(c->outcome.substr(0, 20), "THREAD_CANCELLED 224");
  }
  EXPECT_EQ(in_the_middle.substr(0, 20), "THREAD_CANCELLED 224");
  third.orb->destroy();
}

TEST_F(Cancellation, that_overtakes_its_request_is_remembered) {
  const ThreadId id = new_thread_id();
  DistributableThreads& all = server.state().threads();
  all.cancel(id);
  const DistributableThread_var thread = all.hold(id);
  EXPECT_TRUE(thread.in()->cancelled().load());
  all.release(*thread.in());
  const DistributableThread_var again = all.hold(id);
  EXPECT_FALSE(again.in()->cancelled().load()) << "once";
  all.release(*again.in());
}

TEST_F(Cancellation, of_more_threads_than_are_remembered_takes_no_more_memory) {
  DistributableThreads& all = server.state().threads();
  const ThreadId first = new_thread_id();
  all.cancel(first);
  for (std::size_t i = 0; i < DistributableThreads::kRemembered; ++i) all.cancel(new_thread_id());
  EXPECT_EQ(all.size(), 0u);
  const DistributableThread_var thread = all.hold(first);
  EXPECT_FALSE(thread.in()->cancelled().load());
  all.release(*thread.in());
}

TEST_F(Cancellation, is_final_for_the_upcall_whatever_it_catches) {
  int times = 0;
  probe->during = [&] {
    const RTScheduling::DistributableThread_var me = server.me();
    me->cancel();
    for (int i = 0; i < 3; ++i) times += outcome_of([&] { server.begin("again", 1); }) == kCancelledNo;
  };
  client.begin("caller", 5000);
  EXPECT_EQ(outcome_of([&] { act(); }), kCancelledYes);
  EXPECT_EQ(times, 3);
  probe->during = {};
  client.begin("next", 5000);
  EXPECT_EQ(outcome_of([&] { act(); }), "ok") << "another distributable thread";
  client.end();
}

TEST_F(Cancellation, that_cannot_be_passed_on_is_done_when_the_call_ends) {
  Signal inside, go;
  probe->during = [&] {
    inside.set();
    go.wait();
  };
  const auto c = caller();
  inside.wait();
  server.orb->shutdown(false);  // takes in nothing any more
  c->thread->cancel();
  EXPECT_EQ(c->thread->state(), RTScheduling::DistributableThread::CANCELLED);
  go.set();
  c->join();
  EXPECT_EQ(c->outcome.substr(0, 20), "THREAD_CANCELLED 224");
}

TEST_F(Cancellation, does_not_reach_the_servant_as_an_operation) {
  Signal inside;
  probe->during = [&] {
    const RTScheduling::DistributableThread_var me = server.me();
    inside.set();
    until([&] { return me->state() == RTScheduling::DistributableThread::CANCELLED; });
  };
  const auto c = caller();
  inside.wait();
  c->thread->cancel();
  c->join();
  EXPECT_EQ(c->outcome, kCancelledYes);
  EXPECT_EQ(probe->pings + probe->ticks, 0);
}

}  // namespace
}  // namespace callis::rt::scheduling::testing
