// SPDX-License-Identifier: Apache-2.0
// A client's exceptions for servers that fail, lie, forward and stay silent: exception, minor code and completion
// status for each (CORBA 3.3 part 2, 9.4.3, 9.4.7, 9.5.1).
#include <gtest/gtest.h>
#include <callis/orb/endpoint/endpoint.h>
#include <callis/orb/testing/client.h>
#include <callis/orb/testing/peer_stream.h>
#include <callis/transport/testing/descriptors.h>
#include <callis/transport/testing/ports.h>
#include <future>

namespace callis::orb {
namespace {

using namespace testing;

// --- The connection ends ---

TEST(ClientFaults, end_of_stream_after_the_request_is_COMM_FAILURE_MAYBE) {
  Client client;
  ScriptedPeer peer("eof", [](Turn&) { return false; });
  const auto e = failing_call<CORBA::COMM_FAILURE>(peer, client);
  EXPECT_EQ(e.minor(), own(Fault::ConnectionLost));
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_MAYBE);
  EXPECT_EQ(peer.requests(), 1) << "perhaps executed: never sent again";
}

TEST(ClientFaults, reset_after_the_request_is_COMM_FAILURE_MAYBE) {
  Client client;
  TcpPeer peer([](transport::Stream& s, int) {
    Byte b;
    (void)s.receive({&b, 1}, Deadline());  // closing with the rest unread makes a reset
  });
  const auto e = caught<CORBA::COMM_FAILURE>([&] { echo(peer.object(*client.core), 1); });
  EXPECT_EQ(e.minor(), own(Fault::ConnectionLost));
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_MAYBE);
}

TEST(ClientFaults, after_a_lost_connection_the_next_call_opens_another) {
  Client client;
  ScriptedPeer peer("lost", [](Turn& t) { return t.request != 1 && t.echo(); });
  auto o = peer.object(*client.core);
  caught<CORBA::COMM_FAILURE>([&] { echo(o, 1); });
  EXPECT_EQ(echo(o, 2), 2u);
  EXPECT_EQ(peer.connections(), 2);
}

TEST(ClientFaults, CloseConnection_before_the_reply_sends_again_on_a_new_connection_9_4_7) {
  Client client;
  ScriptedPeer peer("closing", [](Turn& t) { return t.connection == 1 ? t.close_connection() : t.echo(); });
  EXPECT_EQ(echo(peer.object(*client.core), 5), 5u);
  EXPECT_EQ(peer.connections(), 2);
}

TEST(ClientFaults, CloseConnection_twice_is_TRANSIENT_NO) {
  Client client;
  ScriptedPeer peer("closing-twice", [](Turn& t) { return t.close_connection(); });
  const auto e = failing_call<CORBA::TRANSIENT>(peer, client);
  EXPECT_EQ(e.minor(), kClosedByPeer);
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
  EXPECT_EQ(peer.requests(), 2);
}

TEST(ClientFaults, a_call_that_nobody_takes_because_its_own_orb_is_shut_down_is_BAD_INV_ORDER) {
  Client client;
  ScriptedPeer peer("closing-shut-down", [&](Turn& t) {
    client.core->shutdown(false);
    return t.close_connection();
  });
  const auto e = failing_call<CORBA::BAD_INV_ORDER>(peer, client);
  EXPECT_EQ(e.minor(), omg(4));
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
}

TEST(ClientFaults, a_connection_closed_while_idle_is_replaced_without_an_error) {
  Client client;
  ScriptedPeer peer("idle-close", [](Turn& t) {
    t.echo();
    return t.connection != 1;  // closes after its answer
  });
  auto o = peer.object(*client.core);
  EXPECT_EQ(echo(o, 1), 1u);
  EXPECT_EQ(echo(o, 2), 2u);
  EXPECT_EQ(peer.connections(), 2);
}

TEST(ClientFaults, CloseConnection_right_behind_a_reply_does_not_spoil_the_reply) {
  Client client;
  ScriptedPeer peer("reply-close", [](Turn& t) {
    t.echo();
    return t.connection == 1 ? t.close_connection() : true;
  });
  auto o = peer.object(*client.core);
  EXPECT_EQ(echo(o, 1), 1u);
  EXPECT_EQ(echo(o, 2), 2u);
}

// --- What comes is not a reply ---

