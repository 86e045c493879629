// SPDX-License-Identifier: Apache-2.0
// Connections that many calls share (CORBA 3.3 part 2, 9.5.1 and 9.5.2): replies in any order, ids, time-outs, ends.
#include <gtest/gtest.h>
#include <callis/orb/endpoint/endpoint.h>
#include <callis/orb/endpoint/shared_pool.h>
#include <callis/orb/server/server.h>
#include <callis/orb/testing/peer_stream.h>
#include <callis/orb/testing/shared_client.h>
#include <future>
#include <set>

namespace callis::orb {
namespace {

using namespace testing;

// Takes in n requests before any is answered.
std::vector<PeerStream::Request> take(PeerStream& peer, std::size_t n) {
  std::vector<PeerStream::Request> all;
  while (all.size() < n) {
    auto r = peer.next();
    if (!r) break;
    all.push_back(*r);
  }
  return all;
}

TEST(SharedConnection, replies_in_any_order_reach_their_callers_9_5_2) {
  std::atomic<int> connections{0};
  TcpPeer peer([&](transport::Stream& s, int n) {
    connections = n;
    PeerStream p(s);
    for (;;) {
      const auto all = take(p, 6);
      if (all.size() < 6) return;
      for (auto r = all.rbegin(); r != all.rend(); ++r) p.reply(*r, r->argument);
    }
  });
  SharingClient client;
  auto o = peer.object(*client.core);
  for (int round = 0; round < 50; ++round) {
    auto results = call_each(6, [&](std::uint32_t v) { return echo(o, v); });
    for (std::uint32_t v = 1; v <= 6; ++v) EXPECT_EQ(results[v - 1].get(), v);
  }
  EXPECT_EQ(connections, 1);
  EXPECT_EQ(counts_of(o).pending, 0u);
}

TEST(SharedConnection, replies_in_one_packet_and_in_single_bytes_reach_their_callers) {
  for (const std::size_t slice : {std::size_t{1}, std::size_t{7}, std::size_t{1000}}) {
    TcpPeer peer([&](transport::Stream& s, int) {
      PeerStream p(s);
      for (;;) {
        Buffer all;
        const auto requests = take(p, 4);
        if (requests.size() < 4) return;
        for (const auto& r : requests) (void)all.append(PeerStream::whole_reply(r, r.argument).view());
        for (std::size_t at = 0; at < all.size(); at += slice)
          p.send(all.view(at).first(std::min(slice, all.size() - at)));
      }
    });
    SharingClient client;
    auto o = peer.object(*client.core);
    for (int round = 0; round < 10; ++round) {
      auto results = call_each(4, [&](std::uint32_t v) { return echo(o, v); });
      for (std::uint32_t v = 1; v <= 4; ++v) EXPECT_EQ(results[v - 1].get(), v);
    }
  }
}

TEST(SharedConnection, carries_the_calls_of_many_threads_to_a_real_server) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  SharingClient client;
  auto o = server.object_for(*client.core);
  auto results = call_each(8, [&](std::uint32_t t) {
    std::uint32_t wrong = 0;
    for (std::uint32_t i = 0; i < 1000; ++i) {
      wrong += echo(o, t * 10'000 + i) != t * 10'000 + i;
      if (i % 100 == 0) tell(o, i);
      if (i % 50 == 0) wrong += caught<Failure>([&] { call_ulong(o, "fail", t); }).code != t;
    }
    return wrong;
  });
  for (auto& r : results) EXPECT_EQ(r.get(), 0u);
  EXPECT_EQ(server.core->server().connections(), 1u);
  EXPECT_EQ(counts_of(o).unknown_replies, 0u);
}

TEST(SharedConnection, large_and_small_messages_whole_and_in_fragments_do_not_mix) {
  struct Octets final : RequestHandler {
    void handle(ServerRequest& r) noexcept override {
      const ByteView v = r.arguments().get_octets();
      r.reply().put_octets(v);
    }
    Locate locate(ByteView, ior::Ior&) noexcept override { return Locate::Here; }
  };
  struct Body final : CallBody {
    std::vector<Byte> octets;
    void encode(cdr::Encoder& e) override { e.put_octets(octets); }
    void decode(cdr::Decoder& d) override {
      const ByteView v = d.get_octets();
      octets.assign(v.begin(), v.end());
    }
    std::unique_ptr<CORBA::UserException> decode_exception(std::string_view, cdr::Decoder&) override { return {}; }
  };
  for (const char* version : {"1.0", "1.1", "1.2"}) {
    for (const char* fragment : {"0", "1024"}) {
      Octets handler;
      EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBFragmentSize", fragment}, {}, &handler);
      SharingClient client({"-ORBFragmentSize", fragment, "-ORBGIOPVersion", version});
      auto o = server.object_for(*client.core);
      auto results = call_each(6, [&](std::uint32_t t) {
        std::uint32_t wrong = 0;
        for (std::size_t n : {0u, 10u, 3000u, 20'000u, 300'000u, 5u}) {
          Body body;
          for (std::size_t i = 0; i < n; ++i) body.octets.push_back(static_cast<Byte>(i * 7 + t));
          const auto sent = body.octets;
          call(reference_of(o), {"octets"}, body);
          wrong += body.octets != sent;
        }
        return wrong;
      });
      for (auto& r : results) EXPECT_EQ(r.get(), 0u) << version << " in fragments of " << fragment;
      EXPECT_EQ(server.core->server().connections(), 1u);
    }
  }
}

// --- Time-outs (9.4.4, 9.5.1) ---

TEST(SharedConnection, a_time_out_leaves_the_connection_and_its_late_reply_is_dropped) {
  std::promise<void> timed_out;
  auto has_timed_out = timed_out.get_future();
  std::atomic<int> connections{0};
  std::uint32_t cancelled = 0, first = 0;
  TcpPeer peer([&](transport::Stream& s, int n) {
    connections = n;
    PeerStream p(s);
    const auto late = p.next();
    first = late->id;
    const auto cancel = p.next();
    if (cancel && cancel->type == giop::MessageType::CancelRequest) cancelled = cancel->id;
    has_timed_out.wait();
    p.reply(*late, 666);
    while (const auto r = p.next()) p.reply(*r, r->argument);
  });
  SharingClient client({"-ORBCallTimeout", "300"});
  auto o = peer.object(*client.core);
  const auto e = caught<CORBA::TIMEOUT>([&] { echo(o, 1); });
  EXPECT_EQ(e.minor(), omg(2));
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_MAYBE);
  EXPECT_EQ(counts_of(o).retired, 1u);
  timed_out.set_value();
  EXPECT_EQ(echo(o, 2), 2u);
  EXPECT_EQ(connections, 1);
  EXPECT_EQ(cancelled, first) << "9.4.4";
  const auto counts = counts_of(o);
  EXPECT_EQ(counts.late_replies, 1u);
  EXPECT_EQ(counts.retired, 0u);
  EXPECT_EQ(counts.pending, 0u);
}

// After a CancelRequest for a running request, omniORB answers nothing more on the connection.
TEST(SharedConnection, a_call_given_up_is_not_cancelled_at_an_omniORB) {
  std::promise<void> timed_out;
  auto has_timed_out = timed_out.get_future();
  std::atomic<bool> cancelled{false};
  TcpPeer peer([&](transport::Stream& s, int) {
    PeerStream p(s);
    const auto late = p.next();
    has_timed_out.wait();
    while (const auto r = p.next()) {
      if (r->type == giop::MessageType::CancelRequest) {
        cancelled = true;
      } else {
        p.reply(*r, r->argument);
      }
    }
  });
  SharingClient client({"-ORBCallTimeout", "300"});
  auto o = peer.object(*client.core, {ior::orb_type_component(ior::kOmniOrbType)});
  EXPECT_EQ(caught<CORBA::TIMEOUT>([&] { echo(o, 1); }).completed(), CORBA::COMPLETED_MAYBE);
  timed_out.set_value();
  EXPECT_EQ(echo(o, 2), 2u);
  EXPECT_FALSE(cancelled);
  EXPECT_EQ(counts_of(o).retired, 1u);
}

TEST(SharedConnection, one_callers_deadline_does_not_end_the_others_wait) {
  std::promise<void> timed_out;
  auto has_timed_out = timed_out.get_future();
  TcpPeer peer([&](transport::Stream& s, int) {
    PeerStream p(s);
    auto all = take(p, 3);
    has_timed_out.wait();
    for (const auto& r : all) p.reply(r, r.argument);
    while (p.next()) {}
  });
  SharingClient patient;
  auto o = peer.object(*patient.core);
  const auto shared = [&] { return endpoint_of(o).shared(); };
  auto results = call_each(2, [&](std::uint32_t v) { return echo(o, v); });
  // A call with a deadline of its own, on the same connection.
  std::unique_ptr<ClientConnection> c;
  while (!c) {
    const auto all = shared()->connections();
    if (all.size() == 1) c = all[0]->take(false, Clock::coarse());
    else std::this_thread::yield();
  }
  ASSERT_EQ(build_echo(*c, 3), Fault::None);
  ASSERT_TRUE(c->send(Deadline()).ok());
  ClientConnection::Arrival a;
  c->receive(c->new_id(), Deadline::in(Duration(50)), a);
  EXPECT_EQ(a.fault, Fault::DeadlinePassed);
  c.reset();
  timed_out.set_value();
  EXPECT_EQ(results[0].get(), 1u);
  EXPECT_EQ(results[1].get(), 2u);
  // The late reply may have come before theirs, or not at all yet.
  const auto counts = counts_of(o);
  EXPECT_EQ(counts.late_replies + counts.retired, 1u);
}

TEST(SharedConnection, ids_given_up_are_not_used_again_across_the_wrap_around) {
  constexpr std::uint32_t kLate = 1'000'000;
  std::mutex mutex;
  std::vector<PeerStream::Request> unanswered;
  std::vector<std::uint32_t> ids;
  TcpPeer peer([&](transport::Stream& s, int) {
    PeerStream p(s);
    while (const auto r = p.next()) {
      if (r->type != giop::MessageType::Request) continue;
      std::lock_guard lock(mutex);
      ids.push_back(r->id);
      if (r->argument % 10 == 0) unanswered.push_back(*r);
      else p.reply(*r, r->argument);
      // Nearly all of them late.
      if (unanswered.size() == 20) {
        for (const auto& late : unanswered) p.reply(late, late.argument + kLate);
        unanswered.clear();
      }
    }
  });
  const Limits limits;
  auto stream = transport::connect_tcp("127.0.0.1", peer.port(), Deadline()).value();
  auto shared =
      std::make_shared<SharedConnection>(std::move(stream), limits, 0, std::chrono::microseconds(0), 0xffffff00u);
  std::atomic<std::uint32_t> wrong{0}, timeouts{0};
  auto results = call_each(4, [&](std::uint32_t t) {
    for (std::uint32_t i = 0; i < 400; ++i) {
      auto c = shared->take(false, Clock::coarse());
      if (!c) return 1u;
      const std::uint32_t value = t * 1000 + i;
      if (build_echo(*c, value) != Fault::None || !c->send(Deadline()).ok()) return 2u;
      ClientConnection::Arrival a;
      c->receive(c->new_id(), value % 10 == 0 ? Deadline::in(Duration(1)) : Deadline(), a);
      if (a.fault == Fault::DeadlinePassed) {
        ++timeouts;
        continue;  // the lane goes, the id is retired
      }
      if (!a.plain) return 3u;
      const std::uint32_t expected = value % 10 == 0 ? value + kLate : value;
      wrong += load<std::uint32_t>(a.body.data()) != expected;
      SharedConnection::give_back(std::move(c), Clock::coarse());
    }
    return 0u;
  });
  for (auto& r : results) EXPECT_EQ(r.get(), 0u);
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(timeouts, 100u);
  const auto counts = shared->counts();
  EXPECT_EQ(counts.late_replies + counts.retired, timeouts);
  EXPECT_EQ(counts.unknown_replies, 0u);
  EXPECT_EQ(counts.pending, 0u);
  std::lock_guard lock(mutex);
  EXPECT_LT(ids.back(), 0xffffff00u) << "wrapped around";
  const std::set<std::uint32_t> different(ids.begin(), ids.end());
  EXPECT_EQ(different.size(), ids.size());
  EXPECT_TRUE(different.contains(0xffffff00u) && different.contains(0xffffffffu) && different.contains(0));
}

TEST(SharedConnection, a_call_of_id_0_can_be_given_up) {
  TcpPeer peer([&](transport::Stream& s, int) {
    PeerStream p(s);
    while (p.next()) continue;
  });
  const Limits limits;
  auto stream = transport::connect_tcp("127.0.0.1", peer.port(), Deadline()).value();
  auto shared = std::make_shared<SharedConnection>(std::move(stream), limits, 0, std::chrono::microseconds(0), 0);
  auto c = shared->take(false, Clock::coarse());
  EXPECT_EQ(c->new_id(), 0u);
  ASSERT_TRUE(build_echo(*c, 1) == Fault::None && c->send(Deadline()).ok());
  ClientConnection::Arrival a;
  c->receive(0, Deadline::in(Duration(1)), a);
  EXPECT_EQ(a.fault, Fault::DeadlinePassed);
  c.reset();
  EXPECT_EQ(shared->counts().pending, 0u) << "the table does not lead to a lane that is gone";
  EXPECT_EQ(shared->counts().retired, 1u);
}

TEST(SharedConnection, a_reply_is_late_before_its_lane_is_gone_too) {
  TcpPeer peer([&](transport::Stream& s, int) {
    PeerStream p(s);
    const auto first = p.next(), second = p.next();
    if (!first || !second) return;
    p.reply(*first, 1);
    p.reply(*second, 2);
    while (p.next()) continue;
  });
  const Limits limits;
  auto stream = transport::connect_tcp("127.0.0.1", peer.port(), Deadline()).value();
  auto shared = std::make_shared<SharedConnection>(std::move(stream), limits, 0, std::chrono::microseconds(0));
  auto impatient = shared->take(false, Clock::coarse()), patient = shared->take(false, Clock::coarse());
  ClientConnection::Arrival a, b;
  ASSERT_TRUE(build_echo(*impatient, 1) == Fault::None && impatient->send(Deadline()).ok());
  impatient->receive(impatient->new_id(), Deadline::in(Duration(1)), a);
  EXPECT_EQ(a.fault, Fault::DeadlinePassed);
  ASSERT_TRUE(build_echo(*patient, 2) == Fault::None && patient->send(Deadline()).ok());
  patient->receive(patient->new_id(), Deadline(), b);
  EXPECT_TRUE(b.plain);
  impatient.reset();
  EXPECT_EQ(shared->counts().late_replies, 1u);
  EXPECT_EQ(shared->counts().retired, 0u);
}

// --- The connection ends ---

TEST(SharedConnection, its_loss_is_COMM_FAILURE_MAYBE_for_every_call_under_way) {
  TcpPeer peer([&](transport::Stream& s, int n) {
    PeerStream p(s);
    if (n == 1) {
      take(p, 5);
      return;
    }
    while (const auto r = p.next()) p.reply(*r, r->argument);
  });
  SharingClient client;
  auto o = peer.object(*client.core);
  auto results = call_each(5, [&](std::uint32_t v) {
    const auto e = caught<CORBA::COMM_FAILURE>([&] { echo(o, v); });
    EXPECT_EQ(e.minor(), own(Fault::ConnectionLost));
    return static_cast<std::uint32_t>(e.completed());
  });
  for (auto& r : results) EXPECT_EQ(r.get(), static_cast<std::uint32_t>(CORBA::COMPLETED_MAYBE));
  EXPECT_EQ(echo(o, 2), 2u) << "the next call opens another";
}

TEST(SharedConnection, CloseConnection_sends_every_unanswered_call_again_9_4_7) {
  std::atomic<int> connections{0};
  TcpPeer peer([&](transport::Stream& s, int n) {
    connections = n;
    PeerStream p(s);
    if (n == 1) {
      const auto all = take(p, 5);
      p.reply(all[0], all[0].argument);
      p.send(giop::close_connection(giop::kGiop12));
      return;
    }
    while (const auto r = p.next()) p.reply(*r, r->argument);
  });
  SharingClient client;
  auto o = peer.object(*client.core);
  auto results = call_each(5, [&](std::uint32_t v) { return echo(o, v); });
  for (std::uint32_t v = 1; v <= 5; ++v) EXPECT_EQ(results[v - 1].get(), v);
  EXPECT_EQ(connections, 2);
}

TEST(SharedConnection, MessageError_and_garbage_end_every_call_under_way) {
  for (const bool garbage : {false, true}) {
    TcpPeer peer([&](transport::Stream& s, int) {
      PeerStream p(s);
      take(p, 3);
      if (garbage) p.send(bytes_of("HTTP/1.1 400 Bad Request\r\n\r\n"));
      else p.send(giop::message_error(giop::kGiop12));
      while (p.next()) {}
    });
    SharingClient client;
    auto o = peer.object(*client.core);
    auto results =
        call_each(3, [&](std::uint32_t v) { return caught<CORBA::COMM_FAILURE>([&] { echo(o, v); }).minor(); });
    for (auto& r : results) EXPECT_EQ(r.get(), garbage ? own(Fault::BadMagic) : kMessageErrorReceived);
  }
}

TEST(SharedConnection, a_reply_above_the_limit_is_IMP_LIMIT_for_its_call_alone) {
  TcpPeer peer([&](transport::Stream& s, int) {
    PeerStream p(s);
    for (const auto& r : take(p, 2))
      if (r.argument == 1) p.send(PeerStream::whole_reply(r, 1, 5000).view());
    while (p.next()) {}
  });
  SharingClient client({"-ORBMaxMessageSize", "4096"});
  auto o = peer.object(*client.core);
  auto large = std::async(std::launch::async, [&] { return caught<CORBA::IMP_LIMIT>([&] { echo(o, 1); }).minor(); });
  auto other =
      std::async(std::launch::async, [&] { return caught<CORBA::COMM_FAILURE>([&] { echo(o, 2); }).minor(); });
  EXPECT_EQ(large.get(), own(Fault::LimitExceeded));
  EXPECT_EQ(other.get(), own(Fault::ConnectionLost));
}

TEST(SharedConnection, fragments_without_end_are_limited_like_a_message) {
  TcpPeer peer([&](transport::Stream& s, int) {
    PeerStream p(s);
    const auto r = p.next();
    std::vector<Byte> first(32), piece(4096);
    giop::MessageHeader h;
    h.type = giop::MessageType::Reply;
    h.more_fragments = true;
    h.body_bytes = 20;
    giop::write_header(first.data(), h);
    store(first.data() + 12, r->id);
    p.send(first);
    h.type = giop::MessageType::Fragment;
    h.body_bytes = static_cast<std::uint32_t>(piece.size() - giop::kHeaderBytes);
    giop::write_header(piece.data(), h);
    store(piece.data() + 12, r->id);
    while (p.send(piece)) {}
  });
  SharingClient client({"-ORBMaxMessageSize", "1000000"});
  auto o = peer.object(*client.core);
  EXPECT_EQ(caught<CORBA::IMP_LIMIT>([&] { echo(o, 1); }).minor(), own(Fault::LimitExceeded));
  client.core->destroy();
  client.core = make_core();
}

TEST(SharedConnection, one_closed_while_nobody_calls_is_replaced_without_an_error) {
  auto server = std::make_unique<EchoServer>(std::vector<std::string>{"-ORBEndpoint", "tcp:127.0.0.1:0"});
  const std::string at = "tcp:127.0.0.1:" + std::to_string(server->port());
  SharingClient client;
  auto o = server->object_for(*client.core);
  for (std::uint32_t round = 1; round < 5; ++round) {
    EXPECT_EQ(echo(o, round), round);
    server.reset();
    server = std::make_unique<EchoServer>(std::vector<std::string>{"-ORBEndpoint", at});
  }
}

TEST(SharedConnection, unused_for_long_is_closed) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  SharingClient client;
  auto o = server.object_for(*client.core);
  echo(o, 1);
  const TimePoint now = Clock::steady().now();
  endpoint_of(o).close_old(now + Duration(50'000));
  EXPECT_EQ(endpoint_of(o).shared()->connections().size(), 1u);
  endpoint_of(o).close_old(now + Duration(70'000));
  EXPECT_EQ(endpoint_of(o).shared()->connections().size(), 0u);
  EXPECT_EQ(echo(o, 2), 2u);
}

TEST(SharedConnection, a_refused_connection_is_told_to_all_who_wait_for_it) {
  const auto port = [] { return transport::listen_tcp("127.0.0.1", 0).value()->port(); }();
  SharingClient client;
  CORBA::Object_var o = client.core->string_to_object(
      ("corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(port) + "/echo").c_str());
  auto results = call_each(4, [&](std::uint32_t v) { return caught<CORBA::TRANSIENT>([&] { echo(o, v); }).minor(); });
  for (auto& r : results) EXPECT_EQ(r.get(), own(Fault::ConnectRefused));
}

}  // namespace
}  // namespace callis::orb
