// SPDX-License-Identifier: Apache-2.0
// Calls through a proxy that cuts, halves, slices and delays their connections: each call must end in exactly one of
// its own reply and a system exception, in time; and its completion status must be true: NO never executed, YES
// executed once, MAYBE at most once. Nothing is executed twice.
//
//   fault_storm CALLS exclusive|shared|limited SEED [-ORB options of the clients]
#include <callis/orb/testing/echo.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>
#include "storm/proxy.h"

namespace {

using namespace callis;
using namespace callis::orb;

constexpr std::uint32_t kClients = 8, kThreads = 4;
constexpr Duration kCallTimeout{5'000};
constexpr std::uint32_t kMeanBytes = 500 * 36;  // a fault every 500 calls or so

enum class Outcome : std::uint8_t { None, Yes, No, Maybe };

struct Books {
  explicit Books(std::uint32_t calls)
      : size(calls), executed(new std::atomic<std::uint8_t>[calls]()), outcomes(new Outcome[calls]()) {}
  const std::uint32_t size;
  const std::unique_ptr<std::atomic<std::uint8_t>[]> executed;
  const std::unique_ptr<Outcome[]> outcomes;  // each written by the thread that calls
  std::atomic<std::uint32_t> wrong_replies{0};
  std::atomic<std::int64_t> longest_ms{0};
};

struct Handler final : RequestHandler {
  explicit Handler(Books& b) : books(b) {}
  void handle(ServerRequest& r) noexcept override {
    const auto v = r.arguments().get_ulong();
    if (v < books.size) ++books.executed[v];
    r.reply().put_ulong(v);
  }
  Locate locate(ByteView, ior::Ior&) noexcept override { return Locate::Here; }
  Books& books;
};

void call_range(CORBA::Object_ptr o, Books& books, std::uint32_t from, std::uint32_t to) {
  for (std::uint32_t v = from; v < to; ++v) {
    const TimePoint began = Clock::steady().now();
    try {
      books.wrong_replies += testing::echo(o, v) != v;
      books.outcomes[v] = Outcome::Yes;
    } catch (const CORBA::SystemException& e) {
      books.outcomes[v] = e.completed() == CORBA::COMPLETED_YES  ? Outcome::Yes
                          : e.completed() == CORBA::COMPLETED_NO ? Outcome::No
                                                                 : Outcome::Maybe;
    }
    const auto ms = std::chrono::duration_cast<Duration>(Clock::steady().now() - began).count();
    std::int64_t longest = books.longest_ms;
    while (ms > longest && !books.longest_ms.compare_exchange_weak(longest, ms)) {
    }
  }
}

int report(const Books& books, const storm::FaultProxy& proxy) {
  std::uint32_t counts[4] = {}, lies = 0, twice = 0;
  for (std::uint32_t v = 0; v < books.size; ++v) {
    const Outcome o = books.outcomes[v];
    const unsigned n = books.executed[v];
    ++counts[static_cast<unsigned>(o)];
    twice += n > 1;
    lies += o == Outcome::None || (o == Outcome::Yes && n != 1) || (o == Outcome::No && n != 0);
  }
  std::printf("calls %u: completed %u, NO %u, MAYBE %u; connections %llu, faults %llu; longest call %lld ms\n",
              books.size, counts[1], counts[2], counts[3], static_cast<unsigned long long>(proxy.connections()),
              static_cast<unsigned long long>(proxy.faults()), static_cast<long long>(books.longest_ms.load()));
  std::printf("wrong replies %u, executed twice %u, untrue completion status %u\n", books.wrong_replies.load(), twice,
              lies);
  const bool in_time = books.longest_ms <= kCallTimeout.count() + 1'000;
  const bool met = proxy.faults() != 0 && counts[3] != 0;
  if (!met) std::printf("FAILED: the proxy has done nothing\n");
  if (!in_time) std::printf("FAILED: a call went on after its deadline\n");
  return books.wrong_replies == 0 && twice == 0 && lies == 0 && in_time && met ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const auto calls = static_cast<std::uint32_t>(std::strtoul(argv[1], nullptr, 10));
  const std::string how = argv[2];
  std::vector<std::string> options{"-ORBCallTimeout", std::to_string(kCallTimeout.count())};
  if (how == "shared") options.insert(options.end(), {"-ORBClientConnections", "shared"});
  if (how == "limited") options.insert(options.end(), {"-ORBMaxConnectionsPerServer", "2"});
  for (int i = 4; i < argc; ++i) options.emplace_back(argv[i]);

  Books books(calls);
  Handler handler(books);
  testing::EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"}, {}, &handler);
  storm::FaultProxy proxy(server.port(), std::strtoull(argv[3], nullptr, 10), kMeanBytes);
  const std::string at = "corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(proxy.port()) + "/echo";
  std::vector<Counted<Core>> clients;
  std::vector<CORBA::Object_var> objects;
  for (std::uint32_t c = 0; c < kClients; ++c) {
    clients.push_back(testing::make_core(options));
    objects.emplace_back(clients.back()->string_to_object(at.c_str()));
  }
  std::vector<std::thread> threads;
  constexpr std::uint32_t kAll = kClients * kThreads;
  for (std::uint32_t t = 0; t < kAll; ++t)
    threads.emplace_back([&, t] {
      const auto part = [&](std::uint64_t i) { return static_cast<std::uint32_t>(calls * i / kAll); };
      call_range(objects[t % kClients], books, part(t), part(t + 1));
    });
  for (std::thread& t : threads) t.join();
  for (auto& c : clients) c->destroy();
  return report(books, proxy);
}
