// SPDX-License-Identifier: Apache-2.0
// Calls over TLS in all models of who serves, references that offer it, options, callers, calls back.
#include <callis/base/testing/log_lines.h>
#include <callis/ior/tls_component.h>
#include <callis/orb/core/bidirectional_of_orb.h>
#include <callis/orb/endpoint/endpoint_directory.h>
#include <callis/orb/server/server.h>
#include <callis/orb/testing/bidirectional.h>
#include <callis/orb/testing/raw_client.h>
#include <callis/orb/testing/scripted_peer.h>
#include <callis/poa/servant/caller.h>
#include <callis/poa/testing/orb_fixture.h>
#include <callis/tls.h>
#include <callis/tls/option_list.h>
#include <callis/tls/use.h>
#include <callis/transport/tls/testing/site.h>
#include <callis/transport/tls/tls.h>
#include <gtest/gtest.h>
#include <optional>

namespace callis::tls {
namespace {

using namespace orb;
using namespace orb::testing;
using callis::testing::LogLines;
using transport::testing::usual_site;

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

// Of the test's site: with a certificate of that name, if it is not empty.
TlsOptions options(const std::string& own = {}) {
  TlsOptions o;
  o.terms = usual_site().terms(own);
  return o;
}

Counted<Core> make_client(const TlsOptions& tls, std::vector<std::string> args = {}) {
  Counted<Core> core = make_core(std::move(args));
  configure(*core, tls);
  return core;
}

// An echo server with an endpoint of TLS.
struct TlsServer {
  EchoHandler handler;
  Counted<Core> core;
  ReferencePtr reference;
  std::vector<std::thread> running;

