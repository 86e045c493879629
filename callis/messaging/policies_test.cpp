// SPDX-License-Identifier: Apache-2.0
// Creating policies, and setting them for references, threads and ORBs (CORBA 3.0.3, 4.3.8, 4.3.9, 4.8.2, 4.9).
#include <callis/messaging/testing/policies.h>
#include <thread>

namespace callis::messaging {
namespace {

using namespace testing;
using orb::omg;

CORBA::PolicyTypeSeq types(std::initializer_list<CORBA::PolicyType> of) {
  CORBA::PolicyTypeSeq list;
  list.length(static_cast<CORBA::ULong>(of.size()));
  CORBA::ULong i = 0;
  for (const CORBA::PolicyType t : of) list[i++] = t;
  return list;
}

// --- create_policy ---

TEST(CreatePolicy, makes_what_the_module_declares) {
  Client c;
  auto rebind = Messaging::RebindPolicy_var(Messaging::RebindPolicy::_narrow(c.rebind(Messaging::NO_REBIND)));
  EXPECT_EQ(rebind->rebind_mode(), Messaging::NO_REBIND);
  auto scope =
      Messaging::SyncScopePolicy_var(Messaging::SyncScopePolicy::_narrow(c.scope(Messaging::SYNC_WITH_SERVER)));
  EXPECT_EQ(scope->synchronization(), Messaging::SYNC_WITH_SERVER);
  EXPECT_EQ(scope->policy_type(), 24u);
  auto roundtrip = Messaging::RelativeRoundtripTimeoutPolicy_var(
      Messaging::RelativeRoundtripTimeoutPolicy::_narrow(c.timeout(42)));
  EXPECT_EQ(roundtrip->relative_expiry(), 42u);
  auto request = c.policy(Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(43));
  EXPECT_EQ(Messaging::RelativeRequestTimeoutPolicy_var(Messaging::RelativeRequestTimeoutPolicy::_narrow(request))
                ->relative_expiry(), 43u);
  auto connect = c.policy(Callis::CONNECTION_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(44));
  EXPECT_EQ(Callis::ConnectionTimeoutPolicy_var(Callis::ConnectionTimeoutPolicy::_narrow(connect))->relative_expiry(),
            44u);
  const TimeBase::UtcT moment{4711, 1, 2, -60};
  auto end = c.policy(Messaging::REQUEST_END_TIME_POLICY_TYPE, moment);
  const TimeBase::UtcT read =
      Messaging::RequestEndTimePolicy_var(Messaging::RequestEndTimePolicy::_narrow(end))->end_time();
  EXPECT_EQ(read.time, 4711u);
  EXPECT_EQ(read.tdf, -60);
  auto reply = c.policy(Messaging::REPLY_END_TIME_POLICY_TYPE, moment);
  EXPECT_EQ(Messaging::ReplyEndTimePolicy_var(Messaging::ReplyEndTimePolicy::_narrow(reply))->end_time().inacchi, 2);
  auto both = c.policy(BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE, BiDirPolicy::BOTH);
  EXPECT_EQ(BiDirPolicy::BidirectionalPolicy_var(BiDirPolicy::BidirectionalPolicy::_narrow(both))->value(),
            BiDirPolicy::BOTH);
}

TEST(CreatePolicy, a_copy_is_another_object_of_the_same_value) {
  Client c;
  CORBA::Policy_var a = c.timeout(7);
  CORBA::Policy_var b = a->copy();
  a->destroy();
  EXPECT_NE(a.in(), b.in());
  EXPECT_EQ(b->policy_type(), Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE);
  EXPECT_EQ(Messaging::RelativeRoundtripTimeoutPolicy_var(Messaging::RelativeRoundtripTimeoutPolicy::_narrow(b))
                ->relative_expiry(), 7u);
}

template <class Value>
CORBA::PolicyErrorCode refusal(CORBA::PolicyType type, const Value& value) {
  Client c;
  return caught<CORBA::PolicyError>([&] { c.policy(type, value); }).reason;
}

TEST(CreatePolicy, says_why_it_does_not) {
  const CORBA::Short zero = 0;
  EXPECT_EQ(refusal(4711, zero), CORBA::BAD_POLICY);
  EXPECT_EQ(refusal(Messaging::MAX_HOPS_POLICY_TYPE, zero), CORBA::UNSUPPORTED_POLICY);
  EXPECT_EQ(refusal(Messaging::REPLY_START_TIME_POLICY_TYPE, TimeBase::TimeT(1)), CORBA::BAD_POLICY_TYPE);
  EXPECT_EQ(refusal(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, zero), CORBA::BAD_POLICY_TYPE);
  EXPECT_EQ(refusal(Messaging::REPLY_END_TIME_POLICY_TYPE, TimeBase::TimeT(1)), CORBA::BAD_POLICY_TYPE);
  EXPECT_EQ(refusal(Messaging::SYNC_SCOPE_POLICY_TYPE, CORBA::ULong(1)), CORBA::BAD_POLICY_TYPE);
  EXPECT_EQ(refusal(Messaging::SYNC_SCOPE_POLICY_TYPE, CORBA::Short(4)), CORBA::BAD_POLICY_VALUE);
  EXPECT_EQ(refusal(Messaging::SYNC_SCOPE_POLICY_TYPE, CORBA::Short(-1)), CORBA::UNSUPPORTED_POLICY_VALUE);
  EXPECT_EQ(refusal(Messaging::REBIND_POLICY_TYPE, CORBA::Short(3)), CORBA::BAD_POLICY_VALUE);
  EXPECT_EQ(refusal(BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE, CORBA::UShort(2)), CORBA::BAD_POLICY_VALUE);
}

// --- PolicyManager ---

TEST(PolicyManager, SET_replaces_and_ADD_adds_or_replaces_one) {
  Client c;
  auto manager = c.manager();
  manager->set_policy_overrides(list_of({c.timeout(1), c.scope(0)}), CORBA::SET_OVERRIDE);
  CORBA::Policy_var newer = c.timeout(2);
  manager->set_policy_overrides(list_of({newer}), CORBA::ADD_OVERRIDE);
  CORBA::PolicyList_var all = manager->get_policy_overrides({});
  EXPECT_EQ(all->length(), 2u);
  CORBA::PolicyList_var some = manager->get_policy_overrides(types({32, 23}));
  ASSERT_EQ(some->length(), 1u);
  EXPECT_EQ(some[0u], newer.in());
  manager->set_policy_overrides(list_of({c.rebind(0)}), CORBA::SET_OVERRIDE);
  all = manager->get_policy_overrides({});
  ASSERT_EQ(all->length(), 1u);
  EXPECT_EQ(all[0u]->policy_type(), Messaging::REBIND_POLICY_TYPE);
  EXPECT_FALSE(c.core->calls_are_plain());
  manager->set_policy_overrides({}, CORBA::SET_OVERRIDE);
  all = manager->get_policy_overrides({});
  EXPECT_EQ(all->length(), 0u);
  EXPECT_TRUE(c.core->calls_are_plain());
}

// A policy of somebody's own.
class Foreign final : public CORBA::Policy, public CORBA::LocalObject {
 public:
  explicit Foreign(CORBA::PolicyType type) : type_(type) {}
  CORBA::PolicyType policy_type() override { return type_; }
  CORBA::Policy_ptr copy() override { return new Foreign(type_); }
  void destroy() override {}

