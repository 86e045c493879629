// SPDX-License-Identifier: Apache-2.0
// Many threads against servers that come, go and cut connections. Every call ends either with its own reply or with a
// system exception, and the completion status is true.
#include <gtest/gtest.h>
#include <callis/orb/server/server.h>
#include <callis/orb/testing/scripted_peer.h>
#include <mutex>
#include <set>

namespace callis::orb {
namespace {

using namespace testing;

// Which values were executed, by the server; and how the calls ended, by the clients.
struct Books {
  std::mutex mutex;
  std::multiset<std::uint32_t> executed;
  std::set<std::uint32_t> yes, no, maybe;

  void executed_one(std::uint32_t v) {
    std::lock_guard lock(mutex);
    executed.insert(v);
  }
  void ended(std::uint32_t v, CORBA::CompletionStatus how) {
    std::lock_guard lock(mutex);
    (how == CORBA::COMPLETED_YES ? yes : how == CORBA::COMPLETED_NO ? no : maybe).insert(v);
  }
  void check() {
    for (auto v : yes) EXPECT_EQ(executed.count(v), 1u) << "YES: executed once";
    for (auto v : no) EXPECT_EQ(executed.count(v), 0u) << "NO: never executed";
    for (auto v : maybe) EXPECT_LE(executed.count(v), 1u) << "MAYBE: at most once";
  }
};

// An EchoHandler counts in `before`, where the argument is still to be read; so a handler of its own.
struct CountingHandler final : RequestHandler {
  Books& books;
  explicit CountingHandler(Books& b) : books(b) {}
  void handle(ServerRequest& r) noexcept override {
    const auto v = r.arguments().get_ulong();
    books.executed_one(v);
    r.reply().put_ulong(v);
  }
  Locate locate(ByteView, ior::Ior&) noexcept override { return Locate::Here; }
};

void call_many(CORBA::Object_ptr o, Books& books, std::uint32_t from, std::uint32_t n, std::atomic<int>& wrong) {
  for (std::uint32_t v = from; v < from + n; ++v) {
    try {
      wrong += echo(o, v) != v;
      books.ended(v, CORBA::COMPLETED_YES);
    } catch (const CORBA::SystemException& e) {
      books.ended(v, e.completed());
    }
  }
}

// Whether clients share connections.
class EveryUse : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Stress, EveryUse, ::testing::Values("exclusive", "shared"),
                         [](const auto& p) { return std::string(p.param); });

TEST_P(EveryUse, completion_status_tells_the_truth_while_servers_shut_down_and_start_again) {
  Books books;
  CountingHandler handler(books);
  std::atomic<int> wrong{0};
  auto client = make_core({"-ORBClientConnections", GetParam()});
  auto server = std::make_unique<EchoServer>(std::vector<std::string>{"-ORBEndpoint", "tcp:127.0.0.1:0"},
                                             std::function<void(Options&)>(), &handler);
  const std::string at = "tcp:127.0.0.1:" + std::to_string(server->port());
  CORBA::Object_var o = server->object_for(*client);
  std::vector<std::thread> threads;
  std::atomic<int> finished{0};
  for (std::uint32_t t = 0; t < 6; ++t)
    threads.emplace_back([&, t] {
      call_many(o, books, t * 100'000, 400, wrong);
      ++finished;
    });
  for (int round = 0; round < 5 && finished < 6; ++round) {
    while (server->core->server().connections() == 0 && finished < 6) std::this_thread::yield();
    server.reset();
    server = std::make_unique<EchoServer>(std::vector<std::string>{"-ORBEndpoint", at},
                                          std::function<void(Options&)>(), &handler);
  }
  for (auto& t : threads) t.join();
  client->destroy();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(books.yes.size() + books.no.size() + books.maybe.size(), 6u * 400u);
  EXPECT_GT(books.yes.size(), 0u);
  books.check();
}

TEST(Stress, completion_status_tells_the_truth_while_connections_are_cut) {
  Books books;
  std::atomic<int> wrong{0}, turns{0};
  // Every 7th request is answered by a cut before it was executed, every 11th by one after it, every 13th by
  // CloseConnection instead of execution.
  Script script = [&](Turn& t) {
    const int n = ++turns;
    if (n % 7 == 0) return false;
    if (n % 13 == 0) return t.close_connection();
    books.executed_one(*t.argument);
    if (n % 11 == 0) return false;
    return t.echo();
  };
  struct Acceptor final : transport::MemoryAcceptor {
    Script& script;
    std::atomic<int> connections{0};
    explicit Acceptor(Script& s) : script(s) {}
    std::unique_ptr<transport::MemoryConnection> accept() override {
      struct Own final : transport::MemoryConnection {
        int requests = 0;
        ScriptedConnection c;
        Own(Script& s, int n) : c(s, n, requests) {}
        bool bytes_in(ByteView b, Buffer& a) override { return c.bytes_in(b, a); }
      };
      return std::make_unique<Own>(script, ++connections);
    }
  };
  auto endpoint = transport::listen_memory("cutting", std::make_shared<Acceptor>(script)).value();
  auto client = make_core();
  CORBA::Object_var o = client->string_to_object(
      ior::to_text({"", {ior::to_profile(ior::MemoryProfile{"cutting", {1}})}}).c_str());
  std::vector<std::thread> threads;
  for (std::uint32_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] { call_many(o, books, t * 100'000, 2000, wrong); });
  for (auto& t : threads) t.join();
  client->destroy();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(books.yes.size() + books.no.size() + books.maybe.size(), 4u * 2000u);
  EXPECT_GT(books.maybe.size(), 0u);
  books.check();
}

// A client that asks for a connection at that moment asks again a second later (TcpListener::close()).
TEST_P(EveryUse, shutdown_ends_while_many_call) {
  for (int round = 0; round < 8; ++round) {
    EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
    auto client = make_core({"-ORBClientConnections", GetParam()});
    auto o = server.object_for(*client);
    CORBA::Object_var own = server.object_for(*server.core);
    std::atomic<bool> stop{false};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        while (!stop) {
          try {
            echo(t % 2 ? o.in() : own.in(), 1);
          } catch (const CORBA::SystemException&) {
            std::this_thread::yield();
          }
        }
      });
    while (server.handler.requests < 50) std::this_thread::yield();
    server.core->shutdown(true);
    const int executed = server.handler.requests;
    stop = true;
    for (auto& t : threads) t.join();
    EXPECT_EQ(server.handler.requests, executed) << "no upcall after shutdown(true)";
    client->destroy();
  }
}

TEST_P(EveryUse, destroy_while_calls_are_out_ends_them) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  auto client = make_core({"-ORBClientConnections", GetParam()});
  auto o = server.object_for(*client);
  std::atomic<int> calls{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      try {
        for (;;) {
          echo(o, 1);
          ++calls;
        }
      } catch (const CORBA::BAD_INV_ORDER& e) {
        EXPECT_EQ(e.minor(), omg(4));
      }
    });
  while (calls < 100) std::this_thread::yield();
  client->destroy();
  for (auto& t : threads) t.join();
}

}  // namespace
}  // namespace callis::orb
