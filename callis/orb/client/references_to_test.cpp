// SPDX-License-Identifier: Apache-2.0
// Where references from peers may lead (-ORBForwardTo). 127.0.1.1 stands for another machine: it counts as an
// address like any other.
#include <callis/marshal/plan.h>
#include <callis/orb/client/locate.h>
#include <callis/orb/endpoint/endpoint.h>
#include <callis/orb/options/forward_to.h>
#include <callis/orb/server/server.h>
#include <callis/orb/testing/client.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace callis::orb {
namespace {

using namespace testing;
using From = MessageSource::From;

constexpr From kAll[] = {From::Self, From::Machine, From::Loopback, From::Link, From::Anywhere};

ior::Ior echo_at(const std::string& host, std::uint16_t port) {
  const ByteView key = bytes_of("echo");
  return {kEchoType, {ior::to_profile(ior::IiopProfile{{1, 2}, {host, port}, {key.begin(), key.end()}, {}})}};
}
std::uint16_t echo_port(EchoServer& server) { return server.core->server().published().front().port; }
std::string echo_socket() {
  static int n = 0;
  return "/tmp/callis-reference-" + std::to_string(::getpid()) + "-" + std::to_string(++n);
}

// The reference as if it had come in a message.
CORBA::Object_var received(Client& client, const ior::Ior& ior, From from) {
  const MessageSource& source = *client.core->source(from);
  return make_object(*ReferencePtr::adopt(new Reference(*source.orb, ior, {}, source.from)));
}

void expect_reference_refused(CORBA::Object_ptr o, std::string_view to) {
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

TEST(ReferencesTo, lead_to_a_loopback_address_from_this_machine_alone) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  for (const From from : kAll) {
    Client client;
    const CORBA::Object_var o = received(client, echo_at("127.0.0.1", echo_port(server)), from);
    if (from <= From::Loopback) EXPECT_EQ(echo(o.in(), 1), 1u);
    else expect_reference_refused(o.in(), "127.0.0.1");
  }
}

// A loopback address may be anybody's, so who comes from there reaches no socket, which knows its callers.
TEST(ReferencesTo, lead_to_a_socket_from_who_has_come_over_one_alone) {
  const std::string path = echo_socket();
  EchoServer server({"-ORBEndpoint", "unix:" + path});
  for (const From from : kAll) {
    Client client;
    const CORBA::Object_var o = received(client, server.reference->ior(), from);
    if (from <= From::Machine) EXPECT_EQ(echo(o.in(), 1), 1u);
    else expect_reference_refused(o.in(), "unix:" + path);
  }
}

TEST(ReferencesTo, lead_to_no_other_orb_of_the_process_and_to_no_link_from_outside) {
  EchoServer server({"-ORBEndpoint", "memory:references-here"});
  Client client;
  expect_reference_refused(received(client, server.reference->ior(), From::Machine).in(), "memory:references-here");
  expect_reference_refused(received(client, echo_at("169.254.169.254", 80), From::Anywhere).in(), "169.254.169.254");
  expect_reference_refused(received(client, echo_at("fe80::1", 80), From::Anywhere).in(), "fe80::1");
}

TEST(ReferencesTo, names_that_lead_to_loopback_addresses_are_sent_no_request) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  for (const char* host : {"localhost", "127.1", "0x7f000001"}) {
    Client client;
    CORBA::Object_var direct = client.object(echo_at(host, echo_port(server)));
    EXPECT_EQ(echo(direct, 5), 5u) << "leaves a connection that the reference might find";
    const CORBA::Object_var o = received(client, echo_at(host, echo_port(server)), From::Anywhere);
    const int before = server.handler.requests;
    expect_reference_refused(o.in(), host);
    expect_reference_refused(o.in(), host);
    EXPECT_EQ(server.handler.requests, before);
  }
}

TEST(ReferencesTo, other_addresses_of_a_reference_are_used) {
  EchoServer near({"-ORBEndpoint", "unix:" + echo_socket()}), far({"-ORBEndpoint", "tcp:127.0.1.1:0"});
  ior::Ior both = near.reference->ior();
  const auto more = far.reference->ior().profiles;
  both.profiles.insert(both.profiles.end(), more.begin(), more.end());
  Client client;
  const CORBA::Object_var o = received(client, both, From::Anywhere);
  for (std::uint32_t i = 1; i < 4; ++i) EXPECT_EQ(echo(o.in(), i), i);
  EXPECT_EQ(near.core->server().connections(), 0u);
}

// Callbacks, iterators: what an ORB has given out is its own also when it comes back.
TEST(ReferencesTo, an_orbs_own_objects_may_come_back_to_it) {
  for (const char* collocation : {"adapter", "marshaled"}) {
    EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBCollocation", collocation});
    for (const From from : kAll) {
      const auto own = ReferencePtr::adopt(new Reference(*server.core, server.reference->ior(), {}, from));
      const CORBA::Object_var o = make_object(*own);
      EXPECT_EQ(echo(o.in(), 4), 4u) << collocation;
    }
  }
}