TEST(ClientFaults, garbage_is_COMM_FAILURE_MAYBE) {
  Client client;
  ScriptedPeer peer("garbage", [](Turn& t) { return t.raw(bytes_of("HTTP/1.1 400 Bad Request\r\n\r\n")); });
  const auto e = failing_call<CORBA::COMM_FAILURE>(peer, client);
  EXPECT_EQ(e.minor(), own(Fault::BadMagic));
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_MAYBE);
}

TEST(ClientFaults, MessageError_is_COMM_FAILURE) {
  Client client;
  ScriptedPeer peer("message-error", [](Turn& t) { return t.raw(giop::message_error(t.version)); });
  const auto e = failing_call<CORBA::COMM_FAILURE>(peer, client);
  EXPECT_EQ(e.minor(), kMessageErrorReceived);
}

TEST(ClientFaults, a_request_from_the_server_breaks_the_protocol) {
  Client client;
  ScriptedPeer peer("request-back", [](Turn& t) {
    cdr::Encoder e(t.answer);
    giop::OutgoingRequest r;
    r.operation = "ping";
    const auto s = giop::begin_request(e, t.version, r);
    return giop::finish_message(e, s) == Fault::None;
  });
  EXPECT_EQ(failing_call<CORBA::COMM_FAILURE>(peer, client).minor(), own(Fault::BadMessageType));
}

TEST(ClientFaults, a_reply_status_that_does_not_exist_is_COMM_FAILURE_MAYBE) {
  Client client;
  ScriptedPeer peer("bad-status", [](Turn& t) { return t.reply(static_cast<giop::ReplyStatus>(77), [](auto&) {}); });
  EXPECT_EQ(failing_call<CORBA::COMM_FAILURE>(peer, client).completed(), CORBA::COMPLETED_MAYBE);
}

TEST(ClientFaults, a_reply_above_the_limit_is_IMP_LIMIT) {
  Client client({"-ORBMaxMessageSize", "1024"});
  ScriptedPeer peer("too-large", [](Turn& t) {
    return t.reply(giop::ReplyStatus::NoException, [](cdr::Encoder& e) { e.put_octets(std::vector<Byte>(2000)); });
  });
  EXPECT_EQ(failing_call<CORBA::IMP_LIMIT>(peer, client).minor(), own(Fault::LimitExceeded));
}

// --- Request ids (9.5.1) ---

TEST(ClientFaults, a_reply_to_another_request_is_never_taken) {
  Client client;
  ScriptedPeer peer("wrong-id", [](Turn& t) {
    t.ok(666, t.id + 1);
    t.ok(667, t.id - 1);
    return t.echo();
  });
  EXPECT_EQ(echo(peer.object(*client.core), 3), 3u);
}

TEST(ClientFaults, only_a_reply_to_another_request_is_TIMEOUT_MAYBE) {
  Client client;
  ScriptedPeer peer("only-wrong-id", [](Turn& t) { return t.ok(666, t.id + 1); });
  const auto e = failing_call<CORBA::TIMEOUT>(peer, client);
  EXPECT_EQ(e.minor(), omg(2));
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_MAYBE);
}

TEST(ClientFaults, a_reply_that_comes_too_late_is_not_given_to_the_next_call) {
  Client client({"-ORBCallTimeout", "500"});
  std::promise<void> timed_out;
  auto has_timed_out = timed_out.get_future();
  Script script = [](Turn& t) { return t.echo(); };
  TcpPeer peer([&](transport::Stream& s, int number) {
    Buffer answer;
    int requests = 0;
    ScriptedConnection c(script, number, requests);
    Byte in[512];
    for (;;) {
      const auto t = s.receive(in, Deadline());
      if (!t.ok()) return;
      (void)c.bytes_in({in, t.bytes}, answer);
      if (number == 1) has_timed_out.wait();
      (void)s.send(answer.view(), Deadline());
      answer.clear();
    }
  });
  auto o = peer.object(*client.core);
  const auto e = caught<CORBA::TIMEOUT>([&] { echo(o, 1); });
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_MAYBE);
  timed_out.set_value();
  EXPECT_EQ(echo(o, 2), 2u) << "on another connection, with its own reply";
}