  explicit TlsServer(std::vector<std::string> args = {}, const TlsOptions& tls = options("server"),
                     const std::function<void(Options&)>& tune = {}) {
    args.insert(args.begin(), {"-ORBEndpoint", "tls:127.0.0.1:0"});
    core = make_core(std::move(args), tune);
    configure(*core, tls);
    core->set_handler(&handler);
    reference = core->make_reference(kEchoType, bytes_of("echo"));
    if (core->options().server_threads == ServerThreads::Single)
      for (int i = 0; i < 2; ++i)
        running.emplace_back([this] {
          try {
            core->run();
          } catch (const CORBA::Exception&) {  // the test was done before
          }
        });
  }
  ~TlsServer() {
    try {
      core->shutdown(false);
    } catch (const CORBA::Exception&) {  // a test has done it
    }
    for (std::thread& t : running) t.join();
    core->destroy();
  }
  CORBA::Object_var object_for(Core& client) {
    return client.string_to_object(ior::to_text(reference->ior()).c_str());
  }
  std::uint16_t port() const { return core->server().published().front().port; }
};

struct Model {
  const char* threads;
  const char* connections;
};
class EveryModel : public ::testing::TestWithParam<Model> {};
INSTANTIATE_TEST_SUITE_P(Models, EveryModel,
                         ::testing::Values(Model{"connection", "exclusive"}, Model{"pool", "exclusive"},
                                           Model{"single", "exclusive"}, Model{"connection", "shared"},
                                           Model{"pool", "shared"}, Model{"single", "shared"}),
                         [](const auto& p) { return std::string(p.param.threads) + "_" + p.param.connections; });

TEST_P(EveryModel, calls_oneways_and_exceptions_go_over_tls) {
  TlsServer server({"-ORBServerThreads", GetParam().threads});
  auto client = make_client(options("ops"), {"-ORBClientConnections", GetParam().connections});
  const CORBA::Object_var o = server.object_for(*client);
  for (std::uint32_t i = 0; i < 100; ++i) ASSERT_EQ(echo(o, i), i);
  tell(o, 7);
  EXPECT_EQ(call_ulong(o, "last", {}), 7u);
  EXPECT_EQ(caught<Failure>([&] { call_ulong(o, "fail", 17); }).code, 17u);
  EXPECT_EQ(server.core->server().connections(), 1u);
  client->destroy();
}

TEST_P(EveryModel, large_arguments_and_many_threads_do) {
  TlsServer server({"-ORBServerThreads", GetParam().threads});
  auto client = make_client(options("ops"), {"-ORBClientConnections", GetParam().connections});
  const CORBA::Object_var o = server.object_for(*client);
  SentOctets large(3u << 20);
  call(reference_of(o.in()), {"ping", false, "ping"}, large);
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (std::uint32_t t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (std::uint32_t i = 0; i < 100; ++i) wrong += echo(o, t * 1000 + i) != t * 1000 + i;
    });
  for (auto& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
  client->destroy();
}

TEST_P(EveryModel, a_servant_sees_the_certificate_of_its_caller) {
  TlsServer server({"-ORBServerThreads", GetParam().threads});
  std::string seen, counted;
  server.handler.before = [&](ServerRequest& r) {
    const Caller caller = Caller::of(Upcall::innermost() ? Upcall::innermost()->client() : nullptr);
    (void)r;
    seen = caller.certificate() ? caller.certificate()->common_name + "; " + caller.text() : caller.text();
    counted = caller.counted_as();
  };
  auto client = make_client(options("ops"), {"-ORBClientConnections", GetParam().connections});
  EXPECT_EQ(echo(server.object_for(*client), 1), 1u);
  EXPECT_EQ(seen, "ops; certificate CN=ops (127.0.0.1)");
  EXPECT_EQ(counted, "certificate CN=ops");
  client->destroy();
}

TEST_P(EveryModel, refuses_clients_without_a_certificate_and_those_without_tls_and_serves_on) {
  TlsServer server({"-ORBServerThreads", GetParam().threads});
  const LogLines lines(LogLevel::Info);
  auto good = make_client(options("ops"), {"-ORBClientConnections", GetParam().connections});
  const CORBA::Object_var o = server.object_for(*good);
  EXPECT_EQ(echo(o, 1), 1u);
  auto bare = make_client(options(), {"-ORBClientConnections", GetParam().connections});
  const auto e = caught<CORBA::NO_PERMISSION>([&] { echo(server.object_for(*bare), 1); });
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
  EXPECT_EQ(e.minor(), own(Fault::NotTrusted));
  EXPECT_TRUE(has(e.what(), "the server wants a client's certificate")) << e.what();
  while (lines.with("the client sent no certificate") == 0) std::this_thread::yield();  // the alert goes first
  EXPECT_EQ(lines.with("the client sent no certificate"), 1u);
  RawClient plain(server.port());
  plain.send(message({.argument = 1}));
  EXPECT_TRUE(plain.hear_end());
  EXPECT_EQ(lines.with("a GIOP message came without TLS"), 1u);
  RawClient http(server.port());
  http.send(bytes_of("GET / HTTP/1.1\r\n\r\n"));
  EXPECT_TRUE(http.hear_end());
  EXPECT_EQ(lines.with("HTTP came"), 1u);
  EXPECT_EQ(echo(o, 2), 2u);
  EXPECT_EQ(server.handler.requests, 2);
  good->destroy();
  bare->destroy();
}

TEST_P(EveryModel, ends_handshakes_that_take_too_long) {
  TlsOptions tls = options("server");
  tls.terms.handshake_timeout = Duration(40);
  TlsServer server({"-ORBServerThreads", GetParam().threads}, tls);
  const LogLines lines(LogLevel::Info);
  RawClient silent(server.port()), slow(server.port());
  slow.send(bytes_of("\x16\3\1"));
  EXPECT_TRUE(silent.hear_end());
  EXPECT_TRUE(slow.hear_end());
  EXPECT_EQ(lines.with("was not complete within 40 ms"), 2u);
}

TEST_P(EveryModel, an_idle_connection_is_told_CloseConnection_and_the_next_call_opens_another) {
  TlsServer server({"-ORBServerThreads", GetParam().threads}, options("server"),
                   [](Options& o) { o.limits.idle_timeout = Duration(500); });
  auto client = make_client(options("ops"), {"-ORBClientConnections", GetParam().connections});
  const CORBA::Object_var o = server.object_for(*client);
  EXPECT_EQ(echo(o, 1), 1u);
  while (server.core->server().connections() != 0) std::this_thread::yield();
  EXPECT_EQ(echo(o, 2), 2u);
  client->destroy();
}

TEST_P(EveryModel, a_call_ends_at_its_deadline) {
  TlsServer server({"-ORBServerThreads", GetParam().threads});
  Gate gate;
  server.handler.before = [&](ServerRequest& r) { gate(r); };
  auto client = make_client(options("ops"),
                            {"-ORBClientConnections", GetParam().connections, "-ORBCallTimeout", "60"});
  const CORBA::Object_var o = server.object_for(*client);
  EXPECT_EQ(caught<CORBA::TIMEOUT>([&] { call_ulong(o, "wait", {}); }).completed(), CORBA::COMPLETED_MAYBE);
  gate.open();
  client->destroy();
}

TEST_P(EveryModel, calls_back_over_the_clients_connection) {
  allow_bidirectional();
  TlsServer server({"-ORBServerThreads", GetParam().threads}, options("server"),
                   [](Options& o) { o.bidirectional = Bidirectional::Both; });
  TlsServer client({"-ORBServerThreads", GetParam().threads, "-ORBPublish", "127.0.0.1:1"}, options("server"),
                   [](Options& o) { o.bidirectional = Bidirectional::Both; });
  make_bidirectional(*client.core)->add_adapter();
  const CORBA::Object_var back = client.object_for(*server.core), there = server.object_for(*client.core);
  server.handler.before = [&](ServerRequest&) { EXPECT_EQ(echo(back, 7), 7u); };
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(echo(there, i), i);
  EXPECT_EQ(client.handler.requests, 3);
  EXPECT_EQ(server.core->server().connections(), 1u);
}

TEST(BidirectionalTls, believes_no_listen_point_of_a_client_without_a_certificate) {
  allow_bidirectional();
  for (const bool asks : {false, true}) {
    const LogLines lines(LogLevel::Info);
    TlsOptions own = options("server");
    if (!asks) own.terms.clients = transport::TlsTerms::Clients::None;
    const auto both = [](Options& o) { o.bidirectional = Bidirectional::Both; };
    TlsServer server({}, own, both);
    TlsServer client({"-ORBPublish", "127.0.0.1:1"}, options("server"), both);
    make_bidirectional(*client.core)->add_adapter();
    EXPECT_EQ(echo(server.object_for(*client.core), 1), 1u);
    EXPECT_EQ(lines.with("not believed to listen"), asks ? 0u : 1u);
  }
}

// --- References ---

const ior::TaggedComponent* tls_in(const ior::IiopProfile& p) { return p.component(ior::kSslSecTrans); }

TEST(TlsReferences, name_port_0_and_the_port_of_tls_where_there_is_no_other) {
  TlsServer server;
  const auto& profiles = server.reference->ior().profiles;
  ASSERT_EQ(profiles.size(), 1u);
  const auto p = ior::parse_iiop(profiles[0].data).value();
  EXPECT_EQ(p.address, (ior::Address{"127.0.0.1", 0}));
  ASSERT_TRUE(tls_in(p));
  const auto offer = ior::parse_tls_offer(tls_in(p)->data).value();
  EXPECT_EQ(offer.port, server.port());
  EXPECT_EQ(offer.requires_, ior::kIntegrity | ior::kConfidentiality);
  EXPECT_EQ(offer.supports & ior::kNoProtection, 0);
}

TEST(TlsReferences, name_both_ports_where_there_are_two_and_calls_take_that_of_tls) {
  TlsServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  const auto p = ior::parse_iiop(server.reference->ior().profiles.at(0).data).value();
  EXPECT_NE(p.address.port, 0);
  ASSERT_TRUE(tls_in(p));
  EXPECT_EQ(ior::parse_tls_offer(tls_in(p)->data)->requires_, ior::kNoProtection);
  std::vector<bool> encrypted;
  server.handler.before = [&](ServerRequest&) {
    encrypted.push_back(transport::is_encrypted(*Upcall::innermost()->client()));
  };
  auto by_tls = make_client(options("ops")), plain = make_core();
  EXPECT_EQ(echo(server.object_for(*by_tls), 1), 1u);
  EXPECT_EQ(echo(server.object_for(*plain), 2), 2u);
  EXPECT_EQ(encrypted, (std::vector<bool>{true, false}));
  by_tls->destroy();
  plain->destroy();
}

TEST(TlsReferences, a_client_never_falls_back_to_tcp_alone) {
  TlsServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  auto client = make_client(options());  // is refused
  EXPECT_EQ(caught<CORBA::NO_PERMISSION>([&] { echo(server.object_for(*client), 1); }).completed(),
            CORBA::COMPLETED_NO);
  EXPECT_EQ(server.handler.requests, 0);
  client->destroy();
}

TEST(TlsReferences, a_client_that_requires_tls_does_not_call_servers_without_it) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  TlsOptions o = options("ops");
  o.calls = Calls::Required;
  auto strict = make_client(o), usual = make_client(options("ops"));
  const auto e = caught<CORBA::IMP_LIMIT>([&] { echo(server.object_for(*strict), 1); });
  EXPECT_EQ(e.minor(), omg(1));
  EXPECT_TRUE(has(e.what(), "-ORBTlsCalls required") && has(e.what(), "corbaloc:ssliop:")) << e.what();
  EXPECT_EQ(echo(server.object_for(*usual), 1), 1u);
  strict->destroy();
  usual->destroy();
}

TEST(TlsReferences, a_client_without_authorities_is_told_what_it_lacks) {
  TlsServer server;
  auto client = make_core();
  const auto e = caught<CORBA::IMP_LIMIT>([&] { echo(server.object_for(*client), 1); });
  EXPECT_TRUE(has(e.what(), "reached over TLS alone") && has(e.what(), "-ORBTlsCA")) << e.what();
  client->destroy();
}

TEST(TlsReferences, a_client_that_never_uses_tls_is_told_so) {
  TlsServer server;
  TlsOptions o = options("ops");
  o.calls = Calls::Never;
  auto client = make_client(o);
  const auto e = caught<CORBA::IMP_LIMIT>([&] { echo(server.object_for(*client), 1); });
  EXPECT_TRUE(has(e.what(), "-ORBTlsCalls never")) << e.what();
  client->destroy();
}

TEST(TlsReferences, urls_are_spelled_as_other_orbs_spell_them) {
  TlsServer server;
  auto client = make_client(options("ops"));
  const std::string at = "127.0.0.1:" + std::to_string(server.port()) + "/echo";
  for (const char* scheme : {"corbaloc:ssliop:", "corbaloc:ssliop:1.2@", "corbaloc:SSLIOP:1.1@"})
    EXPECT_EQ(echo(client->string_to_object((scheme + at).c_str()), 1), 1u) << scheme;
  EXPECT_THROW(client->string_to_object(("corbaloc:ssliop:1.0@" + at).c_str()), CORBA::BAD_PARAM);
  client->destroy();
}

TEST(TlsClients, at_a_port_without_tls_are_told_so_and_the_server_says_what_came) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  const LogLines lines(LogLevel::Info);
  auto client = make_client(options("ops"));
  const CORBA::Object_var o =
      client->string_to_object(("corbaloc:ssliop:127.0.0.1:" + std::to_string(server.port()) + "/echo").c_str());
  const auto e = caught<CORBA::COMM_FAILURE>([&] { echo(o, 1); });
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
  EXPECT_TRUE(has(e.what(), "this port is for clients without TLS")) << e.what();
  while (lines.with("it began a handshake of TLS") == 0) std::this_thread::yield();
  client->destroy();
}

