// SPDX-License-Identifier: Apache-2.0
// Object::_get_component() (CORBA 3.0.3, 4.3.12; the operation's name in requests: 15.4.2).
#include <gtest/gtest.h>
#include <callis/orb/testing/client.h>
#include <callis/orb/testing/peer_stream.h>
#include <callis/orb/testing/scripted_peer.h>

namespace callis::orb {
namespace {

using namespace testing;

TEST(ObjectComponent, is_asked_of_the_server_by_component) {
  Client client;
  const ior::Ior component{"IDL:Component:1.0", {ior::to_profile(ior::MemoryProfile{"elsewhere", {'k'}})}};
  std::string asked;
  ScriptedPeer peer("component", [&](Turn& t) {
    asked = t.operation;
    return t.reply(giop::ReplyStatus::NoException, [&](cdr::Encoder& e) { ior::encode(e, component); });
  });
  const CORBA::Object_var got = peer.object(*client.core)->_get_component();
  EXPECT_EQ(asked, "_component");
  ASSERT_FALSE(CORBA::is_nil(got.in()));
  EXPECT_EQ(got->_callis_reference()->ior(), component);
}

TEST(ObjectComponent, is_nil_of_what_is_no_part_of_one) {
  Client client;
  ScriptedPeer peer("no-component", [](Turn& t) {
    return t.reply(giop::ReplyStatus::NoException, [](cdr::Encoder& e) { ior::encode(e, ior::Ior()); });
  });
  EXPECT_TRUE(CORBA::is_nil(CORBA::Object_var(peer.object(*client.core)->_get_component()).in()));
}

TEST(ObjectComponent, raises_what_the_server_answers) {
  Client client;
  ScriptedPeer peer("old", [](Turn& t) {
    return t.system_exception("IDL:omg.org/CORBA/BAD_OPERATION:1.0", 0, giop::Completion::No);
  });
  caught<CORBA::BAD_OPERATION>([&] { peer.object(*client.core)->_get_component(); });
}

TEST(ObjectComponent, that_cannot_be_read_is_MARSHAL) {
  Client client;
  ScriptedPeer peer("short", [](Turn& t) {
    return t.reply(giop::ReplyStatus::NoException, [](cdr::Encoder& e) { e.put_ulong(1'000'000); });
  });
  caught<CORBA::MARSHAL>([&] { peer.object(*client.core)->_get_component(); });
}

TEST(ObjectComponent, of_local_objects_is_NO_IMPLEMENT) {
  struct NoComponent final : CORBA::LocalObject {};
  const CORBA::Object_var local = new NoComponent;
  EXPECT_EQ(caught<CORBA::NO_IMPLEMENT>([&] { local->_get_component(); }).minor(), kLocalObject);
}

}  // namespace
}  // namespace callis::orb
