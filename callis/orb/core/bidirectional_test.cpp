// SPDX-License-Identifier: Apache-2.0
// Bidirectional GIOP between two ORBs over sockets, in all models of who serves (CORBA 3.3 part 2, 9.8).
#include <gtest/gtest.h>
#include <callis/orb/testing/bidirectional.h>

namespace callis::orb {
namespace {

using namespace testing;

// The exception that a client gets to which nobody can connect.
template <class Call>
void expect_nobody_there(Call call) {
  try {
    call();
    ADD_FAILURE() << "nobody listens there";
  } catch (const CORBA::TRANSIENT& e) {
    EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
  }
}

class BidirectionalByModel : public ::testing::TestWithParam<const char*> {
 protected:
  const std::string model() const { return GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(Models, BidirectionalByModel, ::testing::Values("connection", "pool", "pool:1", "single"),
                         [](const auto& i) {
                           return i.param == std::string("pool:1") ? "one_thread" : std::string(i.param);
                         });

TEST_P(BidirectionalByModel, a_servant_calls_back_during_a_call_over_its_connection) {
  CallsBack server(model());
  CalledBack client(model());
  CORBA::Object_var back = object_of(client, server), there = object_of(server, client);
  server.handler.before = [&](ServerRequest&) { EXPECT_EQ(echo(back, 7), 7u); };
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(echo(there, i), i);
  EXPECT_EQ(client.handler.requests, 3);
  EXPECT_EQ(server.core->server().connections(), 1u);
  EXPECT_EQ(client.core->server().connections(), 0u);
}

TEST_P(BidirectionalByModel, a_server_calls_back_after_the_call) {
  CallsBack server(model());
  CalledBack client(model());
  CORBA::Object_var back = object_of(client, server), there = object_of(server, client);
  expect_nobody_there([&] { echo(back, 1); });
  EXPECT_EQ(echo(there, 1), 1u);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(echo(back, i), i);
  tell(back, 5);
  EXPECT_EQ(call_ulong(back, "last", {}), 5u) << "in the order sent";
  EXPECT_EQ(server.core->server().connections(), 1u);
  EXPECT_EQ(client.core->server().connections(), 0u);
}

TEST_P(BidirectionalByModel, calls_nest_over_one_connection) {
  CallsBack server(model());
  CalledBack client(model());
  CORBA::Object_var back = object_of(client, server), there = object_of(server, client);
  std::atomic<int> depth{0};
  server.handler.before = [&](ServerRequest&) { if (++depth < 20) { EXPECT_EQ(echo(back, 1), 1u); } };
  client.handler.before = [&](ServerRequest&) { if (++depth < 20) { EXPECT_EQ(echo(there, 2), 2u); } };
  EXPECT_EQ(echo(there, 3), 3u);
  EXPECT_EQ(depth, 20);
  EXPECT_EQ(server.core->server().connections(), 1u);
}

TEST_P(BidirectionalByModel, many_threads_call_both_ways_at_once) {
  CallsBack server(model());
  CalledBack client(model());
  CORBA::Object_var back = object_of(client, server), there = object_of(server, client);
  EXPECT_EQ(echo(there, 0), 0u);
  server.handler.before = [&](ServerRequest& r) { if (r.operation() == "last") { EXPECT_EQ(echo(back, 9), 9u); } };
  std::vector<std::thread> threads;
  for (std::uint32_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::uint32_t i = 0; i < 200; ++i) EXPECT_EQ(echo(t % 2 ? back : there, t << 16 | i), t << 16 | i);
    });
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) (void)call_ulong(there, "last", {});
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(server.core->server().connections(), 1u);
  EXPECT_EQ(client.core->server().connections(), 0u);
}

TEST_P(BidirectionalByModel, a_oneway_that_calls_back_does_not_keep_the_reply_from_itself) {
  CallsBack server(model());
  CalledBack client(model());
  CORBA::Object_var back = object_of(client, server), there = object_of(server, client);
  EXPECT_EQ(echo(there, 0), 0u);
  std::atomic<int> done{0};
  server.handler.before = [&](ServerRequest& r) {
    if (r.operation() != "tell") return;
    EXPECT_EQ(echo(back, 9), 9u);
    ++done;
  };
  const auto began = Clock::steady().now();
  for (std::uint32_t i = 0; i < 20; ++i) tell(there, i);
  while (done < 20) std::this_thread::yield();
  EXPECT_LT(Clock::steady().now() - began, std::chrono::seconds(10)) << "each waited until others took it for slow";
}

TEST_P(BidirectionalByModel, messages_in_fragments_go_both_ways) {
  const auto small = [](Options& o) { o.fragment_bytes = 64; };
  CallsBack server(model(), small);
  CalledBack client(model(), small);
  CORBA::Object_var back = object_of(client, server), there = object_of(server, client);
  struct Long final : CallBody {
    void encode(cdr::Encoder& e) override { for (std::uint32_t i = 0; i < 1000; ++i) e.put_ulong(4711); }
    void decode(cdr::Decoder& d) override { value = d.get_ulong(); }
    std::unique_ptr<CORBA::UserException> decode_exception(std::string_view, cdr::Decoder&) override {
      return nullptr;
    }
    std::uint32_t value = 0;
  };
  server.handler.before = [&](ServerRequest&) {
    Long body;
    call(reference_of(back), {"echo"}, body);
    EXPECT_EQ(body.value, 4711u);
  };
  Long body;
  call(reference_of(there), {"echo"}, body);  // the first request, with the listen points, in fragments
  EXPECT_EQ(body.value, 4711u);
  EXPECT_EQ(client.handler.requests, 1);
  EXPECT_EQ(server.core->server().connections(), 1u);
}

TEST_P(BidirectionalByModel, is_not_closed_for_being_idle) {
  const auto impatient = [](Options& o) { o.limits.idle_timeout = Duration(40); };
  CallsBack server(model(), impatient);
  CalledBack client(model(), impatient);
  CORBA::Object_var back = object_of(client, server), there = object_of(server, client);
  EXPECT_EQ(echo(there, 1), 1u);
  // One that is idle for as long, and closed.
  auto other = transport::connect_tcp("127.0.0.1", server.port(), Deadline::in(Duration(20'000)));
  ASSERT_TRUE(other);
  Byte farewell[64];
  EXPECT_TRUE(other.value()->receive(farewell, Deadline::in(Duration(20'000))).ok());
  EXPECT_EQ(echo(back, 2), 2u);
}

TEST_P(BidirectionalByModel, a_call_back_that_is_given_up_leaves_the_connection) {
  CallsBack server(model(), [](Options& o) { o.limits.call_timeout = Duration(50); });
  CalledBack client(model());
  CORBA::Object_var back = object_of(client, server), there = object_of(server, client);
  EXPECT_EQ(echo(there, 1), 1u);
  Gate gate;
  client.handler.before = [&](ServerRequest& r) { gate(r); };
  EXPECT_THROW(call_ulong(back, "wait", {}), CORBA::TIMEOUT);
  gate.open();
  EXPECT_EQ(echo(there, 2), 2u);
  EXPECT_EQ(server.core->server().connections(), 1u);
}

TEST_P(BidirectionalByModel, shutdown_of_the_client_lets_calls_both_ways_end) {
  CallsBack server(model());
  CalledBack client(model());
  CORBA::Object_var back = object_of(client, server), there = object_of(server, client);
  EXPECT_EQ(echo(there, 1), 1u);
  Gate there_gate, back_gate;
  server.handler.before = [&](ServerRequest& r) { there_gate(r); };
  client.handler.before = [&](ServerRequest& r) { back_gate(r); };
  std::thread calls([&] { EXPECT_THROW(call_ulong(there, "wait", {}), CORBA::BAD_OPERATION) << "answered"; });
  std::thread calls_back([&] { EXPECT_THROW(call_ulong(back, "wait", {}), CORBA::BAD_OPERATION) << "answered"; });
  there_gate.wait_until_entered();
  back_gate.wait_until_entered();
  client.core->shutdown(false);
  there_gate.open();
  back_gate.open();
  calls.join();
  calls_back.join();
  client.core->destroy();
  expect_nobody_there([&] { echo(back, 1); });
}

// Calls end, and so does the shutdown, whoever is at what.
TEST_P(BidirectionalByModel, either_side_may_be_shut_down_at_any_moment) {
  for (int round = 0; round < 16; ++round) {
    CallsBack server(model());
    CalledBack client(model());
    CORBA::Object_var back = object_of(client, server), there = object_of(server, client);
    server.handler.before = [&](ServerRequest&) {
      try {
        echo(back, 1);
      } catch (const CORBA::SystemException&) {  // the client has gone
      }
    };
    std::vector<std::thread> threads;
    for (std::uint32_t t = 0; t < 3; ++t)
      threads.emplace_back([&, t] {
        try {
          for (std::uint32_t i = 0;; ++i) EXPECT_EQ(echo(there, t << 16 | i), t << 16 | i);
        } catch (const CORBA::SystemException&) {  // one of them has gone
        }
      });
    while (server.handler.requests < round) std::this_thread::yield();
    if (round % 2 == 0) client.core->destroy();
    else server.core->destroy();
    if (round % 2 != 0) client.core->destroy();
    for (std::thread& t : threads) t.join();
  }
}

TEST_P(BidirectionalByModel, a_client_connects_anew_after_the_server_has_gone_and_come) {
  CalledBack client(model());
  std::uint16_t port = 0;
  for (int i = 0; i < 2; ++i) {
    CallsBack server(model(), [&](Options& o) { o.endpoints.at(0).address.port = port; });
    port = server.port();
    CORBA::Object_var back = object_of(client, server), there = object_of(server, client);
    EXPECT_EQ(echo(there, 1), 1u);
    EXPECT_EQ(echo(back, 2), 2u);
  }
}

TEST(BidirectionalGiop, a_program_of_one_thread_is_called_back_while_it_waits) {
  CallsBack server("pool");
  EchoServer client({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBPublish", kNowhere, "-ORBServerThreads", "single"});
  make_bidirectional(*client.core)->add_adapter();
  CORBA::Object_var back = object_of(client, server), there = object_of(server, client);
  std::atomic<int> depth{0};
  server.handler.before = [&](ServerRequest&) { if (++depth < 10) { EXPECT_EQ(echo(back, 1), 1u); } };
  client.handler.before = [&, main = std::this_thread::get_id()](ServerRequest&) {
    EXPECT_EQ(std::this_thread::get_id(), main);
    if (++depth < 10) { EXPECT_EQ(echo(there, 2), 2u); }
  };
  EXPECT_EQ(echo(there, 3), 3u);
  EXPECT_EQ(depth, 10);
  tell(there, 4);
  std::thread later([&] { tell(back, 5); });
  while (client.handler.last != 5) client.core->perform_work();
  later.join();
}

TEST(BidirectionalGiop, an_orb_may_go_without_having_been_destroyed) {
  CallsBack server;
  for (int i = 0; i < 2; ++i) {
    EchoHandler handler;
    auto client = make_core({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBPublish", kNowhere});
    client->set_handler(&handler);
    CORBA::Object_var back;
    {
      const ReferencePtr reference = client->make_reference(kEchoType, bytes_of("echo"));
      back = server.core->string_to_object(ior::to_text(reference->ior()).c_str());
    }
    make_bidirectional(*client)->add_adapter();
    EXPECT_EQ(echo(CORBA::Object_var(server.object_for(*client)), 1), 1u);
    EXPECT_EQ(echo(back, 2), 2u);
  }
}

// --- Who may ---

TEST(BidirectionalGiop, is_not_offered_nor_used_by_default) {
  ModelServer server("connection");
  CalledBack client;
  CORBA::Object_var back = object_of(client, server), there = object_of(server, client);
  EXPECT_EQ(echo(there, 1), 1u);
  expect_nobody_there([&] { echo(back, 1); });
  CallsBack willing;
  ModelServer plain("connection");
  there = object_of(willing, plain);
  EXPECT_EQ(echo(there, 1), 1u);
  EXPECT_EQ(plain.core->bidirectional(), nullptr);
  EXPECT_TRUE(plain.core->calls_are_plain());
}

TEST(BidirectionalGiop, is_for_giop_1_2) {
  CallsBack server;
  CalledBack client("connection", [](Options& o) { o.version = {1, 1}; });
  CORBA::Object_var back = object_of(client, server), there = object_of(server, client);
  EXPECT_EQ(echo(there, 1), 1u);
  expect_nobody_there([&] { echo(back, 1); });
}

TEST(BidirectionalGiop, of_two_connections_of_one_client_the_newer_is_used_and_the_older_when_that_has_gone) {
  CallsBack server;
  CalledBack first;
  auto second = std::make_unique<CalledBack>();  // says to listen at the same place
  CORBA::Object_var back = object_of(first, server);
  EXPECT_EQ(echo(object_of(server, first), 1), 1u);
  EXPECT_EQ(echo(object_of(server, *second), 1), 1u);
  EXPECT_EQ(echo(back, 1), 1u);
  EXPECT_EQ(second->handler.requests, 1);
  second.reset();
  EXPECT_EQ(echo(back, 2), 2u);
  EXPECT_EQ(first.handler.requests, 1);
}

}  // namespace
}  // namespace callis::orb
