// SPDX-License-Identifier: Apache-2.0
// Shared connections when there is no memory: nobody spins, nobody waits for ever, and the connection goes on when
// there is some again.
#include <gtest/gtest.h>
#include <callis/base/peer_memory.h>
#include <callis/orb/endpoint/shared_connection.h>
#include <callis/orb/endpoint/shared_pool.h>
#include <callis/orb/testing/peer_stream.h>
#include <callis/orb/testing/shared_client.h>

namespace callis::orb {
namespace {

using namespace testing;
using Outcome = SharedConnection::Outcome;

// Nothing is left of what there is for peers: also not of what small buffers may have beyond that.
class NoMemory final {
 public:
  NoMemory() {
    for (std::size_t step = PeerMemory::limit(); step != 0; step /= 2)
      while (PeerMemory::take(step, step)) bytes_ += step;
  }
  ~NoMemory() { PeerMemory::give(bytes_); }
  NoMemory(const NoMemory&) = delete;
  NoMemory& operator=(const NoMemory&) = delete;

 private:
  std::size_t bytes_ = 0;
};

// Says that something has come, however often it is asked; up to kMost times, where what is tested has failed.
class Waiting final : public transport::Stream {
 public:
  static constexpr int kMost = 100'000;

  using Stream::send;
  transport::Transfer send(std::span<const ByteView> parts, Deadline) override {
    std::size_t n = 0;
    for (const ByteView p : parts) n += p.size();
    return {n};
  }
  using Stream::receive;
  transport::Transfer receive(MutableBytes, Deadline, TimePoint) override {
    ++receives;
    return {0, Fault::DeadlinePassed};
  }
  bool quiet() override { return ++asked > kMost; }
  void finish_sending() noexcept override {}
  void stop_receiving() noexcept override {}
  void shutdown() noexcept override {}
  const std::string& peer() const override { return name_; }
  const transport::Peer& peer_identity() const override { return identity_; }

  int asked = 0, receives = 0;

 private:
  const std::string name_ = "waiting";
  const transport::Peer identity_{};
};

TEST(SharedConnectionWithoutMemory, a_call_begins_though_what_has_come_cannot_be_taken_in) {
  const Limits limits;
  auto* const stream = new Waiting;
  const auto shared = std::make_shared<SharedConnection>(std::unique_ptr<transport::Stream>(stream), limits, 0,
                                                         std::chrono::microseconds(0));
  {
    const NoMemory none;
    EXPECT_NE(shared->take(false, Clock::steady().now()), nullptr);
    EXPECT_FALSE(shared->over_by_now());
  }
  EXPECT_EQ(stream->receives, 0);
  EXPECT_EQ(stream->asked, 2) << "once for each";
}

struct PairWithoutMemory : SharedPair {
  std::unique_ptr<ClientConnection> call(PeerStream::Request& there) { return SharedPair::call(1, there); }
  static Fault receive(ClientConnection& c, std::uint32_t id) {
    ClientConnection::Arrival a;
    c.receive(id, soon(), a);
    return a.fault;
  }
};

TEST(SharedConnectionWithoutMemory, a_call_fails_whose_reply_cannot_be_read_and_the_next_is_answered) {
  PairWithoutMemory p;
  PeerStream::Request first, second;
  {
    const auto c = p.call(first);
    const NoMemory none;
    EXPECT_EQ(PairWithoutMemory::receive(*c, first.id), Fault::OutOfMemory);
  }
  EXPECT_EQ(p.connection->counts().retired, 1u) << "its id is not used again before its reply has come";
  p.peer.reply(first, 1);
  const auto c = p.call(second);
  p.peer.reply(second, 2);
  EXPECT_EQ(PairWithoutMemory::receive(*c, second.id), Fault::None);
  EXPECT_EQ(p.connection->counts().late_replies, 1u);
  EXPECT_EQ(p.connection->counts().unknown_replies, 0u);
}

TEST(SharedConnectionWithoutMemory, one_call_fails_whose_reply_has_no_room_and_others_are_answered) {
  constexpr std::size_t kMore = 4000;  // more than a buffer has before it is on the account
  PairWithoutMemory p;
  PeerStream::Request large, small;
  const auto call_both = [&](std::size_t more, auto&& receive) {
    auto a = p.call(large), b = p.call(small);
    p.peer.send(PeerStream::whole_reply(large, 1, more).view());
    p.peer.reply(small, 2);
    receive(*a, *b);
    for (auto* const c : {&a, &b}) SharedConnection::give_back(std::move(*c), Clock::steady().now());
  };
  call_both(0, [&](ClientConnection& a, ClientConnection& b) {  // gives all of them the buffers that they keep
    EXPECT_EQ(PairWithoutMemory::receive(a, large.id), Fault::None);
    EXPECT_EQ(PairWithoutMemory::receive(b, small.id), Fault::None);
  });
  call_both(kMore, [&](ClientConnection& a, ClientConnection& b) {
    const NoMemory none;
    EXPECT_EQ(PairWithoutMemory::receive(b, small.id), Fault::None);
    EXPECT_EQ(PairWithoutMemory::receive(a, large.id), Fault::OutOfMemory);
  });
  EXPECT_FALSE(p.connection->over());
}

TEST(SharedConnectionWithoutMemory, who_reads_for_others_is_told_and_may_try_again) {
  struct ToldMemory final : ReplySink {
    void came() noexcept override { ++times; }
    int times = 0;
  };
  PairWithoutMemory p;
  PeerStream::Request request;
  const auto c = p.call(request);
  ToldMemory told;
  ASSERT_TRUE(c->lane()->tell(told));
  p.peer.reply(request, 1);
  {
    const NoMemory none;
    EXPECT_EQ(p.connection->read(PairWithoutMemory::soon()), Outcome::OutOfMemory);
    EXPECT_EQ(told.times, 0);
  }
  while (told.times == 0) ASSERT_EQ(p.connection->read(PairWithoutMemory::soon()), Outcome::Read);
  EXPECT_EQ(PairWithoutMemory::receive(*c, request.id), Fault::None);
}

TEST(SharedPoolWithoutMemory, an_opener_that_has_none_leaves_nobody_waiting) {
  int tried = 0;
  SharedPool pool(1, [&](Deadline) -> Result<std::shared_ptr<SharedConnection>> {
    ++tried;
    throw std::bad_alloc();
  });
  for (int i = 1; i <= 2; ++i) {
    const auto made = pool.open(false, Clock::steady().now(), Deadline::in(Duration(10'000)));
    EXPECT_EQ(made.fault(), Fault::OutOfMemory);
    EXPECT_EQ(tried, i);
  }
}

}  // namespace
}  // namespace callis::orb
