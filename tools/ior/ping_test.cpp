// SPDX-License-Identifier: Apache-2.0
// What --ping says of servers that answer, and of those that do not.
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <callis/transport/tcp/tcp.h>
#include <callis/transport/testing/ports.h>
#include <callis/transport/unix/unix.h>
#include <gtest/gtest.h>
#include <tools/ior/report.h>
#include <tools/ior/testing/text.h>
#include <filesystem>
#include <thread>
#include "hello_skel.h"
#ifdef CALLIS_WITH_TLS
#include <callis/ior/tls_component.h>
#include <callis/tls/option_list.h>
#include <callis/transport/tls/testing/site.h>
#endif

namespace callis::tools {
namespace {

using testing::has;

constexpr Duration kLong{20'000}, kShort{50};

const ior::Bytes kKey{'k'};

// An ORB with an object, whose server thread is its own.
class Server {
 public:
  explicit Server(std::initializer_list<const char*> options) {
    std::vector<std::string> words{"server"};
    words.insert(words.end(), options.begin(), options.end());
    std::vector<char*> argv;
    for (std::string& w : words) argv.push_back(w.data());
    int argc = static_cast<int>(argv.size());
    orb = CORBA::ORB_init(argc, argv.data(), "ping_test");
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    poa = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var(poa->the_POAManager())->activate();
  }
  ~Server() { orb->destroy(); }

  std::string text_of(CORBA::Object_ptr object) { return CORBA::String_var(orb->object_to_string(object)).in(); }

  CORBA::ORB_var orb;
  PortableServer::POA_var poa;
};

struct EchoServant : POA_Echo {
  char* echoString(const char* text) override { return CORBA::string_dup(text); }
};

Report ping_of(const std::string& reference) {
  return report(ior::parse_reference(reference), [](const Place& place, giop::Version version, ByteView key) {
    return ping(place, version, key, kLong);
  });
}

TEST(Ping, FindsAnObjectOverTcpAndUnix) {
  const std::string name = "callis_ping_" + std::to_string(::getpid());
  const std::string path = (std::filesystem::temp_directory_path() / name).string();
  Server server({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBEndpoint", ("unix:" + path).c_str()});
  PortableServer::ServantBase_var servant = new EchoServant;
  PortableServer::ObjectId_var id = server.poa->activate_object(servant);
  CORBA::Object_var object = server.poa->id_to_reference(id);
  const Report what = ping_of(server.text_of(object));
  EXPECT_TRUE(what.reached);
  const std::string lines = to_lines(what.tree);
  EXPECT_TRUE(has(lines, "ms; the object is here (LocateReply in ")) << lines;
  EXPECT_FALSE(has(lines, "not ")) << lines;
  EXPECT_TRUE(has(lines, "made by: callis\n")) << lines;
}

TEST(Ping, SaysThatThereIsNoSuchObject) {
  Server server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  CORBA::Object_var object = server.poa->create_reference("IDL:Echo:1.0");
  const Report what = ping_of(server.text_of(object));
  EXPECT_FALSE(what.reached);
  EXPECT_TRUE(has(to_lines(what.tree), "the server has no such object (LocateReply in ")) << to_lines(what.tree);
}

TEST(Ping, SaysWhereTheServerForwardsTo) {
  Server server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  PortableServer::ServantBase_var servant = new EchoServant;
  PortableServer::ObjectId_var id = server.poa->activate_object(servant);
  CORBA::Object_var object = server.poa->id_to_reference(id);
  server.orb->register_initial_reference("Bank", object);
  const auto parsed = ior::parse_reference(server.text_of(object));
  const auto profile = ior::parse_iiop(std::get<ior::Ior>(parsed).profiles[0].data);
  const PingResult result =
      ping({"127.0.0.1", profile.value().address.port, {}}, {1, 2}, ior::Bytes{'B', 'a', 'n', 'k'}, kLong);
  EXPECT_TRUE(result.here);
  EXPECT_TRUE(has(result.words, "the server forwards to IOR:")) << result.words;
}

TEST(Ping, SaysWhyThereIsNoConnection) {
  const transport::testing::DeadPort dead;
  const PingResult refused = ping({"127.0.0.1", dead.port(), {}}, {1, 2}, kKey, kLong);
  EXPECT_FALSE(refused.connected);
  EXPECT_TRUE(has(refused.words, "not connected: 127.0.0.1:") && has(refused.words, "refused")) << refused.words;
  const transport::testing::SilentPort silent;
  EXPECT_TRUE(has(ping({"127.0.0.1", silent.port(), {}}, {1, 2}, kKey, kShort).words, "timed out after"));
  EXPECT_FALSE(ping({{}, 0, "/nowhere/at.all"}, {1, 2}, kKey, kLong).connected);
}

// Answers its one client with these bytes, and then closes the connection or stays silent.
class Peer {
 public:
  Peer(std::string answer, bool close) : listener_(transport::listen_tcp("127.0.0.1", 0).value()) {
    thread_ = std::thread([this, answer = std::move(answer), close] {
      auto stream = listener_->accept();
      if (!stream) return;
      std::array<Byte, 512> in;
      (void)stream.value()->receive(in, Deadline());
      (void)stream.value()->send(ByteView(reinterpret_cast<const Byte*>(answer.data()), answer.size()), Deadline());
      while (!close && stream.value()->receive(in, Deadline()).ok()) {
      }
    });
  }
  ~Peer() {
    listener_->close();
    thread_.join();
  }
  std::string words(Duration limit = kLong) {
    return ping({"127.0.0.1", listener_->port(), {}}, {1, 2}, kKey, limit).words;
  }
  std::string tls_words() { return ping({"127.0.0.1", listener_->port(), {}, true}, {1, 2}, kKey, kLong).words; }

 private:
  std::unique_ptr<transport::TcpListener> listener_;
  std::thread thread_;
};

TEST(Ping, SaysThatNothingCameInTime) {
  Peer silent("", false);
  EXPECT_TRUE(has(silent.words(kShort), "; no answer within 50 ms"));
}

TEST(Ping, SaysThatTheConnectionWasClosed) {
  Peer closing("", true);
  EXPECT_TRUE(has(closing.words(), "closed without an answer"));
}

TEST(Ping, SaysThatWhatAnswersIsNoGiop) {
  Peer web("HTTP/1.1 400 Bad Request\r\n\r\n", false);
  EXPECT_TRUE(has(web.words(), "does not speak GIOP"));
}

TEST(Ping, SaysWhatElseAServerMayAnswer) {
  Peer error(std::string("GIOP\1\2\1\6\0\0\0\0", 12), false);
  EXPECT_TRUE(has(error.words(), "MessageError"));
  Peer closes(std::string("GIOP\1\2\1\5\0\0\0\0", 12), false);
  EXPECT_TRUE(has(closes.words(), "closes the connection"));
  Peer addressing(std::string("GIOP\1\2\1\4\12\0\0\0\2\0\0\0\5\0\0\0\1\0", 22), false);
  EXPECT_TRUE(has(addressing.words(), "LOC_NEEDS_ADDRESSING_MODE"));
  Peer exception(std::string("GIOP\1\2\1\4\30\0\0\0\2\0\0\0\4\0\0\0"
                             "\2\0\0\0x\0\0\0\7\0\0\0\1\0\0\0", 36),
                 false);
  EXPECT_TRUE(has(exception.words(), "the server raises x, minor code 0x00000007"));
  Peer malformed(std::string("GIOP\1\2\1\4\4\0\0\0\2\0\0\0", 16), false);
  EXPECT_TRUE(has(malformed.words(), "LocateReply is malformed"));
}

#ifdef CALLIS_WITH_TLS

// A server of TLS alone, and this process as a client of the same site; at its end the process is of no site again.
class PingTls : public ::testing::Test {
 protected:
  PingTls() { be("ops"); }
  ~PingTls() override { tls::set_defaults_of_orbs({}); }
  static void be(const std::string& name) {
    tls::TlsOptions options;
    options.terms = site().terms(name);
    tls::set_defaults_of_orbs(options);
  }
  static const transport::testing::Site& site() { return transport::testing::usual_site(); }
  static Server server(const std::string& name = "server", const char* clients = "usual") {
    return Server({"-ORBEndpoint", "tls:127.0.0.1:0", "-ORBTlsCertificate", site().path(name + ".pem").c_str(),
                   "-ORBTlsKey", site().path(name + ".key").c_str(), "-ORBTlsClients", clients});
  }
  static std::string words_of(Server& server) {
    PortableServer::ServantBase_var servant = new EchoServant;
    PortableServer::ObjectId_var id = server.poa->activate_object(servant);
    CORBA::Object_var object = server.poa->id_to_reference(id);
    const auto parsed = ior::parse_reference(server.text_of(object));
    const ior::IiopProfile profile = ior::parse_iiop(std::get<ior::Ior>(parsed).profiles[0].data).value();
    const ior::Address at = ior::tls_addresses(profile).at(0);
    return ping({at.host, at.port, {}, true}, {1, 2}, profile.object_key, kLong).words;
  }
};

TEST_F(PingTls, SaysWhatWasAgreedAndWithWhom) {
  Server s = server();
  const std::string words = words_of(s);
  EXPECT_TRUE(has(words, "connected in ") && has(words, "; TLSv1.3, TLS_") &&
              has(words, "with CN=server (ip:127.0.0.1, ") && has(words, "the object is here"))
      << words;
}

TEST_F(PingTls, SaysThatTheServersNameIsAnother) {
  site().issue("else", {"else", {"dns:else.example"}, true, true, 30});
  Server s = server("else");
  const std::string words = words_of(s);
  EXPECT_TRUE(has(words, "; TLS with 127.0.0.1:") && has(words, "is for dns:else.example, and not for 127.0.0.1"))
      << words;
}

TEST_F(PingTls, SaysThatACertificateHasExpired) {
  site().issue_server("old", -2);
  Server s = server("old");
  EXPECT_TRUE(has(words_of(s), "expired on ")) << words_of(s);
}

TEST_F(PingTls, SaysThatTheAuthorityIsUnknown) {
  const transport::testing::Site other("another authority");
  tls::TlsOptions options;
  options.terms = other.terms();
  Server s = server();
  tls::set_defaults_of_orbs(options);
  const std::string words = words_of(s);
  EXPECT_TRUE(has(words, "which is none of the authorities in -ORBTlsCA")) << words;
}

TEST_F(PingTls, SaysThatTheServerWantsACertificate) {
  Server s = server("server", "required");
  tls::TlsOptions options;
  options.terms = site().terms();
  tls::set_defaults_of_orbs(options);
  EXPECT_TRUE(has(words_of(s), "the server wants a client's certificate, and none was sent")) << words_of(s);
}

TEST_F(PingTls, SaysThatThePortSpeaksNoTls) {
  Peer giop(std::string("GIOP\1\2\1\6\0\0\0\0", 12), true);
  const std::string words = giop.tls_words();
  EXPECT_TRUE(has(words, "; TLS with 127.0.0.1:") && has(words, "this port is for clients without TLS")) << words;
}

#endif

}  // namespace
}  // namespace callis::tools
