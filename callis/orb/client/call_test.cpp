// SPDX-License-Identifier: Apache-2.0
// Calls from one ORB to another over each transport, to objects of the same ORB, and back; the addresses that
// references carry. A handler stands in for the object adapter.
#include <gtest/gtest.h>
#include <callis/base/testing/log_lines.h>
#include <callis/base/text.h>
#include <callis/orb/endpoint/endpoint.h>
#include <callis/orb/server/server.h>
#include <callis/orb/testing/scripted_peer.h>
#include <filesystem>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace callis::orb {
namespace {

using namespace testing;

class EveryTransport : public ::testing::TestWithParam<const char*> {
 protected:
  static bool shared() { return std::string_view(GetParam()) == "shared"; }
  static bool skipped() {
    return std::string_view(GetParam()).find("::1") != std::string_view::npos && !transport::listen_tcp("::1", 0);
  }
  void SetUp() override {
    if (skipped()) GTEST_SKIP() << "no IPv6 here";
  }
  static const char* at() { return shared() || skipped() ? "tcp:127.0.0.1:0" : GetParam(); }
  static std::string unix_path(const char* name) {
    return concat(
        {"unix:", ::testing::TempDir(), "callis_call_", name, Decimal(static_cast<std::uint64_t>(::getpid()))});
  }
  // Where the nth server of a test listens.
  static std::string place(const char* name) {
    const std::string_view kind = at();
    if (kind == "unix") return unix_path(name);
    return kind.starts_with("memory") ? concat({"memory:", name}) : std::string(kind);
  }
  static const char* connections() { return shared() ? "shared" : "exclusive"; }
  EchoServer server{{"-ORBEndpoint", place("every"), "-ORBClientConnections", connections()}};
  Counted<Core> client = make_core({"-ORBClientConnections", connections()});
  ~EveryTransport() override { client->destroy(); }
  CORBA::Object_var object() { return server.object_for(*client); }
};

TEST_P(EveryTransport, a_twoway_returns_its_result) {
  auto o = object();
  for (std::uint32_t i = 0; i < 100; ++i) EXPECT_EQ(echo(o, i), i);
}

TEST_P(EveryTransport, different_operations_and_objects_on_one_connection) {
  auto a = object(), b = object();
  for (std::uint32_t i = 0; i < 10; ++i) {
    EXPECT_EQ(echo(a, i), i);
    call_ulong(b, "ping", {}, false);
    tell(b, i);
    EXPECT_EQ(call_ulong(a, "last", {}), i) << "one thread's oneways arrive in order";
  }
}

TEST_P(EveryTransport, more_operations_and_objects_in_turn_than_headers_are_kept) {
  CORBA::Object_var objects[] = {object(), object(), object()};
  for (std::uint32_t i = 0; i < 20; ++i) {
    for (const auto& o : objects) {
      EXPECT_EQ(echo(o, i), i);
      tell(o, i + 1);
      EXPECT_EQ(call_ulong(o, "last", {}), i + 1);
      EXPECT_EQ(caught<Failure>([&] { call_ulong(o, "fail", i); }).code, i);
      call_ulong(o, "ping", {}, false);
    }
  }
}

TEST_P(EveryTransport, exceptions_come_through) {
  auto o = object();
  EXPECT_EQ(caught<Failure>([&] { call_ulong(o, "fail", 17); }).code, 17u);
  const auto e = caught<CORBA::NO_PERMISSION>([&] { call_ulong(o, "broken", 1); });
  EXPECT_EQ(e.minor(), 7u);
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_MAYBE);
  EXPECT_EQ(caught<CORBA::BAD_OPERATION>([&] { call_ulong(o, "nonsense", 1); }).minor(), omg(2));
  EXPECT_EQ(echo(o, 1), 1u);
}