TEST(ClientFaults, after_TIMEOUT_the_connection_is_not_used_again) {
  Client client;
  ScriptedPeer peer("silent-once", [](Turn& t) { return t.connection == 1 ? true : t.echo(); });
  auto o = peer.object(*client.core);
  caught<CORBA::TIMEOUT>([&] { echo(o, 1); });
  EXPECT_EQ(echo(o, 2), 2u);
  EXPECT_EQ(peer.connections(), 2);
}

TEST(ClientFaults, a_call_given_up_is_cancelled_before_its_connection_is_closed_9_4_4) {
  Client client({"-ORBCallTimeout", "100"});
  std::promise<std::pair<std::uint32_t, std::uint32_t>> ids;
  TcpPeer peer([&](transport::Stream& s, int) {
    PeerStream p(s);
    const auto request = p.next(), cancel = p.next();
    const bool cancelled = cancel && cancel->type == giop::MessageType::CancelRequest;
    ids.set_value({request->id, cancelled ? cancel->id : 0});
    while (p.next()) {}
  });
  auto o = peer.object(*client.core);
  caught<CORBA::TIMEOUT>([&] { echo(o, 1); });
  const auto [request, cancel] = ids.get_future().get();
  EXPECT_EQ(request, cancel);
}

// --- The reply's body ---

TEST(ClientFaults, results_that_cannot_be_decoded_are_MARSHAL_YES) {
  Client client;
  ScriptedPeer peer("short", [](Turn& t) {
    return t.reply(giop::ReplyStatus::NoException, [](cdr::Encoder& e) { e.put_ushort(1); });
  });
  const auto e = failing_call<CORBA::MARSHAL>(peer, client);
  EXPECT_EQ(e.minor(), own(Fault::Truncated));
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_YES);
}

TEST(ClientFaults, a_connection_survives_results_that_cannot_be_decoded) {
  Client client;
  ScriptedPeer peer("short-once", [](Turn& t) {
    if (t.request != 1) return t.echo();
    return t.reply(giop::ReplyStatus::NoException, [](cdr::Encoder&) {});
  });
  auto o = peer.object(*client.core);
  caught<CORBA::MARSHAL>([&] { echo(o, 1); });
  EXPECT_EQ(echo(o, 2), 2u);
  EXPECT_EQ(peer.connections(), 1);
}

TEST(ClientFaults, a_listed_user_exception_arrives_with_its_members) {
  Client client;
  ScriptedPeer peer("user", [](Turn& t) {
    return t.reply(giop::ReplyStatus::UserException, [](cdr::Encoder& e) {
      e.put_string(kFailure);
      e.put_ulong(12);
    });
  });
  EXPECT_EQ(failing_call<Failure>(peer, client).code, 12u);
}

TEST(ClientFaults, a_user_exception_cut_short_is_MARSHAL_YES) {
  Client client;
  ScriptedPeer peer("user-short", [](Turn& t) {
    return t.reply(giop::ReplyStatus::UserException, [](cdr::Encoder& e) { e.put_string(kFailure); });
  });
  EXPECT_EQ(failing_call<CORBA::MARSHAL>(peer, client).completed(), CORBA::COMPLETED_YES);
}

TEST(ClientFaults, an_unlisted_user_exception_is_UNKNOWN_1) {
  Client client;
  ScriptedPeer peer("user-unlisted", [](Turn& t) {
    return t.reply(giop::ReplyStatus::UserException, [](cdr::Encoder& e) { e.put_string("IDL:Other:1.0"); });
  });
  const auto e = failing_call<CORBA::UNKNOWN>(peer, client);
  EXPECT_EQ(e.minor(), omg(1));
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_YES);
}

TEST(ClientFaults, what_a_server_says_cannot_control_a_terminal_or_forge_lines_of_a_log) {
  Client client;
  const std::string evil = "IDL:\x1b[2J\ncallis: error: \xff" + std::string(100'000, 'x');
  ScriptedPeer peer("evil", [&](Turn& t) {
    return t.reply(giop::ReplyStatus::UserException, [&](cdr::Encoder& e) { e.put_string(evil); });
  });
  const std::string what = failing_call<CORBA::UNKNOWN>(peer, client).what();
  EXPECT_NE(what.find("IDL:\\x1b[2J\\x0acallis: error: \\xffxxx"), std::string::npos) << what;
  EXPECT_LT(what.size(), 2100u);
}

TEST(ClientFaults, a_system_exception_arrives_with_minor_and_completion) {
  Client client;
  ScriptedPeer peer("system", [](Turn& t) {
    return t.system_exception("IDL:omg.org/CORBA/NO_RESOURCES:1.0", 0x12345, giop::Completion::Maybe);
  });
  const auto e = failing_call<CORBA::NO_RESOURCES>(peer, client);
  EXPECT_EQ(e.minor(), 0x12345u);
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_MAYBE);
}

