// SPDX-License-Identifier: Apache-2.0
// RebindPolicy (CORBA 3.0.3, 22.2.1): what a reference that has been bound may still do by itself.
#include <callis/messaging/testing/policies.h>

namespace callis::messaging {
namespace {

using namespace testing;

struct Rebinding : ::testing::Test {
  Client client;
  ScriptedPeer second{"rebind-second", [](Turn& t) { return t.echo(); }};
  std::function<bool(Turn&)> script = [](Turn& t) { return t.echo(); };
  ScriptedPeer first{"rebind-first", [this](Turn& t) { return script(t); }};
  CORBA::Object_var object = first.object(*client.core);

  void forward_to(ior::Ior to) { script = [to](Turn& t) { return t.forward(to); }; }
  void close() { script = [](Turn& t) { return t.close_connection(); }; }
  CORBA::Object_var bound(Messaging::RebindMode mode) {
    CORBA::Object_var o = with(object, client.rebind(mode));
    EXPECT_EQ(echo(o, 1), 1u);
    return o;
  }
};

// A reference to the same place with what a server says of its policies.
ior::Ior with_policies(const Core& core, const char* data) {
  const auto key = bytes_of("echo");
  ior::Ior ior{kEchoType, {}};
  std::vector<ior::TaggedComponent> components;
  const auto bytes = bytes_of(data);
  components.push_back({ior::kPolicies, {bytes.begin(), bytes.end()}});
  ior.profiles.push_back(ior::to_profile(core.options().version, {"127.0.0.1", 1}, key, components));
  return ior;
}

TEST_F(Rebinding, TRANSPARENT_follows_and_connects_anew) {
  CORBA::Object_var o = bound(Messaging::TRANSPARENT);
  close();
  const int before = first.connections();
  script = [n = 0](Turn& t) mutable { return n++ == 0 ? t.close_connection() : t.echo(); };
  EXPECT_EQ(echo(o, 2), 2u);
  EXPECT_EQ(first.connections(), before + 1);
  forward_to(second.ior());
  EXPECT_EQ(echo(o, 3), 3u);
}

TEST_F(Rebinding, NO_REBIND_follows_where_the_policies_are_the_same) {
  CORBA::Object_var o = bound(Messaging::NO_REBIND);
  forward_to(second.ior());
  EXPECT_EQ(echo(o, 2), 2u);
  EXPECT_EQ(second.requests(), 1);
}

TEST_F(Rebinding, NO_REBIND_is_REBIND_NO_where_they_change) {
  CORBA::Object_var o = bound(Messaging::NO_REBIND);
  forward_to(with_policies(*client.core, "other policies"));
  expect(caught<CORBA::REBIND>([&] { echo(o, 2); }), orb::kNoRebind, CORBA::COMPLETED_NO);
}

TEST_F(Rebinding, NO_REBIND_connects_anew) {
  CORBA::Object_var o = bound(Messaging::NO_REBIND);
  script = [n = 0](Turn& t) mutable { return n++ == 0 ? t.close_connection() : t.echo(); };
  EXPECT_EQ(echo(o, 2), 2u);
}

TEST_F(Rebinding, NO_RECONNECT_is_REBIND_NO_when_forwarded) {
  CORBA::Object_var o = bound(Messaging::NO_RECONNECT);
  forward_to(second.ior());
  expect(caught<CORBA::REBIND>([&] { echo(o, 2); }), orb::kNoRebind, CORBA::COMPLETED_NO);
  EXPECT_EQ(second.requests(), 0);
}

TEST_F(Rebinding, NO_RECONNECT_is_REBIND_NO_when_the_connection_has_gone) {
  CORBA::Object_var o = bound(Messaging::NO_RECONNECT);
  close();
  const int before = first.connections();
  expect(caught<CORBA::REBIND>([&] { echo(o, 2); }), orb::kNoReconnect, CORBA::COMPLETED_NO);
  EXPECT_EQ(first.connections(), before);
}

TEST_F(Rebinding, the_first_call_may_connect_and_be_forwarded) {
  forward_to(second.ior());
  CORBA::Object_var o = with(object, client.rebind(Messaging::NO_RECONNECT));
  EXPECT_EQ(echo(o, 1), 1u);
  EXPECT_EQ(echo(o, 2), 2u);
  EXPECT_EQ(second.requests(), 2);
  EXPECT_EQ(first.requests(), 1);
}

TEST_F(Rebinding, other_references_to_the_object_are_not_bound) {
  CORBA::Object_var o = bound(Messaging::NO_RECONNECT);
  forward_to(second.ior());
  EXPECT_EQ(echo(object, 1), 1u);
}

// --- _validate_connection (4.3.10) ---

bool valid(CORBA::Object_ptr object) {
  CORBA::PolicyList_var inconsistent;
  const bool yes = object->_validate_connection(inconsistent.out());
  EXPECT_EQ(inconsistent->length(), 0u);
  return yes;
}

TEST(ValidateConnection, asks_the_server_without_an_upcall) {
  EchoServer server({"-ORBEndpoint", "memory:validate"});
  Client client;
  CORBA::Object_var object = server.object_for(*client.core);
  EXPECT_TRUE(valid(object));
  EXPECT_EQ(server.handler.requests, 0);
}

TEST(ValidateConnection, is_OBJECT_NOT_EXIST_for_a_key_that_the_server_does_not_know) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  Client client;
  CORBA::Object_var object =
      client.core->string_to_object(("corbaloc::127.0.0.1:" + std::to_string(server.port()) + "/nobody").c_str());
  EXPECT_EQ(caught<CORBA::OBJECT_NOT_EXIST>([&] { valid(object); }).completed(), CORBA::COMPLETED_NO);
}

TEST(ValidateConnection, passes_on_why_it_cannot_connect) {
  Client client;
  CORBA::Object_var object;
  {
    EchoServer server({"-ORBEndpoint", "memory:gone"});
    object = server.object_for(*client.core);
  }
  EXPECT_EQ(caught<CORBA::TRANSIENT>([&] { valid(object); }).completed(), CORBA::COMPLETED_NO);
}

TEST(ValidateConnection, binds_and_connects_anew_where_a_call_may_not) {
  Client client;
  CORBA::Object_var object;
  {
    EchoServer server({"-ORBEndpoint", "memory:again"});
    object = with(server.object_for(*client.core), client.rebind(Messaging::NO_RECONNECT));
    EXPECT_TRUE(valid(object));
    EXPECT_EQ(echo(object, 1), 1u);
  }
  EchoServer server({"-ORBEndpoint", "memory:again"});
  expect(caught<CORBA::REBIND>([&] { echo(object, 2); }), orb::kNoReconnect, CORBA::COMPLETED_NO);
  EXPECT_TRUE(valid(object));
  EXPECT_EQ(echo(object, 3), 3u);
}

}  // namespace
}  // namespace callis::messaging
