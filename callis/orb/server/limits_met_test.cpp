// SPDX-License-Identifier: Apache-2.0
// The texts of both sides if a peer meets a limit: the message, the limit, and the option that sets the limit.
#include <callis/base/testing/log_lines.h>
#include <callis/orb/diagnostics/limit_texts.h>
#include <callis/orb/testing/client.h>
#include <callis/orb/testing/echo.h>
#include <callis/orb/testing/scripted_peer.h>
#include <gtest/gtest.h>

namespace callis::orb {
namespace {

using namespace testing;
using callis::testing::LogLines;

class OctetsBody final : public CallBody {
 public:
  explicit OctetsBody(std::size_t n) : octets(n) {}
  std::vector<Byte> octets;
  void encode(cdr::Encoder& e) override { e.put_octets(octets); }
  void decode(cdr::Decoder& d) override { d.get_octets(); }
  std::unique_ptr<CORBA::UserException> decode_exception(std::string_view, cdr::Decoder&) override { return {}; }
};

struct OctetsHandler final : RequestHandler {
  void handle(ServerRequest& r) noexcept override { r.reply().put_octets(r.arguments().get_octets()); }
  Locate locate(ByteView, ior::Ior&) noexcept override { return Locate::Here; }
};

// The text of the exception that the call throws.
template <class Exception>
std::string words_of_call(const CORBA::Object_var& o, std::size_t n) {
  OctetsBody body(n);
  return caught<Exception>([&] { call(reference_of(o), {"octets"}, body); }).what();
}

TEST(LimitsMet, a_request_too_large_is_named_on_both_sides_with_the_option) {
  OctetsHandler handler;
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBMaxMessageSize", "4096"});
  server.core->set_handler(&handler);
  for (const char* fragment : {"0", "1024"}) {
    LogLines lines(LogLevel::Info);
    auto client = make_core({"-ORBFragmentSize", fragment});
    const std::string words = words_of_call<CORBA::COMM_FAILURE>(server.object_for(*client), 10'000);
    EXPECT_NE(words.find("MessageError to a message of 10"), words.npos) << words;
    client->destroy();
    EXPECT_EQ(lines.with(fragment[0] == '0' ? " sent a message of 10" : " sent messages in fragments, "), 1u);
    EXPECT_EQ(lines.with("more than the limit of 4096 (-ORBMaxMessageSize); it gets MessageError"), 1u);
  }
}

TEST(LimitsMet, a_request_of_megabytes_that_is_refused_has_a_hint_at_the_peers_limit) {
  OctetsHandler handler;
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBMaxMessageSize", "1000000"});
  server.core->set_handler(&handler);
  auto client = make_core();
  const std::string words = words_of_call<CORBA::COMM_FAILURE>(server.object_for(*client), 2'000'000);
  EXPECT_NE(words.find("its limit for messages may be smaller (-ORBMaxMessageSize of callis)"), words.npos) << words;
  client->destroy();
}

TEST(LimitsMet, a_reply_too_large_is_named_with_the_option) {
  OctetsHandler handler;
  for (const char* fragment : {"0", "1024"})
    for (const char* connections : {"exclusive", "shared"}) {
      EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBFragmentSize", fragment});
      server.core->set_handler(&handler);
      auto client = make_core({"-ORBMaxMessageSize", "4096", "-ORBClientConnections", connections});
      const std::string words = words_of_call<CORBA::IMP_LIMIT>(server.object_for(*client), 10'000);
      EXPECT_NE(words.find("more than the limit of 4096 (-ORBMaxMessageSize)"), words.npos)
          << words << " in fragments of " << fragment << ", " << connections;
      client->destroy();
    }
}

TEST(LimitsMet, too_many_fragments_and_too_many_messages_in_fragments_name_their_options) {
  OctetsHandler handler;
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBMaxFragments", "3"});
  server.core->set_handler(&handler);
  auto client = make_core({"-ORBFragmentSize", "1024"});
  LogLines lines(LogLevel::Info);
  words_of_call<CORBA::COMM_FAILURE>(server.object_for(*client), 10'000);
  client->destroy();
  EXPECT_EQ(lines.with(" sent a message in more than 3 fragments, the limit (-ORBMaxFragments)"), 1u);
  giop::Connection::Excess many;
  many.in_pieces = true;
  EXPECT_EQ(text_of_excess(many, Limits{}),
            "more than 16 messages in fragments at a time, the limit (-ORBMaxReassemblies)");
}

TEST(LimitsMet, a_connection_too_many_is_named_on_both_sides_with_the_option) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBMaxConnectionsPerPeer", "1"});
  auto first = make_core(), second = make_core();
  EXPECT_EQ(echo(server.object_for(*first), 1), 1u);
  LogLines lines(LogLevel::Info);
  const CORBA::Object_var o = server.object_for(*second);
  const std::string words = caught<CORBA::TRANSIENT>([&] { echo(o, 1); }).what();
  EXPECT_NE(words.find("too many connections (-ORBMaxConnectionsPerPeer of callis)"), words.npos) << words;
  EXPECT_GE(lines.with("too many connections of one peer (-ORBMaxConnectionsPerPeer)"), 1u);
  first->destroy();
  second->destroy();
}

TEST(LimitsMet, are_warnings_once_a_minute) {
  static_cast<void>(level_of(MetLimit::OfConnections));
  EXPECT_EQ(level_of(MetLimit::OfConnections), LogLevel::Info) << "there was one just now";
}

}  // namespace
}  // namespace callis::orb
