// SPDX-License-Identifier: Apache-2.0
// Calls between two ORBs with a scheduler each: what goes with them, how upcalls are ordered, and hostile clients.
#include <callis/rt/scheduling/context.h>
#include <callis/rt/scheduling/testing/pair.h>

namespace callis::rt::scheduling::testing {
namespace {

using Names = std::vector<std::string>;
using Calls = Pair;

TEST_F(Calls, upcalls_are_of_the_callers_distributable_thread_with_its_parameters) {
  std::string id;
  Names names;
  Ticks due = 0;
  probe->during = [&] {
    id = server.id();
    names = server.names();
    due = server.due();
  };
  client.begin("outer", 9000);
  client.begin("inner", 5000);
  act();
  EXPECT_EQ(id, client.id());
  EXPECT_EQ(names, Names{"inner"});
  EXPECT_EQ(due, 5000);
  client.end();
  act();
  EXPECT_EQ(due, 9000) << "the outer segment's are back";
  client.end();
  EXPECT_EQ(server.state().threads().size(), 0u);
}

TEST_F(Calls, outside_segments_are_served_outside_distributable_threads) {
  std::string id = "?";
  probe->during = [&] { id = server.id(); };
  act();
  EXPECT_EQ(id, "");
}

TEST_F(Calls, upcalls_may_have_segments_of_their_own_which_end_with_them) {
  Names within, after;
  std::string outcome;
  probe->during = [&] {
    outcome = outcome_of([&] { server.end(); });
    server.begin("nested", 100);
    within = server.names();
    server.end();
    after = server.names();
    server.begin("left open", 50);
  };
  client.begin("caller", 5000);
  act();
  EXPECT_EQ(outcome, "BAD_INV_ORDER 225 NO") << "the first segment belongs to the upcall";
  EXPECT_EQ(within, (Names{"nested", "caller"}));
  EXPECT_EQ(after, Names{"caller"});
  EXPECT_EQ(client.names(), Names{"caller"});
  probe->during = {};
  act();
  EXPECT_EQ(outcome_of([&] { act(); }), "ok");
  client.end();
}

TEST_F(Calls, one_way_begin_another_distributable_thread_with_the_implicit_parameter) {
  struct Ticking final : Probe {
    std::function<void()> ticked;
    void tick(CORBA::Long) override { ticked(); }
  };
  const PortableServer::Servant_var<Ticking> servant(new Ticking);
  const CORBA::Object_var other = server.object_of(servant.in(), client.orb.in());
  std::string id;
  Ticks due = 0;
  Signal done;
  servant->ticked = [&] {
    id = server.id();
    due = server.due();
    done.set();
  };
  client.begin("caller", 5000, 7000);
  OrbFixture::tick(other.in(), 1);
  done.wait();
  EXPECT_EQ(id.size(), 16u);
  EXPECT_NE(id, client.id());
  EXPECT_EQ(due, 7000);
  client.end();
  until([&] { return server.state().threads().size() == 0; });
}

// The place of the server is taken; three calls come in the wrong order.
TEST_F(Calls, upcalls_take_their_turns_by_urgency) {
  struct Adding final : Probe {
    std::function<void(CORBA::Long)> added;
    CORBA::Long add(CORBA::Long a, CORBA::Long b) override {
      added(a);
      return a + b;
    }
  };
  const PortableServer::Servant_var<Adding> servant(new Adding);
  const CORBA::Object_var adding = server.object_of(servant.in(), client.orb.in());
  Log log;
  servant->added = [&](CORBA::Long n) { log.add(std::to_string(n)); };
  Signal taken, go;
  probe->during = [&] {
    taken.set();
    go.wait();
  };
  std::thread first([&] {
    client.begin("first", 1);
    act();
    client.end();
  });
  taken.wait();
  std::vector<std::thread> callers;
  for (const CORBA::Long due : {3000, 2000, 4000}) {
    callers.emplace_back([&, due] {
      client.begin("caller", due);
      EXPECT_EQ(OrbFixture::add(adding.in(), due, 1), due + 1);
      client.end();
    });
    until([&] { return server.state().gate().ready() == callers.size(); });
  }
  go.set();
  first.join();
  for (std::thread& c : callers) c.join();
  EXPECT_EQ(log.all(), (Names{"2000", "3000", "4000"}));
}

TEST_F(Calls, waiting_for_a_reply_leaves_the_place_to_others) {
  Signal inside, other_ran;
  probe->during = [&] {
    inside.set();
    other_ran.wait();
  };
  std::thread calls([&] {
    client.begin("calls", 1);
    act();
    client.end();
  });
  inside.wait();
  client.begin("other", 9000);
  other_ran.set();
  client.end();
  calls.join();
}

TEST_F(Calls, execution_at_the_server_counts_at_the_client) {
  probe->during = [&] { time.advance(400); };
  client.begin("caller", 90000);
  time.advance(100);
  act();
  ThreadPart* const a = ThreadPart::innermost();
  EXPECT_EQ(client.state().gate().executed(a->entry()), 500);
  client.end();
}

TEST_F(Calls, back_to_the_client_are_of_the_same_distributable_thread) {
  client.serve();
  const PortableServer::Servant_var<Probe> back(new Probe);
  const CORBA::Object_var called_back = client.object_of(back.in(), server.orb.in());
  std::string id;
  back->during = [&] { id = client.id(); };
  probe->during = [&] { OrbFixture::act(called_back.in()); };
  client.begin("caller", 5000);
  act();
  EXPECT_EQ(id, client.id());
  client.end();
}

TEST_F(Calls, that_fail_go_on_in_their_segment) {
  probe->during = [] { throw CORBA::NO_IMPLEMENT(5, CORBA::COMPLETED_YES); };
  client.begin("caller", 5000);
  EXPECT_EQ(outcome_of([&] { act(); }), "NO_IMPLEMENT 5 YES");
  EXPECT_EQ(client.names(), Names{"caller"});
  server.orb->shutdown(true);
  EXPECT_NE(outcome_of([&] { act(); }), "ok");
  EXPECT_EQ(client.names(), Names{"caller"});
  client.end();
  EXPECT_EQ(client.state().gate().ready(), 0u);
}

TEST_F(Calls, of_a_client_with_another_discipline_have_the_usual_parameter) {
  const FP_Scheduling::Scheduler_var fp = make_fixed_priority_scheduler(by_turns(time));
  const CORBA::ORB_var orb = orb_with(fp.in());
  const RTScheduling::Current_var current = current_of(orb.in());
  const PortableServer::Servant_var<Probe> other(new Probe);
  const CORBA::Object_var target = server.object_of(other.in(), orb.in());
  std::string id;
  Ticks due = -5;
  other->during = [&] {
    id = server.id();
    due = server.due();
  };
  current->begin_scheduling_segment("x", nullptr, nullptr);
  OrbFixture::act(target.in());
  EXPECT_EQ(id.size(), 16u);
  EXPECT_EQ(due, 0);
  current->end_scheduling_segment("x");
  orb->destroy();
}

TEST_F(Calls, of_who_is_not_believed_are_served_outside_distributable_threads) {
  Options o = by_turns(time);
  o.believes = [](const transport::Peer& peer) { return peer.host != "127.0.0.1"; };
  Side strict(o, listening());
  strict.serve();
  const CORBA::Object_var target = strict.object_of(probe.in(), client.orb.in());
  std::string id = "?";
  probe->during = [&] { id = strict.id(); };
  client.begin("caller", 5000);
  OrbFixture::act(target.in());
  EXPECT_EQ(id, "");
  client.end();
  strict.orb->destroy();
}

TEST_F(Calls, to_a_servant_with_a_parameter_are_as_urgent_at_least) {
  PortableServer::Servant servant = probe.in();
  const CORBA::Policy_var at_least = deadline(server.scheduler.in(), 10);
  server.scheduler->set_scheduling_parameter(servant, "probe", at_least.in());
  std::string id;
  const auto look = [&] {
    id = server.id();
    server.begin("waits", 9000);
    server.end();
  };
  probe->during = look;
  act();
  EXPECT_EQ(id.size(), 16u) << "calls outside segments begin a distributable thread";
  Signal taken, go;
  Log log;
  probe->during = [&] {
    server.begin("less urgent by itself", 8000);  // a scheduling point: another one is ready
    log.add("servant");
    server.end();
  };
  std::thread holder([&] {
    server.begin("holder", 1);
    taken.set();
    go.wait();
    server.end();
  });
  taken.wait();
  std::thread other([&] {
    server.begin("other", 500);
    log.add("other");
    server.end();
  });
  until([&] { return server.state().gate().ready() == 1; });
  std::thread caller([&] {
    client.begin("caller", 9000);
    act();
    client.end();
  });
  until([&] { return server.state().gate().ready() == 2; });
  go.set();
  for (std::thread* t : {&holder, &other, &caller}) t->join();
  EXPECT_EQ(log.all(), (Names{"servant", "other"}));
  server.scheduler->set_scheduling_parameter(servant, "probe", nullptr);
  probe->during = [&] { id = server.id(); };
  act();
  EXPECT_EQ(id, "");
}

// --- Hostile peers ---

// Adds a context that the test gives to all requests.
struct Forger final : PortableInterceptor::ClientRequestInterceptor {
  std::vector<Byte> bytes;
  char* name() override { return CORBA::string_dup("forger"); }
  void destroy() override {}
  void send_request(PortableInterceptor::ClientRequestInfo_ptr ri) override {
    IOP::ServiceContext c;
    c.context_id = kSchedulingContext;
    c.context_data.length(static_cast<CORBA::ULong>(bytes.size()));
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<Byte*>(c.context_data.get_buffer()));
    ri->add_request_service_context(c, true);
  }
  void send_poll(PortableInterceptor::ClientRequestInfo_ptr) override {}
  void receive_reply(PortableInterceptor::ClientRequestInfo_ptr) override {}
  void receive_exception(PortableInterceptor::ClientRequestInfo_ptr) override {}
  void receive_other(PortableInterceptor::ClientRequestInfo_ptr) override {}
};
Forger* forger = nullptr;  // of the next ORB

struct ForgingInitializer final : PortableInterceptor::ORBInitializer {
  void pre_init(PortableInterceptor::ORBInitInfo_ptr info) override {
    if (forger) info->add_client_request_interceptor(forger);
  }
  void post_init(PortableInterceptor::ORBInitInfo_ptr) override {}
};

struct HostileCalls : Pair {
  Forger* const mine = new Forger;
  const PortableInterceptor::ClientRequestInterceptor_var counted{mine};
  CORBA::ORB_var orb;
  CORBA::Object_var target;

