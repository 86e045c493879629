// SPDX-License-Identifier: Apache-2.0
// Every bit flipped, every length cut: the server core answers, refuses or waits, and never misbehaves. A good
// request goes before each bad one, so that the comparison with the header before is tried with all of them too.
#include <gtest/gtest.h>
#include <callis/orb/testing/raw_client.h>
#include <callis/orb/testing/scripted_peer.h>
#include <algorithm>

namespace callis::orb {
namespace {

using namespace testing;

class EveryFlip : public ::testing::TestWithParam<int> {
 protected:
  giop::Version version() const { return {1, static_cast<std::uint8_t>(GetParam())}; }
};

// Each in an allocation of its own size, so that a sanitizer sees reads beyond it.
bool give(transport::MemoryConnection& c, const std::vector<Byte>& bytes, Buffer& answer) {
  const std::unique_ptr<Byte[]> exact(new Byte[bytes.size()]);
  std::copy(bytes.begin(), bytes.end(), exact.get());
  return c.bytes_in({exact.get(), bytes.size()}, answer);
}

TEST_P(EveryFlip, of_a_request_leaves_the_server_well) {
  EchoServer server({"-ORBEndpoint", "memory:flip"});
  const auto good = message({.argument = 7, .id = 3, .version = version()});
  for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
    auto c = server.core->server().make_memory_connection("flip");
    Buffer answer;
    ASSERT_TRUE(give(*c, good, answer));
    answer.clear();
    auto bad = good;
    bad[bit / 8] = static_cast<Byte>(bad[bit / 8] ^ 1u << bit % 8);
    const bool open = give(*c, bad, answer);
    giop::MessageHeader h;
    if (!answer.empty()) {
      ASSERT_EQ(giop::parse_header(answer.view(), {}, h), Fault::None) << bit;
    }
    if (!open) {
      EXPECT_EQ(h.type, giop::MessageType::MessageError) << bit;
    }
  }
  RawClient other(*server.core);
  other.send(good);
  EXPECT_EQ(other.hear().value, 7u);
}

TEST_P(EveryFlip, of_a_request_id_or_argument_is_what_is_answered) {
  EchoServer server({"-ORBEndpoint", "memory:flip-id"});
  RawClient client(*server.core);
  const auto good = message({.argument = 7, .id = 1000, .version = version()});
  const auto other_id = message({.argument = 7, .id = ~1000u, .version = version()});
  const auto other_argument = message({.argument = ~7u, .id = 1000, .version = version()});
  const auto place_of = [&](const std::vector<Byte>& other) {
    return static_cast<std::size_t>(std::ranges::mismatch(good, other).in1 - good.begin());
  };
  const std::size_t id_at = place_of(other_id), argument_at = place_of(other_argument);
  ASSERT_NE(id_at, argument_at);
  for (const std::size_t at : {id_at, argument_at})
    for (unsigned bit = 0; bit < 32; ++bit) {
      auto flipped = good;
      flipped[at + bit / 8] = static_cast<Byte>(flipped[at + bit / 8] ^ 1u << bit % 8);
      client.send(flipped);
      const Heard h = client.hear();
      EXPECT_EQ(h.id, load<std::uint32_t>(flipped.data() + id_at)) << bit;
      EXPECT_EQ(h.value, load<std::uint32_t>(flipped.data() + argument_at)) << bit;
    }
}

TEST_P(EveryFlip, cut_at_every_byte_and_continued_is_answered_once) {
  EchoServer server({"-ORBEndpoint", "memory:cut"});
  const auto good = message({.argument = 7, .version = version()});
  for (std::size_t cut = 1; cut < good.size(); ++cut) {
    RawClient client(*server.core);
    client.send(good);
    EXPECT_EQ(client.hear().value, 7u);
    client.send(ByteView(good).first(cut));
    EXPECT_TRUE(client.hear().silent) << cut;
    client.send(ByteView(good).subspan(cut));
    EXPECT_EQ(client.hear().value, 7u) << cut;
    EXPECT_TRUE(client.hear().silent) << cut;
  }
}

TEST_P(EveryFlip, of_a_reply_ends_the_call_in_some_way) {
  std::size_t bit = 0;
  std::size_t bits = 1;
  ScriptedPeer peer("flip-reply", [&](Turn& t) {
    if (t.request % 2) return t.echo();
    t.echo();
    bits = t.answer.size() * 8;
    t.answer.data()[bit / 8] = static_cast<Byte>(t.answer.data()[bit / 8] ^ 1u << bit % 8);
    return true;
  });
  auto client = make_core({"-ORBGIOPVersion", "1." + std::to_string(GetParam())});
  auto o = peer.object(*client);
  int bad = 0;
  for (bit = 0; bit < bits; ++bit) {
    EXPECT_EQ(echo(o, 5), 5u);
    try {
      (void)echo(o, 5);  // returns when it was a bit of the value or of padding
    } catch (const CORBA::INV_OBJREF&) {
      ++bad;  // the status became that of a forward, which says that nothing was executed
    } catch (const CORBA::SystemException& e) {
      EXPECT_NE(e.completed(), CORBA::COMPLETED_NO) << e.what();
      ++bad;
    } catch (const CORBA::UserException&) {
      ADD_FAILURE() << "no user exception was sent";
    }
  }
  EXPECT_GT(bad, 0);
  client->destroy();
}

INSTANTIATE_TEST_SUITE_P(Giop, EveryFlip, ::testing::Values(0, 1, 2),
                         [](const auto& p) { return "version_1_" + std::to_string(p.param); });

}  // namespace
}  // namespace callis::orb
