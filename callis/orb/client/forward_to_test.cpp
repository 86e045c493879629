// SPDX-License-Identifier: Apache-2.0
// Where servers may send calls (-ORBForwardTo). 127.0.1.1 stands for another machine: it counts as an address like
// any other.
#include <gtest/gtest.h>
#include <callis/orb/client/locate.h>
#include <callis/orb/endpoint/endpoint.h>
#include <callis/orb/options/forward_to.h>
#include <callis/orb/server/server.h>
#include <callis/orb/testing/client.h>
#include <callis/orb/testing/scripted_peer.h>
#include <unistd.h>

namespace callis::orb {
namespace {

using namespace testing;

EndpointAddress place(const std::string& text) {
  EndpointAddress a{tcp_transport(), text, 0};
  for (const Transport* const t : {unix_transport(), memory_transport()}) t->parse(text, a);
  return a;
}
transport::Peer peer(const std::string& text) {
  const EndpointAddress a = place(text);
  if (a.transport->has_hosts()) return transport::Peer::at(text);
  return {
      .kind = a.transport->is_inside() ? transport::Peer::Kind::Memory : transport::Peer::Kind::Local,
      .reach = a.transport->reach(a), .host = text};
}

bool allowed(const std::string& list, const std::string& from, const std::string& to) {
  Options o;
  EXPECT_TRUE(parse_forward_list(list, o.forward_to)) << list;
  const transport::Peer server = peer(from);
  ForwardRule rule(o, server);
  const bool yes = rule.allows(place(to));
  EXPECT_EQ(rule.refused(), yes ? "" : to);
  return yes;
}

constexpr const char* kForwardPlaces[] = {"memory:x", "unix:/run/x", "127.0.0.1",  "::1",
                                          "fe80::1",  "192.0.2.1",   "2001:db8::1"};

TEST(ForwardRule, outward_leads_nowhere_nearer_than_the_server_that_forwards) {
  const auto nearness = [](const char* at) { return peer(at).reach; };
  for (const char* from : kForwardPlaces)
    for (const char* to : kForwardPlaces) {
      const bool to_socket = std::string_view(to).starts_with("unix:") && nearness(from) >= transport::Reach::Machine;
      const bool yes = to_socket ? std::string_view(from).starts_with("unix:") : nearness(to) >= nearness(from);
      EXPECT_EQ(allowed("outward", from, to), yes) << from << ' ' << to;
    }
  EXPECT_FALSE(allowed("outward", "192.0.2.1", "::ffff:127.0.0.1"));
  EXPECT_FALSE(allowed("outward", "192.0.2.1", "0.0.0.0"));
  EXPECT_FALSE(allowed("outward", "192.0.2.1", "169.254.169.254"));
  EXPECT_TRUE(allowed("outward", "192.0.2.1", "10.1.2.3"));
  EXPECT_TRUE(allowed("outward", "192.0.2.1", "a.name")) << "its connections are looked at";
}

TEST(ForwardRule, a_server_at_this_machines_own_address_is_on_this_machine) {
  EXPECT_TRUE(allowed("outward", transport::primary_address(), "127.0.0.1"));
  EXPECT_FALSE(allowed("outward", transport::primary_address(), "unix:/run/x"));
}

TEST(ForwardRule, any_allows_all_and_none_nothing) {
  for (const char* from : kForwardPlaces)
    for (const char* to : kForwardPlaces) {
      EXPECT_TRUE(allowed("any", from, to));
      EXPECT_FALSE(allowed("none", from, to));
    }
}

TEST(ForwardRule, a_list_allows_what_it_names_and_nothing_else) {
  const std::string list = "Host.example.org,.example.net,192.0.2.7,10.0.0.0/8,2001:db8::/32,unix:/run/app";
  for (const char* to : {"host.example.org", "a.example.net", "A.B.EXAMPLE.NET", "192.0.2.7", "::ffff:192.0.2.7",
                         "10.255.1.1", "::ffff:10.1.1.1", "2001:db8:1::5", "unix:/run/app"})
    EXPECT_TRUE(allowed(list, "198.51.100.1", to)) << to;
  for (const char* to :
       {"example.net", "badexample.net", "example.org", "host.example.org.", "x.host.example.org", "192.0.2.8",
        "11.0.0.1", "2001:db9::5", "unix:/run/app2", "unix:/run/ap", "memory:x", "127.0.0.1", "198.51.100.1", ""})
    EXPECT_FALSE(allowed(list, "198.51.100.1", to)) << to;
  EXPECT_TRUE(allowed("127.0.0.1", "198.51.100.1", "127.0.0.1")) << "who lists it may go there";
}

TEST(ForwardRule, same_is_the_servers_own_host) {
  EXPECT_TRUE(allowed("same", "192.0.2.1", "192.0.2.1"));
  EXPECT_TRUE(allowed("same", "192.0.2.1", "::ffff:192.0.2.1"));
  EXPECT_TRUE(allowed("same", "unix:/run/x", "unix:/run/y"));
  EXPECT_TRUE(allowed("same", "unix:/run/x", "127.0.0.1"));
  EXPECT_TRUE(allowed("same", "memory:x", "memory:y"));
  EXPECT_FALSE(allowed("same", "unix:/run/x", "memory:x"));
  EXPECT_TRUE(allowed("same", "127.0.0.1", "unix:/run/x"));
  EXPECT_FALSE(allowed("same", "192.0.2.1", "192.0.2.2"));
  EXPECT_FALSE(allowed("same", "192.0.2.1", "127.0.0.1"));
  EXPECT_TRUE(allowed("192.0.2.2,same", "192.0.2.1", "192.0.2.1"));
}

TEST(ForwardRule, lists_are_checked_when_they_are_read) {
  std::string list;
  for (const char* good : {"outward", "any", "none", "same", "a", "a.b,.c", "::1", "10.0.0.0/8", "unix:/x"})
    EXPECT_TRUE(parse_forward_list(good, list)) << good;
  for (const char* bad : {"", ",", "a,", ",a", "a,,b", "any,a", "a,none", "outward,a", "10.0.0.0/33", "a/8", "a b",
                          "http://a", "a:80", "unix:", "unix:x", "unix:/", "memory:x", "*", "\x1b[m"})
    EXPECT_FALSE(parse_forward_list(bad, list)) << bad;
  EXPECT_TRUE(parse_forward_list("outward", list));
  EXPECT_EQ(list, "");
}

// --- Over the wire

// Forwards every request, and every question, to one place.
class Forwarder {
 public:
  explicit Forwarder(std::function<ior::Ior()> to, const char* host = "127.0.1.1",
                     giop::ReplyStatus status = giop::ReplyStatus::LocationForward)
      : peer_([this, to = std::move(to), status](transport::Stream& s, int) {
          const Limits limits;
          giop::Connection engine(giop::Role::Server, limits);
          Buffer in;
          std::size_t from = 0;
          for (;;) {
            const giop::Event ev = engine.receive(in.view(from));
            from += ev.consumed;
            if (ev.kind == giop::EventKind::Message) {
              if (!answer(s, ev.message, to(), status)) return;
              continue;
            }
            if (ev.kind != giop::EventKind::NeedBytes || !in.reserve(in.size() + 4096)) return;
            const auto t = s.receive({in.data() + in.size(), 4096}, Deadline());
            if (!t.ok()) return;
            in.set_size(in.size() + t.bytes);
          }
        }, host) {}

