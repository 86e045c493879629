// SPDX-License-Identifier: Apache-2.0
// Object::_get_interface() (CORBA 3.0.3, 4.3.1; the operation's name in requests: 15.4.2).
#include <callis/orb/core/interface_def.h>
#include <callis/orb/testing/client.h>
#include <callis/orb/testing/peer_stream.h>
#include <callis/orb/testing/scripted_peer.h>
#include <gtest/gtest.h>

namespace callis::orb {
namespace {

using namespace testing;

TEST(ObjectInterface, is_asked_of_the_server_by_interface) {
  Client client;
  const ior::Ior definition{"IDL:omg.org/CORBA/InterfaceDef:1.0",
                            {ior::to_profile(ior::MemoryProfile{"elsewhere", {'k'}})}};
  std::string asked;
  ScriptedPeer peer("interface", [&](Turn& t) {
    asked = t.operation;
    return t.reply(giop::ReplyStatus::NoException, [&](cdr::Encoder& e) { ior::encode(e, definition); });
  });
  const CORBA::InterfaceDef_var got = peer.object(*client.core)->_get_interface();
  EXPECT_EQ(asked, "_interface");
  ASSERT_TRUE(got.in());
  CORBA::Object_ptr object = CORBA::callis_link_InterfaceDef.to_object(got.in());
  EXPECT_EQ(object->_callis_reference()->ior(), definition);
}

TEST(ObjectInterface, may_be_nil) {
  Client client;
  ScriptedPeer peer("no-interface", [](Turn& t) {
    return t.reply(giop::ReplyStatus::NoException, [](cdr::Encoder& e) { ior::encode(e, ior::Ior()); });
  });
  EXPECT_FALSE(CORBA::InterfaceDef_var(peer.object(*client.core)->_get_interface()).in());
}

TEST(ObjectInterface, raises_what_the_server_answers) {
  Client client;
  ScriptedPeer peer("no-repository", [](Turn& t) {
    return t.system_exception("IDL:omg.org/CORBA/INTF_REPOS:1.0", omg(1), giop::Completion::No);
  });
  EXPECT_EQ(caught<CORBA::INTF_REPOS>([&] { peer.object(*client.core)->_get_interface(); }).minor(), omg(1));
}

TEST(ObjectInterface, of_local_objects_is_NO_IMPLEMENT) {
  struct Here final : CORBA::LocalObject {};
  const CORBA::Object_var local = new Here;
  EXPECT_EQ(caught<CORBA::NO_IMPLEMENT>([&] { local->_get_interface(); }).minor(), kLocalObject);
}

}  // namespace
}  // namespace callis::orb
