// SPDX-License-Identifier: Apache-2.0
// run, work_pending, perform_work, shutdown and destroy in every model of who serves (CORBA 3.3 part 1, 8.5.1 to
// 8.5.5), and what is done on the main thread.
#include <gtest/gtest.h>
#include <callis/orb/server/main_thread.h>
#include <callis/orb/testing/model_server.h>
#include <callis/orb/testing/raw_client.h>
#include <callis/orb/testing/scripted_peer.h>
#include <set>

namespace callis::orb {
namespace {

using namespace testing;
using giop::EventKind;

// --- Threads of the application ---

struct SingleServer : EchoServer {
  SingleServer() : EchoServer({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBServerThreads", "single"}) {
    handler.before = [this](ServerRequest& r) {
      if (before) before(r);
      const std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
    };
  }
  void wait_for_work() {
    while (!core->work_pending()) std::this_thread::yield();
  }
  std::function<void(ServerRequest&)> before;
  std::mutex mutex;
  std::set<std::thread::id> threads;
};

TEST(SingleModel, upcalls_are_made_inside_perform_work_only) {
  SingleServer server;
  EXPECT_FALSE(server.core->work_pending());
  server.core->perform_work();  // nothing to do: returns
  RawClient client(server.port());
  client.send(message({.argument = 3}));
  server.wait_for_work();
  EXPECT_EQ(server.handler.requests, 0);
  EXPECT_TRUE(server.core->work_pending()) << "asking takes nothing";
  while (server.handler.requests == 0) server.core->perform_work();
  EXPECT_EQ(client.hear().value, 3u);
  EXPECT_EQ(server.threads, std::set{std::this_thread::get_id()});
  EXPECT_FALSE(server.core->work_pending());
}

TEST(SingleModel, run_for_serves_for_that_time) {
  SingleServer server;
  const auto start = std::chrono::steady_clock::now();
  server.core->run_for(20'000);
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(20));
  EXPECT_FALSE(server.core->work_pending_for(1'000));
  RawClient client(server.port());
  client.send(message({.argument = 3}));
  EXPECT_TRUE(server.core->work_pending_for(60'000'000)) << "as soon as there is work";
  EXPECT_EQ(server.handler.requests, 0);
  while (server.handler.requests == 0) server.core->run_for(1'000);
  EXPECT_EQ(client.hear().value, 3u);
}

TEST(SingleModel, run_for_ends_at_the_shutdown) {
  SingleServer server;
  server.before = [&](ServerRequest&) { server.core->shutdown(false); };
  RawClient client(server.port());
  client.send(message({.argument = 3}));
  server.core->run_for(600'000'000);
  EXPECT_EQ(server.handler.requests, 1);
  EXPECT_THROW(server.core->run_for(1), CORBA::BAD_INV_ORDER) << "it has been shut down";
}

TEST(SingleModel, perform_work_inside_an_upcall_serves_other_requests) {
  SingleServer server;
  RawClient a(server.port()), b(server.port());
  server.before = [&](ServerRequest& r) {
    if (r.operation() != "wait") return;
    b.send(message({.argument = 8, .id = 2}));
    while (server.handler.requests < 2) server.core->perform_work();
  };
  a.send(message({.operation = "wait", .id = 1}));
  while (server.handler.requests < 2) server.core->perform_work();
  EXPECT_EQ(b.hear().value, 8u);
  EXPECT_EQ(a.hear().id, 1u);
}

TEST(SingleModel, threads_inside_run_serve_together) {
  SingleServer server;
  std::atomic<int> inside{0};
  server.before = [&](ServerRequest&) {
    ++inside;
    while (inside < 2) std::this_thread::yield();
  };
  std::thread running[2];
  for (auto& t : running) t = std::thread([&] { server.core->run(); });
  RawClient a(server.port()), b(server.port());
  a.send(message({.id = 1}));
  b.send(message({.id = 2}));
  EXPECT_EQ(a.hear().id, 1u);
  EXPECT_EQ(b.hear().id, 2u);
  EXPECT_EQ(server.threads, (std::set{running[0].get_id(), running[1].get_id()}));
  server.core->shutdown(false);
  for (auto& t : running) t.join();
}

TEST(SingleModel, shutdown_ends_connections_though_nobody_is_inside_run) {
  SingleServer server;
  RawClient client(server.port());
  client.send(message({.argument = 3}));
  server.wait_for_work();
  server.core->shutdown(true);
  EXPECT_EQ(client.hear().kind, EventKind::PeerClosing);
  EXPECT_EQ(server.handler.requests, 0) << "no upcall on a thread of the ORB's";
}

// --- The main thread ---

struct Note final : MainThread::Task {
  explicit Note(std::function<void()> f) : what(std::move(f)) {}
  void run() noexcept override { what(); }
  std::function<void()> what;
};

class EveryModelsMainThread : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Models, EveryModelsMainThread, ::testing::Values("connection", "pool", "single"),
                         [](const auto& p) { return std::string(p.param); });

TEST_P(EveryModelsMainThread, runs_tasks_of_upcalls_one_after_the_other) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBServerThreads", GetParam()});
  std::atomic<int> running{0}, most{0};
  std::thread::id where{};
  CORBA::ULong minor = 0;
  server.handler.before = [&](ServerRequest&) {
    Note inner([&] { where = std::this_thread::get_id(); });
    Note note([&] {
      const int n = ++running;
      if (n > most) most = n;
      EXPECT_TRUE(server.core->main_thread().run(inner)) << "from the main thread at once";
      minor = caught<CORBA::BAD_INV_ORDER>([&] { server.core->shutdown(true); }).minor();
      --running;
    });
    EXPECT_TRUE(server.core->main_thread().run(note));
  };
  std::thread main_thread([&] { server.core->run(); });
  auto client = make_core();
  CORBA::Object_var o = server.object_for(*client);
  std::thread callers[4];
  for (auto& t : callers)
    t = std::thread([&] {
      for (CORBA::ULong i = 0; i < 50; ++i) EXPECT_EQ(echo(o, i), i);
    });
  for (auto& t : callers) t.join();
  EXPECT_EQ(most, 1);
  EXPECT_EQ(where, main_thread.get_id());
  EXPECT_EQ(minor, omg(3)) << "the task is known to be inside an upcall";
  client->destroy();
  server.core->shutdown(false);
  main_thread.join();
}

TEST(MainThread, upcalls_that_wait_for_it_leave_the_threads_of_the_pool_to_others) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBServerThreads", "pool", "-ORBMaxPoolThreads", "1"});
  std::atomic<int> ran{0};
  server.handler.before = [&](ServerRequest& r) {
    Note note([&] { ++ran; });
    if (r.operation() != "wait") return;
    EXPECT_TRUE(server.core->main_thread().run(note));
  };
  RawClient waits(server.port()), others(server.port());
  std::thread([&] {  // not the thread that made the ORB
    for (std::uint32_t i = 0; i < 4; ++i) waits.send(message({.operation = "wait", .id = i}));
    while (server.handler.requests < 4) std::this_thread::yield();
    others.send(message({.id = 9}));
    EXPECT_EQ(others.hear().id, 9u);
  }).join();
  EXPECT_EQ(ran, 0);
  while (ran < 4) server.core->perform_work();
}

TEST(MainThread, a_task_that_waits_at_shutdown_is_refused) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  std::atomic<int> refused{0};
  server.handler.before = [&](ServerRequest&) {
    Note never([] { ADD_FAILURE(); });
    refused += !server.core->main_thread().run(never);
  };
  RawClient client(server.port());
  client.send(message({.id = 4}));
  while (!server.core->work_pending()) std::this_thread::yield();
  server.core->shutdown(true);
  EXPECT_EQ(client.hear().id, 4u);
  EXPECT_EQ(refused, 1);
  Note late([] { ADD_FAILURE(); });
  bool done = true;
  std::thread([&] { done = server.core->main_thread().run(late); }).join();
  EXPECT_FALSE(done);
}

TEST(MainThread, is_the_one_that_made_the_orb_until_somebody_serves) {
  EchoServer server({"-ORBEndpoint", "memory:main-thread"});
  int ran = 0;
  server.handler.before = [&](ServerRequest&) {
    Note note([&] { ++ran; });
    EXPECT_TRUE(server.core->main_thread().run(note));
  };
  CORBA::Object_var own = server.object_for(*server.core);
  EXPECT_EQ(echo(own, 5), 5u);
  EXPECT_EQ(ran, 1);
}

// --- Shutdown from anywhere ---

class ShutdownInEveryModel : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Models, ShutdownInEveryModel, ::testing::Values("connection", "pool", "single"),
                         [](const auto& p) { return std::string(p.param); });

TEST_P(ShutdownInEveryModel, waiting_for_oneself_inside_an_upcall_is_BAD_INV_ORDER_3) {
  ModelServer server(GetParam());
  std::vector<CORBA::ULong> minors;
  server.handler.before = [&](ServerRequest&) {
    Core& c = *server.core;
    minors.push_back(caught<CORBA::BAD_INV_ORDER>([&] { c.shutdown(true); }).minor());
    minors.push_back(caught<CORBA::BAD_INV_ORDER>([&] { c.destroy(); }).minor());
    minors.push_back(caught<CORBA::BAD_INV_ORDER>([&] { c.run(); }).minor());
  };
  RawClient client(server.port());
  client.send(message({.argument = 1}));
  EXPECT_EQ(client.hear().value, 1u);
  EXPECT_EQ(minors, (std::vector{omg(3), omg(3), omg(3)}));
}

TEST_P(ShutdownInEveryModel, an_upcall_may_start_it_and_is_answered) {
  ModelServer server(GetParam());
  server.handler.before = [&](ServerRequest&) { server.core->shutdown(false); };
  RawClient client(server.port());
  client.send(message({.argument = 9}));
  EXPECT_EQ(client.hear().value, 9u);
  EXPECT_EQ(client.hear().kind, EventKind::PeerClosing);
  server.core->destroy();
  EXPECT_EQ(server.core->server().connections(), 0u);
}

TEST_P(ShutdownInEveryModel, threads_that_shut_down_and_destroy_at_once_all_come_back) {
  for (int round = 0; round < 5; ++round) {
    ModelServer server(GetParam());
    RawClient client(server.port());
    client.send(message({.argument = 1}));
    EXPECT_EQ(client.hear().value, 1u);
    std::thread threads[4];
    for (int i = 0; i < 4; ++i)
      threads[i] = std::thread([&, i] {
        try {
          if (i == 0) server.core->destroy();
          else if (i == 1) server.core->run();
          else server.core->shutdown(i == 2);
        } catch (const CORBA::BAD_INV_ORDER&) {  // another was before
        } catch (const CORBA::OBJECT_NOT_EXIST&) {
        }
      });
    for (auto& t : threads) t.join();
    EXPECT_EQ(client.hear().kind, EventKind::PeerClosing);
  }
}

TEST_P(ShutdownInEveryModel, destroy_while_calls_run_ends_all_and_tells_the_truth) {
  for (int round = 0; round < 8; ++round) {
    auto server = std::make_unique<ModelServer>(GetParam());
    auto client = make_core();
    CORBA::Object_var o = server->object_for(*client);
    std::atomic<int> executed{0}, answered{0}, maybe{0};
    server->handler.before = [&](ServerRequest&) { ++executed; };
    std::thread threads[6];
    for (auto& t : threads)
      t = std::thread([&] {
        for (;;) {
          try {
            EXPECT_EQ(echo(o, 7), 7u);
            ++answered;
          } catch (const CORBA::SystemException& e) {
            maybe += e.completed() == CORBA::COMPLETED_MAYBE;
            return;
          }
        }
      });
    while (answered < 100) std::this_thread::yield();
    server->core->shutdown(true);
    const int done = executed;
    server->core->destroy();
    for (auto& t : threads) t.join();
    EXPECT_EQ(executed, done) << "no upcall after shutdown(true)";
    EXPECT_LE(answered, done);
    EXPECT_LE(done, answered + maybe);
    client->destroy();
  }
}

}  // namespace
}  // namespace callis::orb
