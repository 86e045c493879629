// SPDX-License-Identifier: Apache-2.0
// Where a client goes when a server sends it elsewhere (CORBA 3.3 part 2, 9.4.2.2, 9.4.3.2), and LocateRequest
// (9.4.5).
#include <gtest/gtest.h>
#include <callis/orb/client/locate.h>
#include <callis/orb/endpoint/endpoint.h>
#include <callis/orb/testing/client.h>
#include <callis/orb/testing/peer_stream.h>

namespace callis::orb {
namespace {

using namespace testing;

// --- Forwards ---

TEST(ClientForwards, are_followed_and_remembered) {
  Client client;
  ScriptedPeer target("fwd-target", [](Turn& t) { return t.echo(); });
  ScriptedPeer agent("fwd-agent", [&](Turn& t) { return t.forward(target.ior()); });
  auto o = agent.object(*client.core);
  EXPECT_EQ(echo(o, 1), 1u);
  EXPECT_EQ(echo(o, 2), 2u);
  EXPECT_EQ(agent.requests(), 1) << "the second call goes straight";
  EXPECT_EQ(target.requests(), 2);
}

TEST(ClientForwards, permanent_ones_are_followed_like_others) {
  Client client;
  ScriptedPeer target("fwdp-target", [](Turn& t) { return t.echo(); });
  ScriptedPeer agent("fwdp-agent",
                     [&](Turn& t) { return t.forward(target.ior(), giop::ReplyStatus::LocationForwardPerm); });
  EXPECT_EQ(echo(agent.object(*client.core), 1), 1u);
}

constexpr auto kPermanent = giop::ReplyStatus::LocationForwardPerm;

TEST(ClientForwards, permanent_ones_replace_the_address_for_good) {
  Client client;
  auto target = std::make_optional<ScriptedPeer>("moved-target", [](Turn& t) { return t.echo(); });
  ScriptedPeer agent("moved-agent", [&](Turn& t) { return t.forward(target->ior(), kPermanent); });
  auto o = agent.object(*client.core);
  EXPECT_EQ(echo(o, 1), 1u);
  EXPECT_EQ(echo(o, 2), 2u);
  target.reset();
  // A new connection is refused there, and nobody goes back.
  o->_callis_reference()->permanent()->paths()[0].endpoint->close_idle(false);
  EXPECT_EQ(caught<CORBA::TRANSIENT>([&] { echo(o, 3); }).completed(), CORBA::COMPLETED_NO);
  EXPECT_EQ(agent.requests(), 1);
}

TEST(ClientForwards, an_object_gone_from_where_it_moved_for_good_does_not_exist) {
  Client client;
  ScriptedPeer target("moved-gone", [](Turn& t) {
    return t.system_exception("IDL:omg.org/CORBA/OBJECT_NOT_EXIST:1.0", 0, giop::Completion::No);
  });
  ScriptedPeer agent("moved-gone-agent", [&](Turn& t) { return t.forward(target.ior(), kPermanent); });
  auto o = agent.object(*client.core);
  caught<CORBA::OBJECT_NOT_EXIST>([&] { echo(o, 1); });
  caught<CORBA::OBJECT_NOT_EXIST>([&] { echo(o, 1); });
  EXPECT_EQ(agent.requests(), 1);
}

TEST(ClientForwards, from_where_it_moved_for_good_lead_back_there) {
  Client client;
  auto far = std::make_optional<ScriptedPeer>("moved-far", [](Turn& t) {
    t.echo();
    return false;
  });
  const ior::Ior there = far->ior();
  ScriptedPeer target("moved-middle", [&](Turn& t) { return t.request == 1 ? t.forward(there) : t.echo(); });
  ScriptedPeer agent("moved-first", [&](Turn& t) { return t.forward(target.ior(), kPermanent); });
  auto o = agent.object(*client.core);
  EXPECT_EQ(echo(o, 1), 1u);
  far.reset();
  EXPECT_EQ(echo(o, 2), 2u);
  EXPECT_EQ(agent.requests(), 1);
  EXPECT_EQ(target.requests(), 2);
}

TEST(ClientForwards, permanent_ones_of_a_place_that_is_not_permanent_are_not_either) {
  Client client;
  auto far = std::make_optional<ScriptedPeer>("then-far", [](Turn& t) {
    t.echo();
    return false;
  });
  const ior::Ior there = far->ior();
  ScriptedPeer middle("then-middle", [&](Turn& t) { return t.forward(there, kPermanent); });
  ScriptedPeer agent("then-agent", [&](Turn& t) { return t.request == 1 ? t.forward(middle.ior()) : t.echo(); });
  auto o = agent.object(*client.core);
  EXPECT_EQ(echo(o, 1), 1u);
  far.reset();
  EXPECT_EQ(echo(o, 2), 2u) << "at the first address";
  EXPECT_EQ(agent.requests(), 2);
}

TEST(ClientForwards, permanent_in_a_circle_end_in_TRANSIENT_after_max_forwards) {
  Client client;
  ior::Ior back;
  ScriptedPeer a("perm-loop-a", [&](Turn& t) { return t.forward(back, kPermanent); });
  ScriptedPeer b("perm-loop-b", [&](Turn& t) { return t.forward(a.ior(), kPermanent); });
  back = b.ior();
  EXPECT_EQ(failing_call<CORBA::TRANSIENT>(a, client).minor(), kTooManyForwards);
  EXPECT_EQ(a.requests() + b.requests(), 11);
}

TEST(ClientForwards, keep_the_connection_to_the_one_who_forwards) {
  Client client;
  ScriptedPeer target("fwd-keep-target", [](Turn& t) { return t.echo(); });
  ScriptedPeer agent("fwd-keep-agent", [&](Turn& t) { return t.forward(target.ior()); });
  auto a = agent.object(*client.core), b = agent.object(*client.core);
  echo(a, 1);
  echo(b, 1);
  EXPECT_EQ(agent.requests(), 2);
  EXPECT_EQ(agent.connections(), 1);
}

TEST(ClientForwards, change_while_many_threads_call) {
  Client client;
  // The place answers once in a while that the object is gone; the agent forwards anew.
  EchoServer place({"-ORBEndpoint", "memory:flip-place"}), agent({"-ORBEndpoint", "memory:flip-agent"});
  struct Forwarding final : RequestHandler {
    ior::Ior to;
    void handle(ServerRequest& r) noexcept override { r.location_forward(to); }
    Locate locate(ByteView, ior::Ior&) noexcept override { return Locate::Here; }
  } forwarding;
  struct Sometimes final : RequestHandler {
    std::atomic<std::uint32_t> n{0};
    void handle(ServerRequest& r) noexcept override {
      if (++n % 5 == 0) return r.system_exception(CORBA::OBJECT_NOT_EXIST(omg(2), CORBA::COMPLETED_NO));
      const auto v = r.arguments().get_ulong();
      r.reply().put_ulong(v);
    }
    Locate locate(ByteView, ior::Ior&) noexcept override { return Locate::Here; }
  } sometimes;
  forwarding.to = ior::Ior(place.reference->ior());
  place.core->set_handler(&sometimes);
  agent.core->set_handler(&forwarding);
  auto o = agent.object_for(*client.core);
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (std::uint32_t t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (std::uint32_t i = 0; i < 500; ++i) {
        try {
          wrong += echo(o, i) != i;
        } catch (const CORBA::TRANSIENT& e) {  // ten in a row may meet a fifth answer each
          wrong += e.minor() != kTooManyForwards;
        }
      }
    });
  for (auto& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

TEST(ClientForwards, in_a_circle_end_in_TRANSIENT_after_max_forwards) {
  Client client;
  ior::Ior back;
  ScriptedPeer a("loop-a", [&](Turn& t) { return t.forward(back); });
  ScriptedPeer b("loop-b", [&](Turn& t) { return t.forward(a.ior()); });
  back = b.ior();
  const auto e = failing_call<CORBA::TRANSIENT>(a, client);
  EXPECT_EQ(e.minor(), kTooManyForwards);
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
  EXPECT_EQ(a.requests() + b.requests(), 11) << "the first and ten forwards";
}

TEST(ClientForwards, as_many_as_max_forwards_are_followed) {
  Client client;
  int n = 0;
  std::optional<ScriptedPeer> peer;
  peer.emplace("ten", [&](Turn& t) { return ++n <= 10 ? t.forward(peer->ior()) : t.echo(); });
  EXPECT_EQ(echo(peer->object(*client.core), 1), 1u);
  EXPECT_EQ(peer->requests(), 11);
}

TEST(ClientForwards, to_nil_are_INV_OBJREF) {
  Client client;
  ScriptedPeer agent("fwd-nil", [&](Turn& t) { return t.forward({}); });
  EXPECT_EQ(failing_call<CORBA::INV_OBJREF>(agent, client).minor(), kBadForward);
}

TEST(ClientForwards, to_profiles_that_nobody_knows_are_INV_OBJREF) {
  Client client;
  ScriptedPeer agent("fwd-odd", [&](Turn& t) { return t.forward({"", {{0x7777, {1, 2, 3}}}}); });
  auto o = agent.object(*client.core);
  EXPECT_EQ(caught<CORBA::INV_OBJREF>([&] { echo(o, 1); }).minor(), kBadForward);
  caught<CORBA::INV_OBJREF>([&] { echo(o, 1); });
  EXPECT_EQ(agent.requests(), 2) << "not remembered";
}

TEST(ClientForwards, to_a_server_that_is_gone_lead_back_to_the_first) {
  Client client;
  auto target = std::make_optional<ScriptedPeer>("fwd-gone", [](Turn& t) {
    t.echo();
    return false;
  });
  const ior::Ior there = target->ior();
  ScriptedPeer agent("fwd-again", [&](Turn& t) { return t.request == 1 ? t.forward(there) : t.echo(); });
  auto o = agent.object(*client.core);
  EXPECT_EQ(echo(o, 1), 1u);
  target.reset();
  EXPECT_EQ(echo(o, 2), 2u);
  EXPECT_EQ(agent.requests(), 2);
}

TEST(ClientForwards, to_an_object_that_is_gone_lead_back_to_the_first) {
  Client client;
  ScriptedPeer target("fwd-one", [](Turn& t) {
    if (t.request == 1) return t.echo();
    return t.system_exception("IDL:omg.org/CORBA/OBJECT_NOT_EXIST:1.0", 0, giop::Completion::No);
  });
  ScriptedPeer agent("fwd-one-agent", [&](Turn& t) { return t.request == 1 ? t.forward(target.ior()) : t.echo(); });
  auto o = agent.object(*client.core);
  EXPECT_EQ(echo(o, 1), 1u);
  EXPECT_EQ(echo(o, 2), 2u);
  EXPECT_EQ(agent.requests(), 2);
}

constexpr std::string_view kTransient = "IDL:omg.org/CORBA/TRANSIENT:1.0";

TEST(ClientForwards, to_a_server_that_closes_every_connection_unread_lead_back_to_the_first) {
  Client client;
  ScriptedPeer target("fwd-closing", [](Turn& t) { return t.close_connection(); });
  ScriptedPeer agent("fwd-closing-agent",
                     [&](Turn& t) { return t.request == 1 ? t.forward(target.ior()) : t.echo(); });
  EXPECT_EQ(echo(agent.object(*client.core), 7), 7u);
  EXPECT_EQ(target.requests(), 2) << "once more there, on a new connection";
  EXPECT_EQ(agent.requests(), 2);
}

TEST(ClientForwards, to_servers_that_all_close_unread_end_after_max_forwards) {
  Client client;
  ScriptedPeer target("fwd-ever-closing", [](Turn& t) { return t.close_connection(); });
  ScriptedPeer agent("fwd-ever-agent", [&](Turn& t) { return t.forward(target.ior()); });
  const auto e = failing_call<CORBA::TRANSIENT>(agent, client);
  EXPECT_EQ(e.minor(), kTooManyForwards);
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
}

TEST(ClientForwards, give_each_place_a_second_connection) {
  Client client;
  ScriptedPeer last("fwd-fresh-last", [](Turn& t) { return t.request == 1 ? t.close_connection() : t.echo(); });
  ScriptedPeer agent("fwd-fresh-agent",
                     [&](Turn& t) { return t.request == 1 ? t.close_connection() : t.forward(last.ior()); });
  EXPECT_EQ(echo(agent.object(*client.core), 7), 7u);
  EXPECT_EQ(agent.requests(), 2);
  EXPECT_EQ(last.requests(), 2);
}

TEST(ClientForwards, to_a_server_that_stops_lead_back_to_the_first) {
  Client client;
  ScriptedPeer old("fwd-stopping", [](Turn& t) {
    return t.request == 1 ? t.echo() : t.system_exception(kTransient, omg(4), giop::Completion::No);
  });
  ScriptedPeer restarted("fwd-restarted", [](Turn& t) { return t.echo(); });
  ScriptedPeer agent("fwd-stopping-agent",
                     [&](Turn& t) { return t.forward(t.request == 1 ? old.ior() : restarted.ior()); });
  auto o = agent.object(*client.core);
  for (std::uint32_t i = 1; i < 4; ++i) EXPECT_EQ(echo(o, i), i);
  EXPECT_EQ(agent.requests(), 2);
  EXPECT_EQ(restarted.requests(), 2);
}

TEST(ClientForwards, to_a_server_that_stays_busy_end_with_its_own_words) {
  Client client;
  ScriptedPeer target("fwd-busy",
                      [](Turn& t) { return t.system_exception(kTransient, 42, giop::Completion::No); });
  ScriptedPeer agent("fwd-busy-agent", [&](Turn& t) { return t.forward(target.ior()); });
  EXPECT_EQ(failing_call<CORBA::TRANSIENT>(agent, client).minor(), 42u);
  EXPECT_EQ(agent.requests(), 2);
  EXPECT_EQ(target.requests(), 2);
}

TEST(ClientForwards, are_not_left_when_the_call_may_have_been_executed) {
  for (const bool says_so : {true, false}) {
    Client client;
    ScriptedPeer target("fwd-maybe", [&](Turn& t) {
      return says_so && t.system_exception(kTransient, 42, giop::Completion::Maybe);
    });
    ScriptedPeer agent("fwd-maybe-agent", [&](Turn& t) { return t.forward(target.ior()); });
    const auto o = agent.object(*client.core);
    if (says_so) EXPECT_EQ(caught<CORBA::TRANSIENT>([&] { echo(o, 1); }).completed(), CORBA::COMPLETED_MAYBE);
    else EXPECT_EQ(caught<CORBA::COMM_FAILURE>([&] { echo(o, 1); }).completed(), CORBA::COMPLETED_MAYBE);
    EXPECT_EQ(agent.requests(), 1);
    EXPECT_EQ(target.requests(), 1);
  }
}

// --- Addressing (9.4.2.2) ---

bool ask_for(Turn& t, giop::AddressingDisposition how) {
  if (t.how == how) return t.echo();
  return t.reply(giop::ReplyStatus::NeedsAddressingMode, [&](cdr::Encoder& e) { giop::encode(e, how); });
}

TEST(ClientAddressing, a_profile_is_sent_when_the_server_asks_for_it) {
  Client client;
  ScriptedPeer peer("by-profile", [](Turn& t) { return ask_for(t, giop::AddressingDisposition::Profile); });
  auto o = peer.object(*client.core);
  EXPECT_EQ(echo(o, 4), 4u);
  EXPECT_EQ(echo(o, 5), 5u);
  EXPECT_EQ(peer.requests(), 3) << "remembered for the second call";
}

TEST(ClientAddressing, a_whole_reference_is_sent_when_the_server_asks_for_it) {
  Client client;
  ScriptedPeer peer("by-reference", [](Turn& t) { return ask_for(t, giop::AddressingDisposition::Reference); });
  EXPECT_EQ(echo(peer.object(*client.core), 4), 4u);
}

TEST(ClientAddressing, a_server_that_is_never_content_is_INV_OBJREF) {
  Client client;
  ScriptedPeer peer("never-content", [](Turn& t) {
    return t.reply(giop::ReplyStatus::NeedsAddressingMode,
                   [&](cdr::Encoder& e) { giop::encode(e, giop::AddressingDisposition::Key); });
  });
  EXPECT_EQ(failing_call<CORBA::INV_OBJREF>(peer, client).minor(), kAddressingRefused);
}

TEST(ClientAddressing, ping_pong_between_modes_ends_like_forwards) {
  Client client;
  ScriptedPeer peer("ping-pong", [](Turn& t) {
    const auto other = t.how == giop::AddressingDisposition::Key ? giop::AddressingDisposition::Profile
                                                                 : giop::AddressingDisposition::Key;
    return t.reply(giop::ReplyStatus::NeedsAddressingMode, [&](cdr::Encoder& e) { giop::encode(e, other); });
  });
  EXPECT_EQ(failing_call<CORBA::TRANSIENT>(peer, client).minor(), kTooManyForwards);
}

// --- LocateRequest (9.4.5, 9.4.6) ---

class EveryLocate : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(EveryLocate, tells_objects_that_are_there_from_others_without_an_upcall) {
  EchoServer server({"-ORBEndpoint", GetParam().first, "-ORBGIOPVersion", GetParam().second});
  Client client;
  auto o = server.object_for(*client.core);
  EXPECT_EQ(locate(reference_of(o), Deadline::in(Duration(20'000))), Located::Here);
  ior::Ior other(server.reference->ior());
  auto& profile = other.profiles[0];
  if (profile.tag == ior::kMemoryProfile) {
    profile = ior::to_profile(ior::MemoryProfile{"locate", {1}});
  } else {
    auto p = ior::parse_iiop(profile.data).value();
    p.object_key = {1};
    profile = ior::to_profile(p);
  }
  CORBA::Object_var nobody = client.core->string_to_object(ior::to_text(other).c_str());
  EXPECT_EQ(locate(reference_of(nobody), Deadline::in(Duration(20'000))), Located::Unknown);
  EXPECT_EQ(server.handler.requests, 0);
  EXPECT_EQ(echo(o, 1), 1u) << "on the same connection";
}

INSTANTIATE_TEST_SUITE_P(ClientLocate, EveryLocate,
                         ::testing::Values(std::pair{"tcp:127.0.0.1:0", "1.0"}, std::pair{"tcp:127.0.0.1:0", "1.1"},
                                           std::pair{"tcp:127.0.0.1:0", "1.2"}, std::pair{"memory:locate", "1.2"}),
                         [](const auto& p) {
                           const std::string v = p.param.second;
                           return std::string(p.param.first).substr(0, 3) + "_1_" + v.back();
                         });

// Answers each LocateRequest by a script, over TCP.
using Status = giop::LocateStatus;
Buffer locate_reply(std::uint32_t id, Status status, const std::function<void(cdr::Encoder&)>& body = {}) {
  Buffer b;
  cdr::Encoder e(b);
  const auto s = giop::begin_locate_reply(e, giop::kGiop12, id, status);
  if (body) body(e);
  EXPECT_EQ(giop::finish_message(e, s), Fault::None);
  return b;
}

TEST(ClientLocate, follows_forwards_of_both_kinds_and_remembers_them) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  for (const Status status : {Status::ObjectForward, Status::ObjectForwardPerm}) {
    TcpPeer peer([&](transport::Stream& s, int) {
      PeerStream p(s);
      while (const auto r = p.next())
        p.send(locate_reply(r->id, status, [&](cdr::Encoder& e) { ior::encode(e, server.reference->ior()); }).view());
    });
    Client client;
    auto o = peer.object(*client.core);
    EXPECT_EQ(locate(reference_of(o), Deadline()), Located::Here);
    EXPECT_EQ(echo(o, 4), 4u) << "the call goes straight";
    EXPECT_EQ(bool(o->_callis_reference()->permanent()), status == Status::ObjectForwardPerm);
  }
}

TEST(ClientLocate, other_answers_are_exceptions) {
  Status status = Status::SystemException;
  TcpPeer peer([&](transport::Stream& s, int) {
    PeerStream p(s);
    while (const auto r = p.next())
      p.send(locate_reply(r->id, status, [&](cdr::Encoder& e) {
               if (status == Status::SystemException)
                 giop::encode(
                     e, giop::SystemExceptionBody{"IDL:omg.org/CORBA/NO_RESOURCES:1.0", 5, giop::Completion::No});
               else giop::encode(e, giop::AddressingDisposition::Key);
             }).view());
  });
  Client client;
  auto o = peer.object(*client.core);
  EXPECT_EQ(caught<CORBA::NO_RESOURCES>([&] { locate(reference_of(o), Deadline()); }).minor(), 5u);
  status = Status::NeedsAddressingMode;
  EXPECT_EQ(caught<CORBA::INV_OBJREF>([&] { locate(reference_of(o), Deadline()); }).minor(), kAddressingRefused);
}

TEST(ClientLocate, keeps_its_deadline) {
  TcpPeer peer([&](transport::Stream& s, int) {
    PeerStream p(s);
    while (p.next()) {}
  });
  Client client;
  auto o = peer.object(*client.core);
  EXPECT_EQ(caught<CORBA::TIMEOUT>([&] { locate(reference_of(o), Deadline::in(Duration(30))); }).completed(),
            CORBA::COMPLETED_MAYBE);
}

TEST(ClientLocate, where_nobody_listens_is_TRANSIENT) {
  Client client;
  CORBA::Object_var o = client.core->string_to_object(
      ior::to_text({"", {ior::to_profile(ior::MemoryProfile{"nobody", {1}})}}).c_str());
  EXPECT_EQ(caught<CORBA::TRANSIENT>([&] { locate(reference_of(o), Deadline()); }).completed(), CORBA::COMPLETED_NO);
}

}  // namespace
}  // namespace callis::orb