  CORBA::Object_var object(Core& client) const { return peer_.object(client); }
  std::atomic<int> asked{0};

 private:
  bool answer(transport::Stream& s, const giop::Message& m, const ior::Ior& to, giop::ReplyStatus status) {
    ++asked;
    cdr::Budget budget{1u << 20, 64};
    cdr::Decoder d = m.decoder(budget);
    const std::uint32_t id = d.get_ulong();
    Buffer b;
    cdr::Encoder e(b);
    const bool question = m.header.type == giop::MessageType::LocateRequest;
    const giop::LocateStatus located = status == giop::ReplyStatus::LocationForward
                                           ? giop::LocateStatus::ObjectForward
                                           : giop::LocateStatus::ObjectForwardPerm;
    const auto started = question ? giop::begin_locate_reply(e, m.header.version, id, located)
                                  : giop::begin_reply(e, m.header.version, id, status);
    ior::encode(e, to);
    EXPECT_EQ(giop::finish_message(e, started), Fault::None);
    return s.send(b.view(), Deadline()).ok();
  }

  TcpPeer peer_;
};

ior::Ior at(const std::string& host, std::uint16_t port) {
  const ByteView key = bytes_of("echo");
  return {kEchoType, {ior::to_profile(ior::IiopProfile{{1, 2}, {host, port}, {key.begin(), key.end()}, {}})}};
}
std::uint16_t port_of(EchoServer& server) { return server.core->server().published().front().port; }
std::string new_socket() {
  static int n = 0;
  return "/tmp/callis-forward-" + std::to_string(::getpid()) + "-" + std::to_string(++n);
}

void expect_refused(CORBA::Object_ptr o, std::string_view to) {
  for (const bool question : {false, true}) {
    const auto e = caught<CORBA::NO_PERMISSION>([&] {
      if (question) (void)locate(*o->_callis_reference(), Deadline());
      else echo(o, 1);
    });
    EXPECT_EQ(e.minor(), kForwardRefused);
    EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
    EXPECT_NE(e.detail().find(to), std::string_view::npos) << e.what();
    EXPECT_NE(e.detail().find("-ORBForwardTo"), std::string_view::npos) << e.what();
  }
}

class EveryForward : public ::testing::TestWithParam<giop::ReplyStatus> {};

TEST_P(EveryForward, from_another_machine_reaches_no_socket_of_this_one) {
  const std::string path = new_socket();
  EchoServer server({"-ORBEndpoint", "unix:" + path});
  for (const bool as_component : {true, false}) {
    Client client;
    Forwarder forwarder([&] {
      ior::Ior to = server.reference->ior();
      if (!as_component)
        std::erase_if(to.profiles, [](const ior::TaggedProfile& p) { return p.tag == ior::kInternetProfile; });
      return to;
    }, "127.0.1.1", GetParam());
    expect_refused(forwarder.object(*client.core), "unix:" + path);
  }
  EXPECT_EQ(server.core->server().connections(), 0u);
}

TEST_P(EveryForward, from_another_machine_reaches_no_endpoint_of_this_process) {
  EchoServer server({"-ORBEndpoint", "memory:forward-here"});
  Client client;
  Forwarder forwarder([&] { return server.reference->ior(); }, "127.0.1.1", GetParam());
  expect_refused(forwarder.object(*client.core), "memory:forward-here");
}

TEST_P(EveryForward, from_another_machine_reaches_no_loopback_address) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  for (const char* host : {"127.0.0.1", "127.9.9.9", "::ffff:127.0.0.1", "::1", "0.0.0.0", "::"}) {
    Client client;
    Forwarder forwarder([&] { return at(host, port_of(server)); }, "127.0.1.1", GetParam());
    expect_refused(forwarder.object(*client.core), host);
  }
  EXPECT_EQ(server.core->server().connections(), 0u);
}

INSTANTIATE_TEST_SUITE_P(ForwardTo, EveryForward,
                         ::testing::Values(giop::ReplyStatus::LocationForward,
                                           giop::ReplyStatus::LocationForwardPerm),
                         [](const auto& i) {
                           return i.param == giop::ReplyStatus::LocationForward ? "once" : "permanent";
                         });

TEST(ForwardTo, names_that_lead_to_loopback_addresses_are_sent_no_request) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  for (const char* host : {"localhost", "127.1", "2130706433", "0x7f000001"}) {
    Client client;
    CORBA::Object_var direct = client.core->string_to_object(ior::to_text(at(host, port_of(server))).c_str());
    EXPECT_EQ(echo(direct, 5), 5u) << "leaves a connection that a forward might find";
    Forwarder forwarder([&] { return at(host, port_of(server)); });
    auto o = forwarder.object(*client.core);
    const auto before = server.handler.requests.load();
    expect_refused(o, host);
    EXPECT_EQ(server.handler.requests, before);
    EXPECT_EQ(forwarder.asked, 2) << "each call asks anew";
  }
}

