// SPDX-License-Identifier: Apache-2.0
// Deadlines hold however much comes: replies to other requests, pieces that never make a whole, CancelRequests.
#include <gtest/gtest.h>
#include <callis/base/peer_memory.h>
#include <callis/ior/listen_points.h>
#include <callis/orb/client/locate.h>
#include <callis/orb/endpoint/held_oneways.h>
#include <callis/orb/endpoint/shared_connection.h>
#include <callis/orb/server/worker.h>
#include <callis/orb/testing/model_server.h>
#include <callis/orb/testing/raw_client.h>
#include <callis/orb/testing/scripted_peer.h>
#include <future>

namespace callis::orb {
namespace {

using namespace testing;

using Bytes = std::vector<Byte>;

Bytes octets_of(const Buffer& b) { return {b.data(), b.data() + b.size()}; }

Bytes reply_of_octets(std::uint32_t id, std::size_t more = 0) {
  Buffer b;
  cdr::Encoder e(b);
  const auto s = giop::begin_reply(e, giop::kGiop12, id, giop::ReplyStatus::NoException);
  e.put_octets(Bytes(more));
  EXPECT_EQ(giop::finish_message(e, s), Fault::None);
  return octets_of(b);
}

// A message of GIOP 1.2 with nothing but an id and so many bytes behind it.
Bytes piece(giop::MessageType type, std::uint32_t id, bool more, std::size_t bytes = 0) {
  Bytes m(giop::kFragmentHeaderBytes + bytes);
  giop::MessageHeader h;
  h.version = giop::kGiop12;
  h.order = kNativeOrder;
  h.type = type;
  h.more_fragments = more;
  h.body_bytes = static_cast<std::uint32_t>(m.size() - giop::kHeaderBytes);
  giop::write_header(m.data(), h);
  store(m.data() + giop::kHeaderBytes, id);
  return m;
}

// A peer that always has something more to say, and takes in everything: first what comes once, then the same for
// ever. It gives up after kMost receives, where what is tested has failed.
class Endless final : public transport::Stream {
 public:
  static constexpr std::size_t kMost = 20'000'000;

  explicit Endless(Bytes again, Bytes once = {}, std::size_t slice = SIZE_MAX)
      : bytes_(std::move(once)), again_(std::move(again)), slice_(slice) {}

  using Stream::send;
  transport::Transfer send(std::span<const ByteView> parts, Deadline) override {
    std::size_t n = 0;
    for (const ByteView p : parts) n += p.size();
    return {n};
  }
  using Stream::receive;
  transport::Transfer receive(MutableBytes into, Deadline, TimePoint) override {
    if (++receives > kMost || down_) return {0, Fault::ConnectionLost};
    std::size_t n = 0;
    for (; n < std::min(into.size(), slice_); ++n) {
      if (at_ == bytes_.size()) {
        bytes_ = again_;
        at_ = 0;
      }
      into[n] = bytes_[at_++];
    }
    return {n};
  }
  bool quiet() override { return false; }
  void finish_sending() noexcept override {}
  void stop_receiving() noexcept override {}
  void shutdown() noexcept override { down_ = true; }
  const std::string& peer() const override { return name_; }
  const transport::Peer& peer_identity() const override { return identity_; }

  std::size_t receives = 0;

