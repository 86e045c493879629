// SPDX-License-Identifier: Apache-2.0
// What a process holds for its peers over real connections, in each model of who serves: it is bounded, who holds most is
// cut off, others are served, and all of it comes back.
#include <gtest/gtest.h>
#include <callis/base/peer_memory.h>
#include <callis/orb/testing/model_server.h>
#include <callis/orb/testing/raw_client.h>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

namespace callis::orb {
namespace {

using namespace testing;

constexpr std::size_t kMiB = 1u << 20;
constexpr std::size_t kLimit = 24 * kMiB;
// With what is on its way back, and what is being refused at the moment.
constexpr std::size_t kMost = kLimit + kLimit / 4 + 18 * kMiB;

// Answers "much" with so many bytes as the argument says, and anything else with the argument.
struct Giver final : RequestHandler {
  std::atomic<int> requests{0};
  void handle(ServerRequest& r) noexcept override {
    const auto n = r.arguments().get_ulong();
    if (r.operation() == "much") r.reply().put_octets(std::vector<Byte>(n, 7));
    else r.reply().put_ulong(n);
    ++requests;
  }
  Locate locate(ByteView, ior::Ior&) noexcept override { return Locate::Unknown; }
};

// The beginning, of so many bytes, of a request that says it has `all`.
std::vector<Byte> beginning(std::size_t all, std::size_t bytes) {
  std::vector<Byte> m = message({.operation = "tell"});
  const auto body = static_cast<std::uint32_t>(all - giop::kHeaderBytes);
  std::memcpy(m.data() + 8, &body, sizeof body);
  m.resize(bytes);
  return m;
}

template <class Condition>
void wait_until(Condition condition) {
  while (!condition()) std::this_thread::yield();
}

class Memory : public ::testing::TestWithParam<const char*> {
 protected:
  Memory() {
    server_ = std::make_unique<ModelServer>(GetParam(), [](Options& o) { o.limits.max_memory_bytes = kLimit; }, &giver_);
    good_ = std::make_unique<RawClient>(server_->port());
    expect_served();
    before_ = PeerMemory::held();
  }
  // The account is empty when all is gone.
  ~Memory() override {
    good_.reset();
    server_.reset();
    EXPECT_EQ(PeerMemory::held(), 0u);
    PeerMemory::set_limit(0);
  }
  void expect_served() {
    good_->send(message({.argument = ++asked_, .id = asked_}));
    EXPECT_EQ(good_->hear().value, asked_);
  }
  std::unique_ptr<RawClient> client() { return std::make_unique<RawClient>(server_->port()); }
  std::size_t connections() const { return server_->core->server().connections(); }

  Giver giver_;
  std::unique_ptr<ModelServer> server_;
  std::unique_ptr<RawClient> good_;
  std::uint32_t asked_ = 0;
  std::size_t before_ = 0;
};

TEST_P(Memory, of_messages_that_never_end_is_bounded_and_comes_back) {
  std::vector<std::unique_ptr<RawClient>> slow;
  for (int i = 0; i < 12; ++i) {
    slow.push_back(client());
    (void)slow.back()->send(beginning(8 * kMiB, 5 * kMiB));
    expect_served();
    EXPECT_LE(PeerMemory::held(), kMost);
  }
  wait_until([&] { return connections() <= 4; });  // 8 MiB each, and the good one
  expect_served();
  slow.clear();
  wait_until([&] { return connections() == 1; });
  wait_until([&] { return PeerMemory::held() <= before_ + kMiB; });
  expect_served();
}

TEST_P(Memory, of_replies_that_nobody_reads_is_bounded_and_comes_back) {
  std::vector<std::unique_ptr<RawClient>> slow;
  for (int i = 1; i <= 12; ++i) {
    slow.push_back(client());
    const int before = giver_.requests;
    (void)slow.back()->send(message({.operation = "much", .argument = 12u << 20}));
    wait_until([&] { return giver_.requests > before; });
    expect_served();
    EXPECT_LE(PeerMemory::held(), kMost);
  }
  slow.clear();
  wait_until([&] { return connections() == 1; });
  wait_until([&] { return PeerMemory::held() <= before_ + kMiB; });
  expect_served();
}

TEST_P(Memory, is_given_up_by_who_holds_most) {
  const auto large = client();
  large->send(beginning(8 * kMiB, 7 * kMiB));
  wait_until([&] { return PeerMemory::held() >= 7 * kMiB; });
  std::vector<std::unique_ptr<RawClient>> others;  // that hold at most 4.5 MiB each
  for (int i = 0; i < 12; ++i) {
    others.push_back(client());
    (void)others.back()->send(beginning(3 * kMiB, 5 * kMiB / 2));
  }
  EXPECT_TRUE(large->hear_end());
  expect_served();
}

TEST_P(Memory, for_one_that_wants_more_than_there_is_is_refused_to_it_alone) {
  const auto modest = client(), greedy = client();
  modest->send(beginning(3 * kMiB, 2 * kMiB));
  greedy->send(message({.operation = "much", .argument = 30u << 20, .id = 5}));
  const Heard h = greedy->hear();
  EXPECT_EQ(h.id, 5u);
  EXPECT_EQ(h.exception, "IDL:omg.org/CORBA/NO_MEMORY:1.0");
  greedy->send(message({.argument = 6, .id = 6}));
  EXPECT_EQ(greedy->hear().value, 6u) << "the connection is as good as before";
  std::vector<Byte> rest = beginning(3 * kMiB, 3 * kMiB);
  EXPECT_TRUE(modest->send(ByteView(rest).subspan(2 * kMiB)));
  EXPECT_EQ(modest->hear().id, 1u);
}

INSTANTIATE_TEST_SUITE_P(Of, Memory, ::testing::Values("connection", "pool", "single"));

}  // namespace
}  // namespace callis::orb