TEST(ForwardTo, other_addresses_of_a_reference_are_used) {
  EchoServer near({"-ORBEndpoint", "unix:" + new_socket()}), far({"-ORBEndpoint", "tcp:127.0.1.1:0"});
  Client client;
  Forwarder forwarder([&] {
    ior::Ior to = near.reference->ior();
    const auto more = far.reference->ior().profiles;
    to.profiles.insert(to.profiles.end(), more.begin(), more.end());
    return to;
  });
  auto o = forwarder.object(*client.core);
  for (std::uint32_t i = 1; i < 4; ++i) EXPECT_EQ(echo(o, i), i);
  EXPECT_EQ(forwarder.asked, 1);
  EXPECT_EQ(near.core->server().connections(), 0u);
}

TEST(ForwardTo, a_chain_comes_no_nearer_than_its_last_server) {
  EchoServer server({"-ORBEndpoint", "memory:forward-chain"});
  Client client;
  Forwarder second([&] { return server.reference->ior(); });
  Forwarder first([&] {
    Client reader;
    return second.object(*reader.core)->_callis_reference()->ior();
  });
  expect_refused(first.object(*client.core), "memory:forward-chain");
}

TEST(ForwardTo, a_server_at_a_loopback_address_reaches_sockets_only_where_that_is_allowed) {
  const std::string path = new_socket();
  EchoServer server({"-ORBEndpoint", "unix:" + path});
  Forwarder forwarder([&] { return server.reference->ior(); }, "127.0.0.1");
  Client usual;
  expect_refused(forwarder.object(*usual.core), "unix:" + path);
  for (const std::string& list : {std::string("same"), "unix:" + path}) {
    Client client({"-ORBForwardTo", list});
    EXPECT_EQ(echo(forwarder.object(*client.core), 1), 1u);
  }
}

