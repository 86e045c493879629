// SPDX-License-Identifier: Apache-2.0
// Calls of the micro profile, from an ORB to another one of the same thread, over TCP.
#include <callis/micro/testing/pair.h>
#include <callis/orb/base/minor_codes.h>
#include <sys/wait.h>
#include <thread>

namespace callis::micro {
namespace {

using namespace testing;

class MicroCalls : public ::testing::Test {
 protected:
  Served server;
  Client client;
  Parts::Meter_var meter{client.meter(server.text())};
};

TEST_F(MicroCalls, pass_numbers_strings_structs_and_sequences) {
  EXPECT_EQ(meter->twice(21), 42);
  CORBA::Long length = 1;
  CORBA::String_var reversed;
  EXPECT_STREQ(CORBA::String_var(meter->echo("abc", length, reversed.out())), "abc");
  EXPECT_EQ(length, 4);
  EXPECT_STREQ(reversed.in(), "cba");
  Parts::Readings some;
  some.length(2);
  some[0] = {"b", 2, 0.5};
  some[1] = {"a", 1, 0.25};
  const Parts::Readings_var sorted = meter->sorted(some);
  ASSERT_EQ(sorted->length(), 2u);
  EXPECT_STREQ(sorted[0u].name, "a");
  EXPECT_EQ(sorted[1u].at, 0.5);
  EXPECT_EQ(meter->calls(), 1);
}

TEST_F(MicroCalls, pass_long_results_in_many_pieces) {
  const Parts::Octets_var all = meter->bytes(900'000);
  ASSERT_EQ(all->length(), 900'000u);
  EXPECT_EQ(all[899'999u], static_cast<CORBA::Octet>(899'999 & 0xff));
}

TEST_F(MicroCalls, bring_user_exceptions_with_their_members) {
  const auto e = caught<Parts::Refused>([&] { meter->refuse("not today", 7); });
  EXPECT_STREQ(e.why, "not today");
  EXPECT_EQ(e.code, 7);
}

TEST_F(MicroCalls, bring_system_exceptions_as_the_servant_threw_them) {
  const auto e = caught<CORBA::NO_PERMISSION>([&] { meter->fail(); });
  EXPECT_EQ(e.minor(), 4711u);
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_YES);
  EXPECT_EQ(caught<CORBA::UNKNOWN>([&] { meter->fail_badly(); }).completed(), CORBA::COMPLETED_MAYBE);
  EXPECT_EQ(meter->twice(1), 2) << "over the same connection";
}

TEST_F(MicroCalls, without_results_do_not_wait_and_come_in_order) {
  meter->note("one");
  meter->note("two");
  EXPECT_STREQ(CORBA::String_var(meter->noted()), "two");
}

TEST_F(MicroCalls, of_a_servant_may_come_back_to_the_caller_and_nest) {
  struct Listener final : POA_Parts::Listener {
    explicit Listener(Parts::Meter_ptr m) : meter(m) {}
    CORBA::Long heard(const char* text) override { return meter->twice(static_cast<CORBA::Long>(std::strlen(text))); }
    Parts::Meter_ptr meter;
  };
  Served other({}, "listener");
  const PortableServer::Servant_var<Listener> listener = new Listener(meter.in());
  const PortableServer::ObjectId_var id = other.poa->activate_object(listener.in());
  const CORBA::Object_var object = other.poa->id_to_reference(id.in());
  const Parts::Listener_var whom = Parts::Listener::_narrow(object.in());
  EXPECT_EQ(meter->call_back(whom.in(), "four"), 8);
}

TEST(MicroCallsAlone, nested_too_deep_wait_for_their_replies_alone_and_end_by_their_deadlines) {
  struct Listener final : POA_Parts::Listener {
    CORBA::Long heard(const char* text) override {
      deepest = std::max(deepest, Loop::instance().nested());
      return meter->call_back(itself.in(), text);
    }
    Parts::Meter_var meter;
    Parts::Listener_var itself;
    std::uint32_t deepest = 0;
  };
  Served server({"-ORBCallTimeout", "100"});
  Client client;
  const Parts::Meter_var meter = client.meter(server.text());
  Served other({"-ORBCallTimeout", "100"}, "listener");
  const PortableServer::Servant_var<Listener> listener = new Listener;
  const PortableServer::ObjectId_var id = other.poa->activate_object(listener.in());
  const CORBA::Object_var object = other.poa->id_to_reference(id.in());
  const std::string text = CORBA::String_var(other.orb->object_to_string(object.in())).in();
  Client to_both({"-ORBCallTimeout", "100"}, "third");
  listener->meter = to_both.meter(server.text());
  const CORBA::Object_var there = to_both.orb->string_to_object(text.c_str());
  listener->itself = Parts::Listener::_narrow(there.in());
  EXPECT_THROW(listener->meter->call_back(listener->itself.in(), "x"), CORBA::SystemException);
  EXPECT_LE(listener->deepest, Loop::kMostNested);
  EXPECT_GE(listener->deepest, 4u);
  EXPECT_EQ(meter->twice(1), 2) << "afterwards all is as before";
}

TEST_F(MicroCalls, to_the_own_ORB_need_no_connection) {
  const CORBA::Object_var object = server.poa->id_to_reference(server.id_of_object.in());
  const Parts::Meter_var here = Parts::Meter::_narrow(object.in());
  const std::size_t sources = Loop::instance().size();
  EXPECT_EQ(here->twice(4), 8);
  EXPECT_STREQ(caught<Parts::Refused>([&] { here->refuse("here", 1); }).why, "here");
  EXPECT_EQ(Loop::instance().size(), sources);
}

TEST_F(MicroCalls, pass_references_of_both_sides) {
  const Parts::Meter_var again = meter->itself();
  EXPECT_EQ(again->twice(2), 4);
  EXPECT_TRUE(again->_is_equivalent(meter.in()));
  EXPECT_EQ(again->_hash(1000), meter->_hash(1000));
  EXPECT_TRUE(again->_is_a("IDL:Parts/Meter:1.0"));
  EXPECT_FALSE(again->_is_a("IDL:Parts/Listener:1.0"));
  EXPECT_FALSE(again->_non_existent());
}

TEST_F(MicroCalls, to_an_object_that_has_gone_say_so) {
  meter->end();
  const auto e = caught<CORBA::OBJECT_NOT_EXIST>([&] { meter->twice(1); });
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
  EXPECT_TRUE(meter->_non_existent());
  const PortableServer::Servant_var<Meter> second = new Meter(server.orb.in());
  const PortableServer::ObjectId_var id = server.poa->activate_object(second.in());
  EXPECT_THROW(meter->twice(1), CORBA::OBJECT_NOT_EXIST) << "the slot is another object's now";
}

TEST_F(MicroCalls, with_wide_characters_are_refused_before_they_are_sent) {
  EXPECT_EQ(caught<CORBA::INV_OBJREF>([&] { meter->wide(L'w'); }).minor(), orb::omg(1));
}

TEST_F(MicroCalls, of_a_thread_that_has_not_made_the_ORB_are_refused) {
  std::thread([&] {
    EXPECT_EQ(caught<CORBA::BAD_INV_ORDER>([&] { meter->twice(1); }).completed(), CORBA::COMPLETED_NO);
  }).join();
}

TEST_F(MicroCalls, after_the_server_has_closed_the_connection_in_good_order_go_over_a_new_one) {
  EXPECT_EQ(meter->twice(1), 2);
  const std::string text = server.text();
  const Parts::Meter_var there = meter->itself();
  server.orb->destroy();
  EXPECT_THROW(there->twice(1), CORBA::TRANSIENT) << "CloseConnection, and nobody listens";
}

TEST(MicroCallsAlone, that_nobody_answers_end_with_TIMEOUT_at_their_deadline) {
  SocketAddress at, bound;
  ASSERT_TRUE(at.set({"127.0.0.1", 0}));
  const Descriptor silent = listen_at(at, bound);
  Client client({"-ORBCallTimeout", "50"});
  const std::string text = "corbaloc::127.0.0.1:" + std::to_string(bound.text().port) + "/key";
  const CORBA::Object_var object = client.orb->string_to_object(text.c_str());
  const auto e = caught<CORBA::TIMEOUT>([&] { object->_non_existent(); });
  EXPECT_EQ(e.minor(), orb::omg(2));
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_MAYBE);
}

TEST(MicroCallsAlone, to_where_nobody_listens_name_every_address) {
  Client client;
  const CORBA::Object_var object = client.orb->string_to_object("corbaloc::127.0.0.1:1,:127.0.0.1:2/key");
  const auto e = caught<CORBA::TRANSIENT>([&] { object->_non_existent(); });
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
  EXPECT_NE(std::string(e.what()).find("127.0.0.1:1, 127.0.0.1:2"), std::string::npos) << e.what();
}

TEST(MicroCallsAlone, follow_forwards_and_start_anew_when_that_place_has_gone) {
  Client client;
  Served agent({}, "agent");
  auto target = std::make_optional<Served>(std::vector<std::string>{}, "target");
  const CORBA::Object_var moved = agent.orb->string_to_object(target->text().c_str());
  agent.orb->register_initial_reference("Meter", moved.in());
  const CORBA::Object_var own = agent.poa->id_to_reference(agent.id_of_object.in());
  const ior::Address at = address_of(own.in());
  const std::string text = "corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(at.port) + "/Meter";
  const Parts::Meter_var meter = client.meter(text);
  ASSERT_FALSE(CORBA::is_nil(meter.in()));
  EXPECT_EQ(meter->twice(1), 2);
  EXPECT_EQ(meter->calls(), 1);
  target.reset();
  EXPECT_THROW(meter->twice(1), CORBA::TRANSIENT) << "the agent still leads there";
}

TEST(MicroCallsAlone, forwarded_in_a_circle_end_with_TRANSIENT) {
  Client client({"-ORBMaxForwards", "3"});
  Served agent({}, "agent");
  const CORBA::Object_var own = agent.poa->id_to_reference(agent.id_of_object.in());
  const std::string text =
      "corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(address_of(own.in()).port) + "/Round";
  const CORBA::Object_var round = agent.orb->string_to_object(text.c_str());
  agent.orb->register_initial_reference("Round", round.in());
  const CORBA::Object_var object = client.orb->string_to_object(text.c_str());
  EXPECT_EQ(caught<CORBA::TRANSIENT>([&] { object->_non_existent(); }).minor(), orb::kTooManyForwards);
}

TEST(MicroCallsAlone, without_an_address_for_TCP_say_that) {
  Client client;
  ior::Ior other;
  other.type_id = "IDL:Parts/Meter:1.0";
  other.profiles.push_back({0x1234, {1, 2, 3}});
  const CORBA::Object_var object = client.orb->string_to_object(ior::to_text(other).c_str());
  EXPECT_THROW(object->_non_existent(), CORBA::INV_OBJREF);
  EXPECT_EQ(std::string(CORBA::String_var(client.orb->object_to_string(object.in()))), ior::to_text(other))
      << "a reference passes through as it came";
}

}  // namespace
}  // namespace callis::micro