TEST(TlsReferences, a_server_calls_itself_without_its_own_endpoint) {
  TlsServer server;
  EXPECT_EQ(echo(server.object_for(*server.core), 3), 3u);
  EXPECT_EQ(server.core->server().connections(), 0u);
}

TEST(TlsReferences, a_malformed_component_offers_nothing) {
  auto client = make_client(options("ops"));
  ior::IiopProfile p;
  p.address = {"127.0.0.1", 0};
  p.object_key = {'e'};
  for (const ior::Bytes& data : {ior::Bytes{}, ior::Bytes{0, 0, 0}, ior::Bytes{7, 0, 0, 1, 0, 1, 0, 1},
                                 ior::Bytes{0, 0, 0, 1, 0, 1, 0, 0}}) {
    p.components = {{ior::kSslSecTrans, data}};
    ior::Ior ior{"", {ior::to_profile(p)}};
    EXPECT_THROW(echo(client->string_to_object(ior::to_text(ior).c_str()), 1), CORBA::IMP_LIMIT);
  }
  client->destroy();
}

// --- Options ---

struct MadeOrb {
  CORBA::ORB_var orb;
  explicit MadeOrb(std::vector<std::string> options) {
    static int number = 0;
    orb = poa::testing::make_orb(("tls" + std::to_string(++number)).c_str(), std::move(options));
  }
  ~MadeOrb() { orb->destroy(); }
};