TEST(ForwardTo, a_server_at_a_socket_may_send_to_another) {
  EchoServer server({"-ORBEndpoint", "unix:" + new_socket()}), agent({"-ORBEndpoint", "unix:" + new_socket()});
  agent.core->register_initial_reference("Bank", server.object_for(*agent.core));
  Client client;
  const auto& profiles = agent.reference->ior().profiles;
  CORBA::Object_var o = client.core->string_to_object(
      ("corbaloc:uiop:1.2@" + agent.core->server().published().front().place + "|Bank").c_str());
  ASSERT_FALSE(profiles.empty());
  EXPECT_EQ(echo(o, 7), 7u);
}

TEST(ForwardTo, lists_are_kept_to) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"}), other({"-ORBEndpoint", "tcp:127.0.1.1:0"});
  for (const char* list : {"127.0.0.0/8", "same,127.0.0.1", "any"}) {
    Client client({"-ORBForwardTo", list});
    Forwarder forwarder([&] { return at("127.0.0.1", port_of(server)); });
    EXPECT_EQ(echo(forwarder.object(*client.core), 1), 1u) << list;
  }
  for (const char* list : {"10.0.0.0/8", "none", "127.0.0.1", "localhost"}) {
    Client client({"-ORBForwardTo", list});
    Forwarder forwarder([&] { return at("127.0.1.1", port_of(other)); });
    expect_refused(forwarder.object(*client.core), "127.0.1.1");
  }
  Client client({"-ORBForwardTo", "localhost"});
  Forwarder forwarder([&] { return at("localhost", port_of(server)); });
  EXPECT_EQ(echo(forwarder.object(*client.core), 1), 1u) << "a name that is listed may lead anywhere";
}

TEST(ForwardTo, none_is_no_host_of_that_name) {
  Client client({"-ORBForwardTo", "none"});
  Forwarder forwarder([] { return at("none", 4711); });
  expect_refused(forwarder.object(*client.core), "none");
}

TEST(ForwardTo, none_and_its_kin_stand_alone) {
  for (const char* list : {"none,10.0.0.0/8", "10.0.0.0/8,none", "any,same", "outward,same", ""}) {
    const char* args[] = {"test", "-ORBForwardTo", list, nullptr};
    int argc = 3;
    EXPECT_FALSE(parse_options(argc, const_cast<char**>(args)).ok()) << list;
  }
}

TEST(ForwardTo, a_wrong_list_is_an_error_of_ORB_init) {
  const char* args[] = {"test", "-ORBForwardTo", "10.0.0.0/99", nullptr};
  int argc = 3;
  const auto options = parse_options(argc, const_cast<char**>(args));
  ASSERT_FALSE(options.ok());
  EXPECT_NE(options.error().detail.find("network/bits"), std::string::npos) << options.error().detail;
}

}  // namespace
}  // namespace callis::orb