 private:
  const CORBA::PolicyType type_;
};

TEST(PolicyManager, refuses_all_when_one_is_wrong) {
  Client c;
  auto manager = c.manager();
  CORBA::Policy_var good = c.timeout(1), twin = c.timeout(2), adapters = new Foreign(16), posing = new Foreign(24);
  const auto set = [&](CORBA::PolicyList list) { manager->set_policy_overrides(list, CORBA::ADD_OVERRIDE); };
  expect(caught<CORBA::BAD_PARAM>([&] { set(list_of({good, twin})); }), omg(30), CORBA::COMPLETED_NO);
  expect(caught<CORBA::NO_PERMISSION>([&] {
           set(list_of({good, adapters}));
         }),
         orb::kServersPolicy, CORBA::COMPLETED_NO);
  const auto e = caught<CORBA::InvalidPolicies>([&] { set(list_of({nullptr, good, posing})); });
  ASSERT_EQ(e.indices.length(), 2u);
  EXPECT_EQ(e.indices[0], 0);
  EXPECT_EQ(e.indices[1], 2);
  CORBA::PolicyList_var all = manager->get_policy_overrides({});
  EXPECT_EQ(all->length(), 0u) << "nothing was set";
}

TEST(PolicyManager, keeps_policies_that_others_look_at_and_calls_stay_usual) {
  Client c;
  CORBA::Policy_var own = new Foreign(0xfffff001);
  c.manager()->set_policy_overrides(list_of({own}), CORBA::SET_OVERRIDE);
  CORBA::PolicyList_var all = c.manager()->get_policy_overrides({});
  ASSERT_EQ(all->length(), 1u);
  EXPECT_EQ(all[0u], own.in());
  EXPECT_TRUE(c.core->calls_are_plain());
}

TEST(PolicyCurrent, is_of_each_thread) {
  Client c;
  ThreadPolicies mine(c);
  mine.set(c.timeout(1));
  CORBA::ULong others = 99;
  std::thread([&] { others = CORBA::PolicyList_var(c.current()->get_policy_overrides({}))->length(); }).join();
  EXPECT_EQ(others, 0u);
  EXPECT_EQ(CORBA::PolicyList_var(c.current()->get_policy_overrides({}))->length(), 1u);
}

TEST(PolicyCurrent, goes_with_its_thread) {
  Client c;
  ScriptedPeer peer("thread-policies", [](Turn& t) { return t.echo(); });
  CORBA::Object_var o = peer.object(*c.core);
  std::thread([&] {
    c.current()->set_policy_overrides(list_of({c.timeout(1)}), CORBA::SET_OVERRIDE);
    caught<CORBA::TIMEOUT>([&] { echo(o, 1); });
  }).join();
  EXPECT_EQ(echo(o, 2), 2u);
}

// --- references ---

struct References : ::testing::Test {
  Client client;
  ScriptedPeer peer{"policies", [](Turn& t) { return t.echo(); }};
  CORBA::Object_var object = peer.object(*client.core);
};

TEST_F(References, overrides_are_those_of_the_new_reference_alone) {
  CORBA::Object_var limited = with(object, client.timeout(1));
  caught<CORBA::TIMEOUT>([&] { echo(limited, 1); });
  EXPECT_EQ(echo(object, 2), 2u);
  CORBA::Object_var free = limited->_set_policy_overrides({}, CORBA::SET_OVERRIDE);
  EXPECT_EQ(echo(free, 3), 3u);
  EXPECT_EQ(CORBA::PolicyList_var(limited->_get_policy_overrides({}))->length(), 1u);
  EXPECT_EQ(CORBA::PolicyList_var(free->_get_policy_overrides({}))->length(), 0u);
}

TEST_F(References, share_object_address_and_connection) {
  CORBA::Object_var other = with(object, client.timeout(kHour));
  EXPECT_EQ(echo(object, 1), 1u);
  EXPECT_EQ(echo(other, 2), 2u);
  EXPECT_EQ(peer.connections(), 1);
  EXPECT_TRUE(object->_is_equivalent(other));
  EXPECT_EQ(object->_hash(1000), other->_hash(1000));
  CORBA::String_var a = client.core->object_to_string(object), b = client.core->object_to_string(other);
  EXPECT_STREQ(a.in(), b.in());
}

TEST_F(References, ADD_keeps_and_SET_drops_what_was_there) {
  CORBA::Object_var one = with(object, client.timeout(5));
  CORBA::Object_var two = with(one, client.scope(1));
  EXPECT_EQ(CORBA::PolicyList_var(two->_get_policy_overrides({}))->length(), 2u);
  CORBA::PolicyList_var found = two->_get_policy_overrides(types({24, 28}));
  ASSERT_EQ(found->length(), 1u);
  EXPECT_EQ(found[0u]->policy_type(), 24u);
  CORBA::Object_var set = with(two, client.rebind(0), CORBA::SET_OVERRIDE);
  EXPECT_EQ(CORBA::PolicyList_var(set->_get_policy_overrides({}))->length(), 1u);
}

TEST_F(References, the_reference_goes_before_the_thread_and_that_before_the_orb) {
  ThreadPolicies thread(client);
  const auto in_force = [&](CORBA::Object_ptr o) -> TimeBase::TimeT {
    CORBA::Policy_var p = o->_get_client_policy(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE);
    auto t = Messaging::RelativeRoundtripTimeoutPolicy_var(Messaging::RelativeRoundtripTimeoutPolicy::_narrow(p));
    return CORBA::is_nil(t) ? 0 : t->relative_expiry();
  };
  EXPECT_EQ(in_force(object), 0u);
  client.manager()->set_policy_overrides(list_of({client.timeout(1)}), CORBA::SET_OVERRIDE);
  EXPECT_EQ(in_force(object), 1u);
  caught<CORBA::TIMEOUT>([&] { echo(object, 1); });
  thread.set(client.timeout(kHour));
  EXPECT_EQ(in_force(object), kHour);
  EXPECT_EQ(echo(object, 2), 2u);
  CORBA::Object_var own = with(object, client.timeout(2));
  EXPECT_EQ(in_force(own), 2u);
  caught<CORBA::TIMEOUT>([&] { echo(own, 3); });
}

TEST_F(References, policies_of_other_types_come_from_the_scopes_outside) {
  client.manager()->set_policy_overrides(list_of({client.timeout(1)}), CORBA::SET_OVERRIDE);
  CORBA::Object_var scoped = with(object, client.scope(Messaging::SYNC_WITH_TARGET));
  caught<CORBA::TIMEOUT>([&] { echo(scoped, 1); });
}

TEST_F(References, get_policy_is_INV_POLICY_for_types_that_nothing_makes) {
  expect(caught<CORBA::INV_POLICY>([&] { object->_get_policy(4711); }), omg(2), CORBA::COMPLETED_NO);
  EXPECT_TRUE(CORBA::is_nil(CORBA::Policy_var(object->_get_policy(Messaging::REBIND_POLICY_TYPE))));
  CORBA::Policy_var mode = client.rebind(Messaging::NO_REBIND);
  CORBA::Policy_var read = with(object, mode)->_get_policy(Messaging::REBIND_POLICY_TYPE);
  EXPECT_EQ(read.in(), mode.in());
}

TEST_F(References, are_checked_as_those_of_a_PolicyManager) {
  CORBA::Policy_var one = client.timeout(1), two = client.timeout(2);
  expect(caught<CORBA::BAD_PARAM>([&] {
           object->_set_policy_overrides(list_of({one, two}), CORBA::ADD_OVERRIDE);
         }),
         omg(30), CORBA::COMPLETED_NO);
  CORBA::PolicyManager_var local = client.manager();
  caught<CORBA::NO_IMPLEMENT>([&] { local->_set_policy_overrides(list_of({one}), CORBA::ADD_OVERRIDE); });
}

}  // namespace
}  // namespace callis::messaging
