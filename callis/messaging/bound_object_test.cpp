// SPDX-License-Identifier: Apache-2.0
// Objects that strangers name are asked what they are, and stay where they have answered.
#include <callis/messaging/bound_object.h>
#include <callis/messaging/testing/policies.h>
#include <callis/orb/endpoint/endpoint_directory.h>

namespace callis::messaging {
namespace {

using namespace testing;

constexpr const char *kIs = "IDL:Plant/Sensor:1.0", *kIsNot = "IDL:Plant/Admin:1.0";

struct BoundObjects : ::testing::Test {
  Client client;
  bool is = true, is_not = false;  // what the object answers
  int asked = 0;
  std::function<bool(Turn&)> otherwise = [](Turn& t) { return t.echo(); };
  ScriptedPeer second{"bound-second", [](Turn& t) { return t.echo(); }};
  ScriptedPeer first{"bound-first", [this](Turn& t) {
                       if (t.operation != "_is_a") return otherwise(t);
                       const bool answer = ++asked % 2 == 1 ? is : is_not;
                       return t.reply(giop::ReplyStatus::NoException,
                                      [answer](cdr::Encoder& e) { e.put_boolean(answer); });
                     }};
  CORBA::Object_var named = first.object(*client.core);

  CORBA::Object_var bound() { return bound_object(named.in(), kIs, kIsNot); }
};

TEST_F(BoundObjects, are_asked_whatever_their_reference_says) {
  EXPECT_FALSE(CORBA::is_nil(bound().in()));
  EXPECT_EQ(asked, 2);
  ior::Ior says = first.ior();
  says.type_id = kIs;
  named = client.core->string_to_object(ior::to_text(says).c_str());
  is = false;
  EXPECT_TRUE(CORBA::is_nil(bound().in()));
  EXPECT_EQ(asked, 3);
}

// They would take references in a stranger's event for their own process's.
TEST(BoundObject, is_none_of_the_own_orb_that_a_peer_has_named) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  using From = orb::MessageSource::From;
  for (const From from : {From::Self, From::Machine, From::Loopback, From::Anywhere}) {
    const auto reference =
        orb::ReferencePtr::adopt(new orb::Reference(*server.core, server.reference->ior(), {}, from));
    const CORBA::Object_var named = orb::make_object(*reference);
    const CORBA::Object_var bound = bound_object(named.in(), kEchoType, kIsNot);
    EXPECT_EQ(CORBA::is_nil(bound.in()), from != From::Self);
  }
}

TEST_F(BoundObjects, are_refused_where_they_are_what_they_must_not_be) {
  is_not = true;
  EXPECT_TRUE(CORBA::is_nil(bound().in()));
}

TEST_F(BoundObjects, follow_no_forward_any_more) {
  const CORBA::Object_var o = bound();
  EXPECT_EQ(echo(o, 1), 1u);
  otherwise = [this](Turn& t) { return t.forward(second.ior()); };
  expect(caught<CORBA::REBIND>([&] { echo(o, 2); }), orb::kNoRebind, CORBA::COMPLETED_NO);
  EXPECT_EQ(second.requests(), 0);
}

TEST_F(BoundObjects, connect_anew) {
  const CORBA::Object_var o = bound();
  const int before = first.connections();
  otherwise = [n = 0](Turn& t) mutable { return n++ == 0 ? t.close_connection() : t.echo(); };
  EXPECT_EQ(echo(o, 2), 2u);
  EXPECT_EQ(first.connections(), before + 1);
}

TEST_F(BoundObjects, are_called_at_no_other_address_of_their_reference) {
  std::optional<ScriptedPeer> vanishing(std::in_place, "bound-vanishing", [n = 0](Turn& t) mutable {
    const bool answer = ++n == 1;
    return t.reply(giop::ReplyStatus::NoException, [answer](cdr::Encoder& e) { e.put_boolean(answer); });
  });
  ior::Ior both = vanishing->ior();
  both.profiles.push_back(second.ior().profiles[0]);
  named = client.core->string_to_object(ior::to_text(both).c_str());
  const CORBA::Object_var o = bound();
  ASSERT_FALSE(CORBA::is_nil(o.in()));
  const CORBA::Object_var limited = with(o, client.timeout(kHour));
  client.core->endpoints().close_unneeded(Clock::steady().now());
  vanishing.reset();
  EXPECT_THROW(echo(o, 1), CORBA::SystemException);
  EXPECT_THROW(echo(limited, 1), CORBA::SystemException) << "a copy with another policy stays, too";
  EXPECT_EQ(second.requests(), 0);
}

}  // namespace
}  // namespace callis::messaging