TEST(ClientFaults, a_text_that_comes_with_a_system_exception_is_in_what_13_7_1) {
  Client client;
  ScriptedPeer peer("system-text", [](Turn& t) {
    const Byte text[] = {0, 0, 0, 0, 0, 0, 0, 8, 0, 'f', 0, 'u', 0, 'l', 0, 0x1b};
    const giop::ServiceContext contexts[] = {{giop::kExceptionDetailContext, text}};
    cdr::Encoder e(t.answer);
    const auto s = giop::begin_reply(e, t.version, t.id, giop::ReplyStatus::SystemException, contexts);
    giop::encode(e, giop::SystemExceptionBody{"IDL:omg.org/CORBA/NO_RESOURCES:1.0", 5, giop::Completion::No});
    return giop::finish_message(e, s) == Fault::None;
  });
  const std::string what = failing_call<CORBA::NO_RESOURCES>(peer, client).what();
  const std::string end = ": ful\\x1b";  // nothing that controls a terminal
  EXPECT_TRUE(what.ends_with(end)) << what;
  EXPECT_NE(what.find("COMPLETED_NO: from "), std::string::npos) << what;
}

TEST(ClientFaults, an_unknown_system_exception_is_UNKNOWN_2) {
  Client client;
  ScriptedPeer peer("system-unknown", [](Turn& t) {
    return t.system_exception("IDL:omg.org/CORBA/NO_SUCH_THING:1.0", 9, giop::Completion::Yes);
  });
  const auto e = failing_call<CORBA::UNKNOWN>(peer, client);
  EXPECT_EQ(e.minor(), omg(2));
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_YES);
}

// --- Connecting ---

TEST(ClientConnect, refusal_is_TRANSIENT_NO_and_names_the_address) {
  Client client;
  const auto port = [] { return transport::listen_tcp("127.0.0.1", 0).value()->port(); }();
  const std::string at = "127.0.0.1:" + std::to_string(port);
  CORBA::Object_var o = client.core->string_to_object(("corbaloc:iiop:1.2@" + at + "/echo").c_str());
  const auto e = caught<CORBA::TRANSIENT>([&] { echo(o, 1); });
  EXPECT_EQ(e.minor(), own(Fault::ConnectRefused));
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
  EXPECT_NE(std::string(e.what()).find(at + " refused (errno 111) after "), std::string::npos) << e.what();
}