TEST_P(EveryTransport, a_call_from_inside_an_upcall_works) {
  CORBA::Object_var self = make_object(*server.reference);
  server.handler.before = [&](ServerRequest& r) {
    if (r.operation() == "last") server.handler.last = echo(self, 99);  // to the same ORB, inside its upcall
  };
  EXPECT_EQ(call_ulong(object(), "last", {}), 99u);
}

TEST_P(EveryTransport, a_server_may_call_its_client_back_and_be_called_again_meanwhile) {
  EchoServer back({"-ORBEndpoint", place("back"), "-ORBClientConnections", connections()});
  auto there = object();
  CORBA::Object_var here = back.object_for(*server.core);
  back.handler.before = [&](ServerRequest& r) {
    if (r.operation() == "last") back.handler.last = echo(there, 31);  // 3: to the server again
  };
  server.handler.before = [&](ServerRequest& r) {
    if (r.operation() == "last") server.handler.last = call_ulong(here, "last", {}) + 1;  // 2: back to the client
  };
  EXPECT_EQ(call_ulong(there, "last", {}), 32u);  // 1
}

TEST_P(EveryTransport, many_threads_call_at_once) {
  auto o = object();
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (std::uint32_t t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (std::uint32_t i = 0; i < 200; ++i) wrong += echo(o, t * 1000 + i) != t * 1000 + i;
    });
  for (auto& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

INSTANTIATE_TEST_SUITE_P(Call, EveryTransport,
                         ::testing::Values("memory", "tcp:127.0.0.1:0", "tcp:[::1]:0", "shared", "unix"),
                         [](const auto& p) {
                           const std::string s = p.param;
                           return !s.starts_with("tcp") ? s : s.find("::1") == s.npos ? "tcp4" : "tcp6";
                         });

class EveryVersion : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryVersion, is_spoken_by_both_sides) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBGIOPVersion", GetParam()});
  const auto profile = ior::parse_iiop(server.reference->ior().profiles[0].data).value();
  EXPECT_EQ(profile.version.minor, GetParam()[2] - '0');
  auto client = make_core();
  auto o = server.object_for(*client);
  EXPECT_EQ(echo(o, 1), 1u);
  EXPECT_EQ(caught<Failure>([&] { call_ulong(o, "fail", 17); }).code, 17u);
  client->destroy();
}

TEST_P(EveryVersion, of_the_client_is_not_exceeded) {
  giop::Version seen{9, 9};
  ScriptedPeer peer(std::string("version-") + GetParam(), [&](Turn& t) {
    seen = t.version;
    return t.echo();
  });
  auto client = make_core({"-ORBGIOPVersion", GetParam()});
  EXPECT_EQ(echo(peer.object(*client), 1), 1u);
  EXPECT_EQ(seen.minor, GetParam()[2] - '0');
  client->destroy();
}

INSTANTIATE_TEST_SUITE_P(Call, EveryVersion, ::testing::Values("1.0", "1.1", "1.2"), [](const auto& p) {
  return std::string(p.param[2] == '0' ? "v1_0" : p.param[2] == '1' ? "v1_1" : "v1_2");
});

// An operation with a sequence of octets in and out.
class OctetsBody final : public CallBody {
 public:
  std::vector<Byte> octets;
  void encode(cdr::Encoder& e) override { e.put_octets(octets); }
  void decode(cdr::Decoder& d) override {
    const ByteView v = d.get_octets();
    octets.assign(v.begin(), v.end());
  }
  std::unique_ptr<CORBA::UserException> decode_exception(std::string_view, cdr::Decoder&) override { return {}; }
};

struct OctetsHandler final : RequestHandler {
  void handle(ServerRequest& r) noexcept override {
    const ByteView v = r.arguments().get_octets();
    r.reply().put_octets(v);
  }
  Locate locate(ByteView, ior::Ior&) noexcept override { return Locate::Here; }
};