  HostileCalls() {
    static const bool registered = [] {
      const PortableInterceptor::ORBInitializer_var i = new ForgingInitializer;
      PortableInterceptor::register_orb_initializer(i.in());
      return true;
    }();
    EXPECT_TRUE(registered);
    forger = mine;
    orb = orb_with(nullptr);
    forger = nullptr;
    const PortableServer::ObjectId_var id = server.root->servant_to_id(probe.in());
    const CORBA::Object_var own = server.root->id_to_reference(id.in());
    target = orb->string_to_object(CORBA::String_var(server.orb->object_to_string(own.in())).in());
  }
  ~HostileCalls() override { orb->destroy(); }
  std::string outcome() {
    return outcome_of([&] { OrbFixture::act(target.in()); });
  }
  std::vector<Byte> good() {
    const Discipline& d = server.state().discipline();
    const IOP::ServiceContext c = write_request(new_thread_id(), 0, {"s", d.usual(), nullptr}, d);
    const auto* const data = reinterpret_cast<const Byte*>(c.context_data.get_buffer());
    return {data, data + c.context_data.length()};
  }
};

TEST_F(HostileCalls, with_contexts_that_cannot_be_read_are_refused_and_leave_nothing) {
  int upcalls = 0;
  probe->during = [&] { ++upcalls; };
  for (const std::vector<Byte>& bytes : {std::vector<Byte>{}, {1}, {1, 1, 0}, std::vector<Byte>(60000, Byte{0xff})}) {
    mine->bytes = bytes;
    EXPECT_EQ(outcome(), "MARSHAL 229 NO") << bytes.size();
  }
  EXPECT_EQ(upcalls, 0);
  EXPECT_EQ(server.state().threads().size(), 0u);
  mine->bytes = good();
  EXPECT_EQ(outcome(), "ok");
  EXPECT_EQ(upcalls, 1);
}

// Each byte of a good context is spoiled in turn: refused, or served; never anything else.
TEST_F(HostileCalls, with_spoiled_contexts_are_served_or_refused) {
  const std::vector<Byte> whole = good();
  int served = 0, refused = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const int with : {0x01, 0x80, 0xff}) {
      mine->bytes = whole;
      mine->bytes[i] = static_cast<Byte>(mine->bytes[i] ^ with);
      const std::string o = outcome();
      EXPECT_TRUE(o == "ok" || o == "MARSHAL 229 NO") << i << ": " << o;
      ++(o == "ok" ? served : refused);
    }
  }
  EXPECT_GT(served, 0);
  EXPECT_GT(refused, 0);
  EXPECT_EQ(server.state().threads().size(), 0u);
}

}  // namespace
}  // namespace callis::rt::scheduling::testing