std::string complaint(std::vector<std::string> options) {
  const LogLines quiet;
  try {
    MadeOrb orb(std::move(options));
  } catch (const CORBA::SystemException& e) {
    return e.what();
  }
  return {};
}

TEST(TlsOptions, are_taken_from_the_command_line) {
  const auto& site = usual_site();
  MadeOrb orb({"-ORBEndpoint", "giop:ssl:127.0.0.1:", "-ORBTlsCertificate", site.path("server.pem"), "-ORBTlsKey",
               site.path("server.key"), "-ORBTlsCA", site.path("ca.pem"), "-ORBTlsClients", "required",
               "-ORBTlsVersion", "1.3", "-ORBTlsHandshakeTimeout", "2000", "-ORBTlsMaxHandshakes", "7"});
  const TlsOptions& o = TlsOptions::of_this_thread();
  EXPECT_EQ(o.terms.certificate, site.path("server.pem"));
  EXPECT_EQ(o.terms.oldest, transport::TlsTerms::Oldest::Tls13);
  EXPECT_EQ(o.terms.handshake_timeout, Duration(2000));
  EXPECT_EQ(o.terms.max_handshakes, 7u);
}

TEST(TlsOptions, that_are_wrong_are_told_by_ORB_init) {
  EXPECT_TRUE(has(complaint({"-ORBTlsCA", "/no/ca.pem"}), "-ORBTlsCA /no/ca.pem: No such file or directory"));
  EXPECT_TRUE(has(complaint({"-ORBEndpoint", "tls:"}), "needs a certificate: -ORBTlsCertificate"));
  EXPECT_TRUE(has(complaint({"-ORBTlsCalls", "required"}), "needs -ORBTlsCA or -ORBTlsPin"));
  EXPECT_EQ(complaint({"-ORBTlsCA", usual_site().path("ca.pem")}), "");
}

}  // namespace
}  // namespace callis::tls