 private:
  Bytes bytes_;
  const Bytes again_;
  const std::size_t slice_;
  std::size_t at_ = 0;
  bool down_ = false;
  const std::string name_ = "endless";
  const transport::Peer identity_;
};

// Legal messages that answer nothing, and pieces of a message that never ends.
std::vector<Endless*> everything_endless() {
  const Bytes large = reply_of_octets(1, 1u << 20);
  const Bytes locate_reply = [] {
    Buffer b;
    cdr::Encoder e(b);
    const auto s = giop::begin_locate_reply(e, giop::kGiop12, 77, giop::LocateStatus::ObjectHere);
    EXPECT_EQ(giop::finish_message(e, s), Fault::None);
    return octets_of(b);
  }();
  return {
      new Endless(reply_of_octets(77)),
      new Endless(locate_reply),
      new Endless(Bytes(16), Bytes(large.begin(), large.begin() + 100), 16),
      new Endless({0}, Bytes(large.begin(), large.begin() + 24), 1),
      new Endless(piece(giop::MessageType::Fragment, 1, true, 1000), piece(giop::MessageType::Reply, 1, true, 1000)),
      new Endless(piece(giop::MessageType::Fragment, 77, true, 1000), piece(giop::MessageType::Reply, 77, true, 1000),
                  8)};
}

const Limits kLimits;

TEST(ClientDeadline, once_passed_nothing_is_read_but_what_the_first_receive_finds) {
  for (Endless* const s : everything_endless()) {
    ClientConnection c(std::unique_ptr<transport::Stream>(s), kLimits);
    ClientConnection::Arrival a;
    c.receive(1, Deadline::at({}), a);
    EXPECT_EQ(a.fault, Fault::DeadlinePassed);
    EXPECT_EQ(s->receives, 1u);
  }
}

TEST(ClientDeadline, ends_the_wait_for_a_reply_whatever_comes_instead) {
  for (Endless* const s : everything_endless()) {
    Limits limits;
    limits.max_fragments = UINT32_MAX;
    limits.max_message_bytes = SIZE_MAX / 2;
    ClientConnection c(std::unique_ptr<transport::Stream>(s), limits);
    ClientConnection::Arrival a;
    c.receive(1, Deadline::in(Duration(5)), a);
    EXPECT_TRUE(a.fault == Fault::DeadlinePassed || a.fault == Fault::None) << "None: it was the megabyte that came";
    EXPECT_LT(s->receives, Endless::kMost);
  }
}

TEST(ClientDeadline, what_came_in_time_is_found_late) {
  auto* const s = new Endless(reply_of_octets(77), reply_of_octets(1));
  ClientConnection c(std::unique_ptr<transport::Stream>(s), kLimits);
  ClientConnection::Arrival a;
  c.receive(1, Deadline::at({}), a);
  EXPECT_EQ(a.fault, Fault::None);
}

// Callers without any deadline have that limit alone.
TEST(ClientLimits, end_a_reply_in_pieces_that_never_ends) {
  const std::size_t before = PeerMemory::held();
  {
    auto* const s = new Endless(piece(giop::MessageType::Fragment, 1, true, 100'000),
                                piece(giop::MessageType::Reply, 1, true, 1000));
    ClientConnection c(std::unique_ptr<transport::Stream>(s), kLimits);
    ClientConnection::Arrival a;
    c.receive(1, Deadline(), a);
    EXPECT_EQ(a.fault, Fault::LimitExceeded);
    EXPECT_LT(s->receives, Endless::kMost);
    EXPECT_LE(PeerMemory::held(), before + 2 * kLimits.max_message_bytes);
  }
  EXPECT_EQ(PeerMemory::held(), before);
}

std::unique_ptr<ClientConnection> request_sent(SharedConnection& shared) {
  auto c = shared.take(false, Clock::steady().now());
  (void)c->new_id();
  EXPECT_TRUE(c->request().append(message({.id = c->lane()->id()})));
  EXPECT_TRUE(c->send(Deadline()).ok());
  return c;
}

TEST(SharedDeadline, once_passed_nothing_is_read_but_what_the_first_receive_finds) {
  for (Endless* const s : everything_endless()) {
    const auto shared = std::make_shared<SharedConnection>(std::unique_ptr<transport::Stream>(s), kLimits, 0,
                                                           std::chrono::microseconds(0), 1000);
    const auto c = request_sent(*shared);
    const std::size_t before = s->receives;
    ClientConnection::Arrival a;
    c->receive(c->lane()->id(), Deadline::at({}), a);
    EXPECT_NE(a.fault, Fault::None);
    EXPECT_LE(s->receives - before, 1u);
  }
}

TEST(SharedDeadline, a_call_begins_however_much_has_come_while_nobody_waited) {
  auto* const s = new Endless(reply_of_octets(77));
  const auto shared = std::make_shared<SharedConnection>(std::unique_ptr<transport::Stream>(s), kLimits, 0,
                                                         std::chrono::microseconds(0), 1000);
  EXPECT_NE(shared->take(false, Clock::steady().now()), nullptr);
  EXPECT_LE(s->receives, 64u);
}

// --- Over the wire

TEST(ClientDeadline, holds_against_servers_that_never_stop_talking) {
  for (const char* connections : {"exclusive", "shared"}) {
    TcpPeer peer([](transport::Stream& s, int) {
      const Bytes other = reply_of_octets(0xfffffff0);
      Bytes many;
      for (int i = 0; i < 100; ++i) many.insert(many.end(), other.begin(), other.end());
      while (s.send(many, Deadline()).ok()) {}
    });
    auto client = make_core({"-ORBCallTimeout", "100", "-ORBClientConnections", connections});
    auto o = peer.object(*client);
    EXPECT_EQ(caught<CORBA::TIMEOUT>([&] { echo(o, 1); }).completed(), CORBA::COMPLETED_MAYBE);
    caught<CORBA::TIMEOUT>([&] { (void)locate(*o->_callis_reference(), Deadline::in(Duration(100))); });
    caught<CORBA::TIMEOUT>([&] { echo(o, 1); });
    client->destroy();
  }
}

TEST(ClientDeadline, holds_for_oneways_that_are_answered) {
  TcpPeer peer([](transport::Stream& s, int) { while (s.send(reply_of_octets(0xfffffff0), Deadline()).ok()) {} });
  auto client = make_core({"-ORBCallTimeout", "100", "-ORBSyncScope", "target"});
  auto o = peer.object(*client);
  caught<CORBA::TIMEOUT>([&] { tell(o, 1); });
  client->destroy();
}

class EveryServersDeadline : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryServersDeadline, ends_an_incomplete_message_in_time_whatever_else_comes) {
  const Bytes cancel = piece(giop::MessageType::CancelRequest, 99, false), whole = message({.id = 5});
  const Bytes locate = locate_message(giop::kGiop12, kNativeOrder, "echo", 7);
  for (const Bytes& other : {cancel, whole, locate, piece(giop::MessageType::Fragment, 1, true)}) {
    ModelServer server(GetParam(), [](Options& o) {
      o.limits.message_timeout = Duration(50);
      o.limits.max_fragments = UINT32_MAX;
    });
    RawClient client(server.port());
    client.send(piece(giop::MessageType::Request, 1, true));
    std::thread reads([&] { while (client.hear().kind == giop::EventKind::Message) {} });  // so that replies go
    while (client.send(other)) {}  // until the server ends the connection
    reads.join();
  }
}

INSTANTIATE_TEST_SUITE_P(ServerDeadline, EveryServersDeadline, ::testing::Values("connection", "pool", "single"),
                         [](const auto& i) { return std::string(i.param); });

// As the thread of a connection does.
void serve(OrbContext& orb, std::unique_ptr<transport::Stream>& stream) {
  const auto connection =
      Counted<ServerConnection>::adopt(new ServerConnection(stream, orb.limits()));
  ServerConnection* owned = connection.get();
  Worker(orb, nullptr, true).stay_with(owned);
  stream = connection->take_stream();
}

TEST(ServerDeadline, of_a_message_without_bytes_is_kept_too) {
  auto core = make_core({}, [](Options& o) { o.limits.message_timeout = Duration(5); });
  Bytes empty(giop::kHeaderBytes);  // GIOP 1.1: the first fragment may have no body
  giop::write_header(empty.data(), {{1, 1}, kNativeOrder, true, giop::MessageType::Request, 0});
  auto* const s = new Endless(piece(giop::MessageType::CancelRequest, 99, false), empty);
  std::unique_ptr<transport::Stream> stream(s);
  serve(*core, stream);
  EXPECT_LT(s->receives, Endless::kMost);
  core->destroy();
}

TEST(ServerDeadline, a_last_word_is_not_prolonged_by_single_bytes) {
  auto core = make_core();
  auto* const s = new Endless({0}, {}, 1);  // no message of GIOP
  std::unique_ptr<transport::Stream> stream(s);
  serve(*core, stream);
  EXPECT_LE(s->receives, 300u);
  core->destroy();
}

// --- One-way requests that are sent together

// Takes in nothing without waiting, or everything. A thread that waits for it waits until `let_go`.
class Sink final : public transport::Stream {
 public:
  explicit Sink(bool stuck) : stuck_(stuck) { let_go.set_value(); }
  // Tells when somebody waits.
  Sink(bool stuck, std::promise<void>& somebody_waits) : stuck_(stuck), somebody_waits_(&somebody_waits) {}
  using Stream::send;
  transport::Transfer send(std::span<const ByteView>, Deadline) override {
    waited_for = true;
    if (somebody_waits_) std::exchange(somebody_waits_, nullptr)->set_value();
    go_on_.wait();
    return {0, Fault::DeadlinePassed};
  }
  transport::Transfer send_now(std::span<const ByteView> parts) override {
    if (stuck_) return {0, Fault::DeadlinePassed};
    if (!said_) said.set_value();
    said_ = true;
    return {parts[0].size()};
  }
  using Stream::receive;
  transport::Transfer receive(MutableBytes, Deadline, TimePoint) override { return {0, Fault::ConnectionLost}; }
  bool quiet() override { return true; }
  void finish_sending() noexcept override {}
  void stop_receiving() noexcept override {}
  void shutdown() noexcept override {}
  const std::string& peer() const override { return name_; }
  const transport::Peer& peer_identity() const override { return identity_; }

