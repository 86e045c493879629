// SPDX-License-Identifier: Apache-2.0
// The server core against raw clients, good and bad: versions, byte orders, fragments, oneways, cancel, locate,
// malformed and slow messages, limits, shutdown (CORBA 3.3 part 2, 9.4 and 9.5).
#include <gtest/gtest.h>
#include <callis/orb/context/upcall.h>
#include <callis/orb/testing/raw_client.h>

namespace callis::orb {
namespace {

using namespace testing;
using giop::EventKind;

EchoServer memory_server(const std::function<void(Options&)>& tune = {}) {
  static int n = 0;
  return EchoServer({"-ORBEndpoint", "memory:server-test-" + std::to_string(++n)}, tune);
}
EchoServer tcp_server(const std::function<void(Options&)>& tune = {}) {
  return EchoServer({"-ORBEndpoint", "tcp:127.0.0.1:0"}, tune);
}

// --- Good clients ---

class EveryVersionAndOrder : public ::testing::TestWithParam<std::tuple<int, ByteOrder>> {
 protected:
  giop::Version version() const { return {1, static_cast<std::uint8_t>(std::get<0>(GetParam()))}; }
  ByteOrder order() const { return std::get<1>(GetParam()); }
};

TEST_P(EveryVersionAndOrder, a_request_is_answered_in_its_version) {
  auto server = memory_server();
  RawClient client(*server.core);
  client.send(message({.argument = 0x01020304, .id = 77, .version = version(), .order = order()}));
  const Heard h = client.hear();
  ASSERT_EQ(h.kind, EventKind::Message);
  EXPECT_EQ(h.header.version, version());
  EXPECT_EQ(h.header.order, kNativeOrder) << "the server's, whatever the request's is";
  EXPECT_EQ(h.id, 77u);
  EXPECT_EQ(h.value, 0x01020304u);
}

TEST_P(EveryVersionAndOrder, a_locate_request_is_answered) {
  auto server = memory_server();
  RawClient client(*server.core);
  client.send(locate_message(version(), order(), "echo", 5));
  client.send(locate_message(version(), order(), "nobody", 6));
  const Heard here = client.hear(), unknown = client.hear();
  EXPECT_EQ(here.id, 5u);
  EXPECT_EQ(here.locate, giop::LocateStatus::ObjectHere);
  EXPECT_EQ(unknown.id, 6u);
  EXPECT_EQ(unknown.locate, giop::LocateStatus::UnknownObject);
}

TEST_P(EveryVersionAndOrder, a_locate_request_is_put_to_the_application_where_only_that_knows) {
  auto server = memory_server();
  const ior::Ior there = server.reference->ior();
  Locate found = Locate::Here;
  server.handler.asked = [&](ior::Ior& forward, giop::SystemExceptionBody& failure) {
    EXPECT_EQ(Upcall::orb_of_upcall(), server.core.get());
    if (found == Locate::Forward) forward = there;
    if (found == Locate::Failed) failure = {"IDL:omg.org/CORBA/NO_RESOURCES:1.0", 5, giop::Completion::No};
    return found;
  };
  RawClient client(*server.core);
  std::uint32_t id = 5;
  const auto ask = [&](Locate answer) {
    found = answer;
    client.send(locate_message(version(), order(), "ask", ++id));
    Heard h = client.hear();
    EXPECT_EQ(h.id, id);
    return h;
  };
  EXPECT_EQ(ask(Locate::Here).locate, giop::LocateStatus::ObjectHere);
  EXPECT_EQ(ask(Locate::Unknown).locate, giop::LocateStatus::UnknownObject);
  const Heard forward = ask(Locate::Forward);
  EXPECT_EQ(forward.locate, giop::LocateStatus::ObjectForward);
  EXPECT_EQ(ior::to_text(forward.forward), ior::to_text(there));
  const Heard failed = ask(Locate::Failed);
  if (version() == giop::kGiop12) {
    EXPECT_EQ(failed.locate, giop::LocateStatus::SystemException);
    EXPECT_EQ(failed.exception, "IDL:omg.org/CORBA/NO_RESOURCES:1.0");
    EXPECT_EQ(failed.minor, 5u);
    EXPECT_EQ(failed.completed, giop::Completion::No);
  } else {
    EXPECT_EQ(failed.locate, giop::LocateStatus::ObjectHere) << "the request will say it";
  }
}

TEST_P(EveryVersionAndOrder, exceptions_are_answered) {
  auto server = memory_server();
  RawClient client(*server.core);
  client.send(message({.operation = "fail", .argument = 9, .version = version(), .order = order()}));
  const Heard user = client.hear();
  EXPECT_EQ(user.status, giop::ReplyStatus::UserException);
  EXPECT_EQ(user.exception, kFailure);
  EXPECT_EQ(user.value, 9u);
  client.send(message({.operation = "broken", .version = version(), .order = order()}));
  const Heard system = client.hear();
  EXPECT_EQ(system.exception, "IDL:omg.org/CORBA/NO_PERMISSION:1.0");
  EXPECT_EQ(system.minor, 7u);
  EXPECT_EQ(system.completed, giop::Completion::Maybe);
}

INSTANTIATE_TEST_SUITE_P(Giop, EveryVersionAndOrder,
                         ::testing::Combine(::testing::Values(0, 1, 2),
                                            ::testing::Values(ByteOrder::Big, ByteOrder::Little)),
                         [](const auto& p) {
                           return "version_1_" + std::to_string(std::get<0>(p.param)) +
                                  (std::get<1>(p.param) == ByteOrder::Big ? "_big" : "_little");
                         });

TEST(Server, answers_requests_that_come_in_one_piece_one_after_the_other) {
  auto server = memory_server();
  RawClient client(*server.core);
  auto two = message({.argument = 1, .id = 1});
  const auto second = message({.argument = 2, .id = 2});
  two.insert(two.end(), second.begin(), second.end());
  client.send(two);
  EXPECT_EQ(client.hear().value, 1u);
  EXPECT_EQ(client.hear().value, 2u);
}

TEST(Server, answers_a_request_that_comes_byte_by_byte) {
  auto server = tcp_server();
  RawClient client(server.port());
  for (Byte b : message({.argument = 5})) client.send({&b, 1});
  EXPECT_EQ(client.hear().value, 5u);
}

TEST(Server, joins_the_fragments_of_a_1_2_request) {
  auto server = memory_server();
  RawClient client(*server.core);
  auto whole = message({.argument = 0xabcdef01});
  giop::FragmentedMessage pieces;
  ASSERT_EQ(pieces.cut(whole, 48), Fault::None);
  ASSERT_GT(pieces.messages(), 1u);
  for (ByteView v : pieces.views()) client.send(v);
  EXPECT_EQ(client.hear().value, 0xabcdef01u);
}

TEST(Server, joins_the_fragments_of_a_1_1_request) {
  auto server = memory_server();
  RawClient client(*server.core);
  const auto whole = message({.argument = 0x0a0b0c0d, .version = giop::kGiop11});
  const std::size_t cut = whole.size() - 4;  // the argument: aligned at 12 in the fragment as in the message
  std::vector<Byte> first(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(cut));
  std::vector<Byte> rest(giop::kHeaderBytes);
  rest.insert(rest.end(), whole.begin() + static_cast<std::ptrdiff_t>(cut), whole.end());
  giop::write_header(first.data(), {giop::kGiop11, kNativeOrder, true, giop::MessageType::Request,
                                    static_cast<std::uint32_t>(cut - giop::kHeaderBytes)});
  giop::write_header(rest.data(), {giop::kGiop11, kNativeOrder, false, giop::MessageType::Fragment, 4});
  client.send(first);
  client.send(rest);
  EXPECT_EQ(client.hear().value, 0x0a0b0c0du);
}

TEST(Server, does_not_answer_oneways_and_keeps_their_order) {
  auto server = memory_server();
  RawClient client(*server.core);
  for (std::uint32_t i = 1; i <= 3; ++i)
    client.send(message({.operation = "tell", .argument = i, .id = i, .response = giop::ResponseFlags::None}));
  client.send(message({.operation = "last", .id = 9}));
  const Heard h = client.hear();
  EXPECT_EQ(h.id, 9u);
  EXPECT_EQ(h.value, 3u);
}

TEST(Server, does_not_answer_a_oneway_that_fails) {
  auto server = memory_server();
  RawClient client(*server.core);
  client.send(message({.operation = "broken", .id = 1, .response = giop::ResponseFlags::None}));
  client.send(message({.argument = 4, .id = 2}));
  EXPECT_EQ(client.hear().id, 2u);
}

TEST(Server, answers_SYNC_WITH_SERVER_before_the_upcall) {
  auto server = memory_server();
  RawClient client(*server.core);
  client.send(message({.operation = "tell", .argument = 8, .id = 3, .response = giop::ResponseFlags::WithServer}));
  const Heard h = client.hear();
  EXPECT_EQ(h.id, 3u);
  EXPECT_EQ(h.status, giop::ReplyStatus::NoException);
  EXPECT_EQ(server.handler.last, 8u) << "and makes the upcall";
  client.send(message({.argument = 4, .id = 4}));
  EXPECT_EQ(client.hear().id, 4u) << "one answer, not two";
}

TEST(Server, ignores_CancelRequest_for_what_it_does_not_know) {
  auto server = memory_server();
  RawClient client(*server.core);
  client.send(giop::cancel_request(giop::kGiop12, 12));
  client.send(message({.argument = 6}));
  EXPECT_EQ(client.hear().value, 6u);
}

TEST(Server, finds_the_key_in_a_profile_and_in_a_reference) {
  auto server = memory_server();
  RawClient client(*server.core);
  const ior::Ior& ior = server.reference->ior();
  client.send(message({.argument = 1, .target = giop::Target::of_profile(ior.profiles[0])}));
  EXPECT_EQ(client.hear().value, 1u);
  client.send(message({.argument = 2, .target = giop::Target::of_reference(ior, 0)}));
  EXPECT_EQ(client.hear().value, 2u);
}

TEST(Server, knows_no_object_behind_a_profile_of_a_foreign_tag) {
  auto server = memory_server();
  RawClient client(*server.core);
  const ior::TaggedProfile foreign{0x7777, {1, 2, 3}};
  client.send(message({.target = giop::Target::of_profile(foreign)}));
  EXPECT_EQ(client.hear().exception, "IDL:omg.org/CORBA/OBJECT_NOT_EXIST:1.0");
}

TEST(Server, cuts_long_replies_to_1_2_clients_when_told_to) {
  auto server = memory_server([](Options& o) { o.fragment_bytes = 64; });
  server.handler.before = [](ServerRequest& r) {
    if (r.operation() != "long") return;
    cdr::Encoder& e = r.reply();
    for (std::uint32_t i = 1; i <= 100; ++i) e.put_ulong(i);
  };
  RawClient client(*server.core);
  client.send(message({.operation = "long"}));
  EXPECT_EQ(client.hear().kind, EventKind::Message);
  // The raw client's engine joins them; on the wire they are several.
  auto c = server.core->server().make_memory_connection("count");
  Buffer answer;
  EXPECT_TRUE(c->bytes_in(message({.operation = "long"}), answer));
  giop::MessageHeader first;
  ASSERT_EQ(giop::parse_header(answer.view(), {}, first), Fault::None);
  EXPECT_TRUE(first.more_fragments);
  EXPECT_LE(first.message_bytes(), 64u);
  answer.clear();
  EXPECT_TRUE(c->bytes_in(message({.operation = "long", .version = giop::kGiop11}), answer));
  ASSERT_EQ(giop::parse_header(answer.view(), {}, first), Fault::None);
  EXPECT_FALSE(first.more_fragments) << "never before 1.2";
}

// --- What a handler may do with a request ---

TEST(ServerRequestContract, the_last_reply_begun_counts) {
  auto server = memory_server();
  server.handler.before = [](ServerRequest& r) {
    if (r.operation() != "twice") return;
    r.reply().put_ulong(1);
    r.user_exception("IDL:X:1.0").put_ulong(2);
  };
  RawClient client(*server.core);
  client.send(message({.operation = "twice"}));
  const Heard h = client.hear();
  EXPECT_EQ(h.exception, "IDL:omg.org/CORBA/BAD_OPERATION:1.0") << "the echo handler came last";
}

TEST(ServerRequestContract, results_that_cannot_be_encoded_are_BAD_PARAM_YES) {
  struct Bad final : RequestHandler {
    void handle(ServerRequest& r) noexcept override { r.reply().set_fault(Fault::NullPointer); }
    Locate locate(ByteView, ior::Ior&) noexcept override { return Locate::Unknown; }
  } bad;
  auto server = memory_server();
  server.core->set_handler(&bad);
  RawClient client(*server.core);
  client.send(message({}));
  const Heard h = client.hear();
  EXPECT_EQ(h.exception, "IDL:omg.org/CORBA/BAD_PARAM:1.0");
  EXPECT_EQ(h.minor, own(Fault::NullPointer));
  EXPECT_EQ(h.completed, giop::Completion::Yes);
}

TEST(ServerRequestContract, nothing_called_is_an_empty_reply) {
  auto server = memory_server();
  RawClient client(*server.core);
  client.send(message({.operation = "ping", .argument = {}}));
  const Heard h = client.hear();
  EXPECT_EQ(h.status, giop::ReplyStatus::NoException);
  EXPECT_EQ(h.header.body_bytes, 12u) << "the reply header alone";
}

TEST(ServerRequestContract, location_forward_carries_the_reference) {
  struct Agent final : RequestHandler {
    ior::Ior to;
    void handle(ServerRequest& r) noexcept override { r.location_forward(to); }
    Locate locate(ByteView, ior::Ior& forward) noexcept override {
      forward = to;
      return Locate::Forward;
    }
  } agent;
  auto server = memory_server();
  agent.to = {"IDL:There:1.0", {ior::to_profile(ior::MemoryProfile{"there", {1}})}};
  server.core->set_handler(&agent);
  RawClient client(*server.core);
  client.send(message({}));
  EXPECT_EQ(client.hear().forward, agent.to);
  client.send(locate_message(giop::kGiop12, kNativeOrder, "x"));
  EXPECT_EQ(client.hear().forward, agent.to);
}

TEST(ServerRequestContract, without_a_handler_requests_are_TRANSIENT) {
  auto server = memory_server();
  server.core->set_handler(nullptr);
  RawClient client(*server.core);
  client.send(message({}));
  EXPECT_EQ(client.hear().exception, "IDL:omg.org/CORBA/TRANSIENT:1.0");
  client.send(locate_message(giop::kGiop12, kNativeOrder, "echo"));
  EXPECT_EQ(client.hear().locate, giop::LocateStatus::UnknownObject);
}

// --- Bad clients ---

TEST(ServerFaults, garbage_is_answered_by_MessageError_and_the_end_9_4_8) {
  auto server = tcp_server();
  RawClient client(server.port());
  client.send(bytes_of("GET / HTTP/1.1\r\n\r\n"));
  EXPECT_EQ(client.hear().kind, EventKind::PeerError);
}

TEST(ServerFaults, a_newer_minor_version_is_answered_by_MessageError_with_ours_9_4_1) {
  auto server = memory_server();
  RawClient client(*server.core);
  auto m = message({});
  m[5] = 3;
  client.send(m);
  const Heard h = client.hear();
  EXPECT_EQ(h.kind, EventKind::PeerError);
  EXPECT_EQ(h.header.version, giop::kGiop12);
}

TEST(ServerFaults, a_request_header_cut_short_is_answered_by_MessageError) {
  auto server = memory_server();
  RawClient client(*server.core);
  std::vector<Byte> m(giop::kHeaderBytes + 4);
  giop::write_header(m.data(), {giop::kGiop12, kNativeOrder, false, giop::MessageType::Request, 4});
  client.send(m);
  EXPECT_EQ(client.hear().kind, EventKind::PeerError);
  EXPECT_FALSE(client.send(message({}))) << "and the connection is closed";
}

TEST(ServerFaults, a_reply_from_a_client_is_answered_by_MessageError) {
  auto server = memory_server();
  RawClient client(*server.core);
  Buffer b;
  cdr::Encoder e(b);
  const auto s = giop::begin_reply(e, giop::kGiop12, 1, giop::ReplyStatus::NoException);
  ASSERT_EQ(giop::finish_message(e, s), Fault::None);
  client.send(b.view());
  EXPECT_EQ(client.hear().kind, EventKind::PeerError);
}

TEST(ServerFaults, a_message_above_the_limit_is_refused_at_its_header) {
  auto server = memory_server([](Options& o) { o.limits.max_message_bytes = 4096; });
  RawClient client(*server.core);
  std::vector<Byte> header(giop::kHeaderBytes);
  giop::write_header(header.data(), {giop::kGiop12, kNativeOrder, false, giop::MessageType::Request, 0xfffffff0});
  client.send(header);
  EXPECT_EQ(client.hear().kind, EventKind::PeerError);
}

TEST(ServerFaults, a_message_at_the_limit_is_taken) {
  const auto m = message({.argument = 3});
  auto server = memory_server([&](Options& o) { o.limits.max_message_bytes = m.size() - giop::kHeaderBytes; });
  RawClient client(*server.core);
  client.send(m);
  EXPECT_EQ(client.hear().value, 3u);
}

// --- Shutdown ---

TEST(ServerShutdown, memory_clients_are_told_CloseConnection) {
  auto server = memory_server();
  RawClient client(*server.core);
  client.send(message({.argument = 1}));
  EXPECT_EQ(client.hear().value, 1u);
  server.core->shutdown(true);
  client.send(message({.argument = 2}));
  EXPECT_EQ(client.hear().kind, EventKind::PeerClosing);
  EXPECT_EQ(server.handler.requests, 1);
}

}  // namespace
}  // namespace callis::orb