TEST(ClientConnect, an_address_that_does_not_answer_is_TRANSIENT_NO_after_connect_timeout) {
  transport::testing::SilentPort silent;
  Client client({"-ORBConnectTimeout", "60"});
  CORBA::Object_var o =
      client.core->string_to_object(("corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(silent.port()) + "/x").c_str());
  const auto e = caught<CORBA::TRANSIENT>([&] { echo(o, 1); });
  EXPECT_EQ(e.minor(), own(Fault::ConnectTimeout));
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
}

TEST(ClientConnect, the_calls_deadline_while_connecting_is_TIMEOUT_NO) {
  transport::testing::SilentPort silent;
  Client client({"-ORBCallTimeout", "60"});
  CORBA::Object_var o =
      client.core->string_to_object(("corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(silent.port()) + "/x").c_str());
  const auto e = caught<CORBA::TIMEOUT>([&] { echo(o, 1); });
  EXPECT_EQ(e.minor(), omg(2));
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
}

TEST(ClientConnect, every_profile_is_tried_and_the_one_that_works_is_remembered) {
  Client client;
  ScriptedPeer peer("second-profile", [](Turn& t) { return t.echo(); });
  ior::Ior ior = peer.ior();
  ior.profiles.insert(ior.profiles.begin(), ior::to_profile(ior::MemoryProfile{"nobody", {1}}));
  auto o = client.object(ior);
  EXPECT_EQ(echo(o, 1), 1u);
  EXPECT_EQ(o->_callis_reference()->preferred(), 1u);
  EXPECT_EQ(echo(o, 2), 2u);
}

TEST(ClientConnect, an_alternate_address_serves_when_the_profiles_own_does_not_9_7_3) {
  Client client;
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  auto p = ior::parse_iiop(server.reference->ior().profiles.at(0).data).value();
  p.components.push_back(ior::alternate_address_component(p.address));
  {
    const auto nobody = transport::listen_tcp("127.0.0.1", 0).value();  // a port that nobody listens at afterwards
    p.address.port = nobody->port();
  }
  auto o = client.object({kEchoType, {ior::to_profile(p)}});
  EXPECT_EQ(echo(o, 1), 1u);
  EXPECT_EQ(o->_callis_reference()->preferred(), 1u);
  EXPECT_EQ(echo(o, 2), 2u);
}

TEST(ClientConnect, failure_at_every_profile_names_them_all) {
  Client client;
  auto o = client.object({"", {ior::to_profile(ior::MemoryProfile{"nobody-1", {1}}),
                               ior::to_profile(ior::MemoryProfile{"nobody-2", {1}})}});
  const std::string what = caught<CORBA::TRANSIENT>([&] { echo(o, 1); }).what();
  EXPECT_NE(what.find("nobody-1"), std::string::npos) << what;
  EXPECT_NE(what.find("nobody-2"), std::string::npos) << what;
}

TEST(ClientConnect, a_reference_without_a_usable_profile_is_IMP_LIMIT_1) {
  Client client;
  auto o = client.object({"", {{0x7777, {1, 2, 3}}}});
  EXPECT_EQ(caught<CORBA::IMP_LIMIT>([&] { echo(o, 1); }).minor(), omg(1));
}

// The client and the server need one descriptor each.
TEST(ClientConnect, idle_connections_make_way_where_descriptors_are_used_up) {
  const std::vector<std::string> tcp{"-ORBEndpoint", "tcp:127.0.0.1:0"};
  Client client;
  std::vector<std::unique_ptr<EchoServer>> servers;
  std::vector<CORBA::Object_var> objects;
  for (std::uint32_t i = 0; i < 6; ++i) {
    servers.push_back(std::make_unique<EchoServer>(tcp));
    objects.push_back(servers.back()->object_for(*client.core));
    if (i < 4) echo(objects.back(), i);
  }
  const auto idle = [&](std::size_t i) { return objects[i]->_callis_reference()->paths()[0].endpoint->idle(); };
  servers[0].reset();
  servers[1].reset();
  const transport::testing::NoDescriptors none;
  EXPECT_EQ(echo(objects[4], 4), 4u);
  EXPECT_EQ(idle(0) + idle(1), 0u) << "their servers have closed them";
  EXPECT_EQ(idle(2) + idle(3), 2u);
  EXPECT_EQ(echo(objects[5], 5), 5u);
  EXPECT_EQ(idle(2) + idle(3) + idle(4), 0u) << "there were no others";
}

TEST(ClientConnect, a_nil_reference_is_INV_OBJREF) {
  EXPECT_EQ(caught<CORBA::INV_OBJREF>([] { echo(nullptr, 1); }).minor(), kNilReference);
}

TEST(ClientConnect, arguments_that_cannot_be_encoded_are_BAD_PARAM_NO_and_nothing_is_sent) {
  class NullArgument final : public CallBody {
    void encode(cdr::Encoder& e) override { e.set_fault(Fault::NullPointer); }
    void decode(cdr::Decoder&) override {}
    std::unique_ptr<CORBA::UserException> decode_exception(std::string_view, cdr::Decoder&) override { return {}; }
  };
  Client client;
  ScriptedPeer peer("null-argument", [](Turn& t) { return t.echo(); });
  auto o = peer.object(*client.core);
  EXPECT_EQ(echo(o, 1), 1u);
  NullArgument body;
  const auto e = caught<CORBA::BAD_PARAM>([&] { call(reference_of(o), {"echo"}, body); });
  EXPECT_EQ(e.minor(), own(Fault::NullPointer));
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
  EXPECT_EQ(echo(o, 2), 2u);
  EXPECT_EQ(peer.requests(), 2);
  EXPECT_EQ(peer.connections(), 1);
}

}  // namespace
}  // namespace callis::orb
