// SPDX-License-Identifier: Apache-2.0
// Clients whose calls share connections, and many calls at once.
#pragma once
#include <callis/orb/endpoint/endpoint.h>
#include <callis/orb/endpoint/shared_pool.h>
#include <callis/orb/testing/peer_stream.h>
#include <callis/orb/testing/scripted_peer.h>
#include <gtest/gtest.h>
#include <functional>
#include <future>

namespace callis::orb::testing {

// A client whose calls share one connection.
struct SharingClient {
  Counted<Core> core;
  explicit SharingClient(std::vector<std::string> args = {}, const std::function<void(Options&)>& tune = {}) {
    args.insert(args.begin(), {"-ORBClientConnections", "shared"});
    core = make_core(std::move(args), tune);
  }
  ~SharingClient() { core->destroy(); }
};

inline Endpoint& endpoint_of(CORBA::Object_ptr o) { return *o->_callis_reference()->paths()[0].endpoint; }
// The counts of the one connection there is.
inline SharedConnection::Counts counts_of(CORBA::Object_ptr o) {
  const auto all = endpoint_of(o).shared()->connections();
  EXPECT_EQ(all.size(), 1u);
  return all.empty() ? SharedConnection::Counts{} : all[0]->counts();
}

// The request of echo(v), as a call would build it.
inline Fault build_echo(ClientConnection& c, std::uint32_t v) {
  c.request().clear();
  cdr::Encoder e(c.request());
  giop::OutgoingRequest r;
  r.request_id = c.new_id();
  r.target = giop::Target::key(bytes_of("echo"));
  r.operation = "echo";
  const auto s = giop::begin_request(e, giop::kGiop12, r);
  e.put_ulong(v);
  return giop::finish_message(e, s);
}

// A shared connection, and its peer's end in the test's own hands.
struct SharedPair {
  std::unique_ptr<transport::TcpListener> listener = transport::listen_tcp("127.0.0.1", 0).value();
  Limits limits;
  std::shared_ptr<SharedConnection> connection = std::make_shared<SharedConnection>(
      transport::connect_tcp("127.0.0.1", listener->port(), soon()).value(), limits, 0, std::chrono::microseconds(0));
  std::unique_ptr<transport::Stream> accepted = listener->accept().value();
  PeerStream peer{*accepted};

  static Deadline soon() { return Deadline::in(Duration(10'000)); }
  // A request is under way on it, as the peer has it.
  std::unique_ptr<ClientConnection> call(std::uint32_t v, PeerStream::Request& there) {
    auto c = connection->take(false, Clock::steady().now());
    EXPECT_EQ(build_echo(*c, v), Fault::None);
    EXPECT_TRUE(c->send(soon()).ok());
    there = peer.next().value();
    return c;
  }
};

// f(v) on a thread of its own for each v from 1 to n. No template: std::async() with a function of each test's own
// takes the compiler a third of a second.
inline std::vector<std::future<std::uint32_t>> call_each(std::uint32_t n,
                                                         const std::function<std::uint32_t(std::uint32_t)>& f) {
  std::vector<std::future<std::uint32_t>> results;
  for (std::uint32_t v = 1; v <= n; ++v) results.push_back(std::async(std::launch::async, f, v));
  return results;
}

}  // namespace callis::orb::testing