  std::promise<void> said, let_go;
  std::atomic<bool> waited_for{false};

 private:
  const bool stuck_;
  bool said_ = false;
  std::promise<void>* somebody_waits_ = nullptr;
  std::shared_future<void> go_on_ = let_go.get_future().share();
  const std::string name_ = "sink";
  const transport::Peer identity_;
};

TEST(HeldOneways, of_a_peer_that_does_not_read_hold_up_nobody_elses) {
  Sink stuck(true), reads(false);
  OnewayFlusher flusher;
  const auto a = HeldOneways::make(stuck), b = HeldOneways::make(reads);
  const Bytes request = message({});
  EXPECT_TRUE(a->hold(request, Deadline(), flusher, a).ok());
  EXPECT_TRUE(b->hold(request, Deadline(), flusher, b).ok());
  reads.said.get_future().wait();
  EXPECT_FALSE(stuck.waited_for);
  EXPECT_EQ(a->send({}, Deadline::at({})).fault, Fault::DeadlinePassed) << "the lock is free";
  a->forget();
  b->forget();
}

TEST(HeldOneways, of_a_peer_that_a_call_waits_for_hold_up_nobody_elses) {
  std::promise<void> waits;
  Sink stuck(true, waits), reads(false);
  OnewayFlusher flusher;
  const auto a = HeldOneways::make(stuck), b = HeldOneways::make(reads);
  const Bytes request = message({});
  EXPECT_TRUE(a->hold(request, Deadline(), flusher, a).ok());
  std::thread caller([&] { EXPECT_FALSE(a->send({}, Deadline()).ok()); });
  waits.get_future().wait();
  EXPECT_TRUE(b->hold(request, Deadline(), flusher, b).ok());
  EXPECT_EQ(reads.said.get_future().wait_for(Duration(20'000)), std::future_status::ready);
  stuck.let_go.set_value();
  caller.join();
  a->forget();
  b->forget();
}

// --- Idle bidirectional connections

TEST(ServerDeadline, a_context_that_says_bidirectional_is_no_reason_to_stay_open) {
  const Bytes points = ior::listen_points_context(std::vector<ior::Address>{{"127.0.0.1", 1}});
  const giop::ServiceContext context{giop::kBiDirIiopContext, points};
  for (const char* model : {"connection", "pool", "single"}) {
    ModelServer server(model, [](Options& o) { o.limits.idle_timeout = Duration(50); });
    RawClient client(server.port());
    client.send(message({.id = 2, .contexts = {&context, 1}}));
    EXPECT_EQ(client.hear().id, 2u);
    EXPECT_EQ(client.hear().kind, giop::EventKind::PeerClosing);
  }
}

}  // namespace
}  // namespace callis::orb