TEST(CallSizes, large_arguments_and_results_go_through_whole_and_in_fragments) {
  for (const char* fragment : {"0", "64", "4096"}) {
    OctetsHandler handler;
    EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBFragmentSize", fragment},
                      [](Options& o) { o.limits.max_fragments = 1u << 20; });
    server.core->set_handler(&handler);
    auto client = make_core({"-ORBFragmentSize", fragment}, [](Options& o) { o.limits.max_fragments = 1u << 20; });
    auto o = server.object_for(*client);
    for (std::size_t n : {0u, 1u, 63u, 5000u, 300'000u}) {
      OctetsBody body;
      for (std::size_t i = 0; i < n; ++i) body.octets.push_back(static_cast<Byte>(i * 7));
      const auto sent = body.octets;
      call(reference_of(o), {"octets"}, body);
      EXPECT_EQ(body.octets, sent) << n << " in fragments of " << fragment;
    }
    client->destroy();
  }
}

TEST(CallSizes, a_message_above_the_servers_limit_fails_and_the_server_lives_on) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBMaxMessageSize", "4096"});
  auto client = make_core();
  auto o = server.object_for(*client);
  OctetsBody body;
  body.octets.resize(10'000);
  caught<CORBA::COMM_FAILURE>([&] { call(reference_of(o), {"octets"}, body); });
  EXPECT_EQ(echo(o, 1), 1u);
  client->destroy();
}

// --- Own objects ---

TEST(OwnObjects, are_called_without_a_connection) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  CORBA::Object_var o = server.object_for(*server.core);
  EXPECT_EQ(echo(o, 8), 8u);
  tell(o, 9);
  EXPECT_EQ(call_ulong(o, "last", {}), 9u);
  EXPECT_EQ(caught<Failure>([&] { call_ulong(o, "fail", 17); }).code, 17u);
  EXPECT_EQ(server.core->server().connections(), 0u);
}

TEST(OwnObjects, are_recognised_by_their_key) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"}), other({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  CORBA::Object_var mine = server.object_for(*server.core), theirs = other.object_for(*server.core);
  const ByteView key = server.core->own_key(mine);
  EXPECT_EQ(std::string(key.begin(), key.end()), "echo");
  EXPECT_TRUE(server.core->own_key(theirs).empty());
  EXPECT_TRUE(server.core->own_key(nullptr).empty());
}

TEST(OwnObjects, calls_nest_as_deeply_as_they_like) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"}, [](Options& o) { o.limits.max_dispatches = 1; });
  CORBA::Object_var self = server.object_for(*server.core);
  int depth = 0;
  server.handler.before = [&](ServerRequest& r) {
    if (r.operation() == "echo" && ++depth < 20) echo(self, 1);
  };
  auto client = make_core();
  EXPECT_EQ(echo(server.object_for(*client), 5), 5u);
  EXPECT_EQ(depth, 20);
  client->destroy();
}

// --- What references carry ---

ior::IiopProfile first_profile(const EchoServer& s) {
  return ior::parse_iiop(s.reference->ior().profiles.at(0).data).value();
}

// The number of listening sockets of this process.
int listening_sockets() {
  int n = 0;
  for (const auto& file : std::filesystem::directory_iterator("/proc/self/fd")) {
    int listens = 0;
    socklen_t size = sizeof listens;
    const int descriptor = std::stoi(file.path().filename());
    n += ::getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens != 0;
  }
  return n;
}