TEST(ReferencesTo, an_option_allows_more) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  const ior::Ior here = echo_at("127.0.0.1", echo_port(server)), far = echo_at("127.0.1.1", 1);
  for (const char* list : {"any", "127.0.0.1", "10.0.0.0/8,127.0.0.0/8", "same"}) {
    Client client({"-ORBForwardTo", list});
    EXPECT_EQ(echo(received(client, here, From::Anywhere).in(), 1), 1u) << list;
    // Places as far away as their sender are also allowed: nobody listens there.
    EXPECT_THROW(echo(received(client, far, From::Anywhere).in(), 1), CORBA::TRANSIENT) << list;
  }
  for (const char* list : {"outward", "none", "10.0.0.0/8"}) {
    Client client({"-ORBForwardTo", list});
    expect_reference_refused(received(client, here, From::Anywhere).in(), "127.0.0.1");
  }
}

// Afterwards nobody knows who has sent them.
TEST(ReferencesTo, those_that_were_kept_lead_no_nearer_than_they_say) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBEndpoint", "unix:" + echo_socket()});
  for (const char* host : {"127.0.0.1", "localhost"}) {
    Client client;
    EXPECT_EQ(echo(received(client, echo_at(host, echo_port(server)), From::Kept).in(), 1), 1u) << host;
  }
  Client client;
  EXPECT_EQ(echo(received(client, server.reference->ior(), From::Kept).in(), 1), 1u);
  expect_reference_refused(received(client, echo_at("127.1", echo_port(server)), From::Kept).in(), "127.1");
}

// --- Over the wire

// Sends a reference, or gets one.
class ReferenceBody final : public CallBody {
 public:
  CORBA::Object_var in, out;
  void encode(cdr::Encoder& e) override {
    if (in.in()) marshal::reference_handlers().encode(e, in.in(), nullptr);
  }
  void decode(cdr::Decoder& d) override {
    if (!in.in()) out = static_cast<CORBA::Object_ptr>(marshal::reference_handlers().decode(d, nullptr));
  }
  std::unique_ptr<CORBA::UserException> decode_exception(std::string_view, cdr::Decoder&) override { return nullptr; }
};

// "take": notes whence the reference in the request is. "give": answers one.
class ReferenceHandler final : public RequestHandler {
 public:
  void handle(ServerRequest& r) noexcept override {
    if (r.operation() == "give") return marshal::reference_handlers().encode(r.reply(), given.in(), nullptr);
    const CORBA::Object_var taken =
        static_cast<CORBA::Object_ptr>(marshal::reference_handlers().decode(r.arguments(), nullptr));
    from = taken->_callis_reference()->from();
    r.reply();
  }
  Locate locate(ByteView, ior::Ior&) noexcept override { return Locate::Here; }

  CORBA::Object_var given;
  From from = From::Self;
};

TEST(ReferencesTo, are_from_the_server_whose_reply_brings_them) {
  EchoServer near({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  for (const char* host : {"127.0.0.1", "127.0.1.1"}) {
    ReferenceHandler giver;
    EchoServer server({"-ORBEndpoint", std::string("tcp:") + host + ":0"}, {}, &giver);
    giver.given = near.object_for(*server.core);
    Client client;
    ReferenceBody body;
    call(*server.object_for(*client.core)->_callis_reference(), {"give", false, nullptr}, body);
    if (host == std::string("127.0.0.1")) EXPECT_EQ(echo(body.out.in(), 3), 3u);
    else expect_reference_refused(body.out.in(), "127.0.0.1");
  }
}

TEST(ReferencesTo, are_from_the_client_whose_request_brings_them) {
  EchoServer somebody({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  const std::pair<std::string, From> all[] = {{"tcp:127.0.0.1:0", From::Loopback},
                                              {"unix:" + echo_socket(), From::Machine},
                                              {"memory:references-from", From::Self}};
  for (const auto& [endpoint, from] : all)
    for (const char* threads : {"connection", "pool"}) {
      ReferenceHandler taker;
      EchoServer server({"-ORBEndpoint", endpoint, "-ORBServerThreads", threads}, {}, &taker);
      Client client;
      ReferenceBody body;
      body.in = somebody.object_for(*client.core);
      const CORBA::Object_var o = server.object_for(*client.core);
      for (int i = 0; i < 2; ++i) {  // the second by the known header
        taker.from = From::Link;
        call(*o->_callis_reference(), {"take", false, nullptr}, body);
        EXPECT_EQ(taker.from, from) << endpoint << ' ' << threads;
      }
    }
}

}  // namespace
}  // namespace callis::orb