TEST(Published, a_client_opens_no_port) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  const int before = listening_sockets();
  EXPECT_GE(before, 1) << "the server's";
  auto client = make_core({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  auto o = server.object_for(*client);
  EXPECT_EQ(echo(o, 1), 1u);
  EXPECT_EQ(listening_sockets(), before);
  client->destroy();
}

TEST(Published, a_wildcard_endpoint_publishes_an_address_of_this_machine) {
  EchoServer server({});
  const auto p = first_profile(server);
  EXPECT_EQ(p.address.host, transport::primary_address());
  EXPECT_NE(p.address.port, 0);
}

TEST(Published, a_bound_address_is_published_as_given) {
  EchoServer server({"-ORBEndpoint", "tcp:localhost:0"});
  EXPECT_EQ(first_profile(server).address.host, "localhost");
}

TEST(Published, ORBPublish_goes_into_references_and_not_into_bind) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBPublish", "gate.example:8000"});
  EXPECT_EQ(first_profile(server).address, (ior::Address{"gate.example", 8000}));
  EchoServer host_only({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBPublish", "gate.example"});
  EXPECT_NE(first_profile(host_only).address.port, 0);
}

TEST(Published, every_endpoint_has_a_profile) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBEndpoint", "memory:both"});
  ASSERT_EQ(server.reference->ior().profiles.size(), 2u);
  EXPECT_EQ(server.reference->ior().profiles[0].tag, ior::kInternetProfile);
  EXPECT_EQ(server.reference->ior().profiles[1].tag, ior::kMemoryProfile);
  EXPECT_EQ(server.reference->ior().type_id, kEchoType);
}

TEST(Published, profiles_name_the_orb_and_its_code_sets_except_in_1_0) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  const auto p = first_profile(server);
  EXPECT_EQ(ior::orb_type(p), ior::kCallisOrbType);
  ASSERT_NE(p.component(ior::kCodeSets), nullptr);
  EXPECT_EQ(ior::parse_code_sets(p.component(ior::kCodeSets)->data).value(),
            ior::offered_code_sets(ior::kIso8859_1, ior::kUtf16));
  EchoServer old({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBGIOPVersion", "1.0"});
  EXPECT_TRUE(first_profile(old).components.empty());
}

TEST(Published, an_address_in_use_is_INITIALIZE_with_the_address) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  auto second = make_core({"-ORBEndpoint", "tcp:127.0.0.1:" + std::to_string(server.port())});
  const callis::testing::LogLines log(LogLevel::Error);
  const auto e = caught<CORBA::INITIALIZE>([&] { second->listen(); });
  EXPECT_EQ(log.with("cannot listen on"), 1u);
  EXPECT_EQ(e.minor(), kCannotListen);
  EXPECT_NE(std::string(e.what()).find(std::to_string(server.port())), std::string::npos) << e.what();
  second->destroy();
}

// --- Connections kept between calls ---

TEST(Pool, one_thread_uses_one_connection) {
  ScriptedPeer peer("pool-one", [](Turn& t) { return t.echo(); });
  auto client = make_core();
  auto a = peer.object(*client), b = peer.object(*client);
  for (std::uint32_t i = 0; i < 10; ++i) {
    echo(a, i);
    echo(b, i);
  }
  EXPECT_EQ(peer.connections(), 1);
  client->destroy();
}

TEST(Pool, a_connection_is_used_by_other_threads_when_it_is_free) {
  ScriptedPeer peer("pool-two", [](Turn& t) { return t.echo(); });
  auto client = make_core();
  auto o = peer.object(*client);
  echo(o, 1);
  std::thread([&] { echo(o, 2); }).join();
  std::thread([&] { echo(o, 3); }).join();
  EXPECT_EQ(peer.connections(), 1);
  client->destroy();
}

TEST(Pool, a_connection_with_a_oneway_under_way_stays_with_its_thread) {
  std::vector<std::pair<int, std::string>> seen;
  ScriptedPeer peer("pool-oneway", [&](Turn& t) {
    seen.emplace_back(t.connection, t.operation);
    return t.operation == "tell" || t.echo();
  });
  auto client = make_core();
  auto o = peer.object(*client);
  tell(o, 1);
  std::thread([&] { echo(o, 2); }).join();
  tell(o, 3);
  const std::vector<std::pair<int, std::string>> expected{{1, "tell"}, {2, "echo"}, {1, "tell"}};
  EXPECT_EQ(seen, expected);
  client->destroy();
}

TEST(Pool, connections_idle_for_long_are_closed_and_others_kept) {
  ScriptedPeer peer("pool-old", [](Turn& t) { return t.echo(); });
  auto client = make_core();
  auto o = peer.object(*client);
  echo(o, 1);
  const auto endpoint = o->_callis_reference()->paths()[0].endpoint;
  const TimePoint now = Clock::steady().now();
  endpoint->close_old(now + Duration(50'000));
  EXPECT_EQ(endpoint->idle(), 1u);
  endpoint->close_old(now + Duration(70'000));
  EXPECT_EQ(endpoint->idle(), 0u);
  echo(o, 1);
  EXPECT_EQ(peer.connections(), 2);
  client->destroy();
}

TEST(Pool, a_header_is_not_used_again_for_another_operation_in_the_same_memory) {
  std::vector<std::string> seen;
  ScriptedPeer peer("pool-names", [&](Turn& t) {
    seen.push_back(t.operation);
    return t.echo();
  });
  auto client = make_core();
  auto o = peer.object(*client);
  std::string name = "one";
  ULongBody body;
  body.in = 1;
  call(reference_of(o), {name}, body);
  name = "two";
  call(reference_of(o), {name}, body);
  EXPECT_EQ(seen, (std::vector<std::string>{"one", "two"}));
  client->destroy();
}

TEST(Pool, destroy_closes_idle_connections) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  auto client = make_core();
  auto o = server.object_for(*client);
  EXPECT_EQ(echo(o, 1), 1u);
  const auto endpoint = o->_callis_reference()->paths()[0].endpoint;
  EXPECT_EQ(endpoint->idle(), 1u);
  client->destroy();
  EXPECT_EQ(endpoint->idle(), 0u);
}

TEST(Pool, the_code_sets_of_a_connection_are_told_once) {
  std::vector<std::size_t> contexts;
  std::uint32_t chars = 0;
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  // A peer behind TCP that looks at the contexts of each request and answers it.
  TcpPeer peer([&](transport::Stream& s, int) {
    const Limits limits;
    giop::Connection engine(giop::Role::Server, limits);
    Buffer in;
    for (;;) {
      (void)in.reserve(in.size() + 4096);
      const auto t = s.receive({in.data() + in.size(), 4096}, Deadline());
      if (!t.ok()) return;
      in.set_size(in.size() + t.bytes);
      const giop::Event ev = engine.receive(in.view());
      if (ev.kind != giop::EventKind::Message) continue;
      cdr::Budget budget = cdr::Budget::of(limits, 1000);
      cdr::Decoder d = ev.message.decoder(budget);
      giop::RequestHeader h;
      ASSERT_TRUE(giop::decode(d, ev.message.header.version, h, limits));
      const giop::ServiceContext* c = h.contexts.find(giop::kCodeSetsContext);
      contexts.push_back(h.contexts.size());
      if (c) chars = giop::parse_code_set_context(c->data)->char_data;
      Buffer out;
      cdr::Encoder e(out);
      const auto r = giop::begin_reply(e, giop::kGiop12, h.request_id, giop::ReplyStatus::NoException);
      e.put_ulong(1);
      ASSERT_EQ(giop::finish_message(e, r), Fault::None);
      in.drop_front(ev.consumed);
      (void)s.send(out.view(), Deadline());
    }
  });
  ior::IiopProfile p = first_profile(server);
  p.address.port = peer.port();
  auto client = make_core();
  CORBA::Object_var o = client->string_to_object(ior::to_text({"", {ior::to_profile(p)}}).c_str());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(echo(o, 1), 1u);
  client->destroy();
  EXPECT_EQ(contexts, (std::vector<std::size_t>{1, 0, 0}));
  EXPECT_EQ(chars, ior::kIso8859_1);
}

}  // namespace
}  // namespace callis::orb
