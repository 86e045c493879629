// SPDX-License-Identifier: Apache-2.0
// Policies for tests, and ways to set them.
#pragma once
#include <callis/messaging.h>
#include <callis/orb/testing/scripted_peer.h>
#include <gtest/gtest.h>

namespace callis::messaging::testing {

using namespace orb::testing;
using orb::Counted;
using orb::Core;

inline constexpr TimeBase::TimeT kSecond = 10'000'000;
inline constexpr TimeBase::TimeT kHour = 3600 * kSecond;

inline TimeBase::UtcT at(ior::Moment m) { return {m, 0, 0, 0}; }

// An ORB that is destroyed at the end.
struct Client {
  explicit Client(std::vector<std::string> args = {}) : core(make_core(std::move(args))) {}
  ~Client() {
    try {
      core->destroy();
    } catch (const CORBA::Exception&) {  // a test has done it
    }
  }
  template <class Value>
  CORBA::Policy_var policy(CORBA::PolicyType type, const Value& value) {
    CORBA::Any any;
    any <<= value;
    return core->create_policy(type, any);
  }
  CORBA::Policy_var timeout(TimeBase::TimeT units) {
    return policy(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, units);
  }
  CORBA::Policy_var scope(Messaging::SyncScope scope) { return policy(Messaging::SYNC_SCOPE_POLICY_TYPE, scope); }
  CORBA::Policy_var rebind(Messaging::RebindMode mode) { return policy(Messaging::REBIND_POLICY_TYPE, mode); }

  CORBA::PolicyManager_var manager() {
    CORBA::Object_var object = core->resolve_initial_references("ORBPolicyManager");
    return CORBA::PolicyManager::_narrow(object);
  }
  CORBA::PolicyCurrent_var current() {
    CORBA::Object_var object = core->resolve_initial_references("PolicyCurrent");
    return CORBA::PolicyCurrent::_narrow(object);
  }

  Counted<Core> core;
};

inline CORBA::PolicyList list_of(std::initializer_list<CORBA::Policy_ptr> policies) {
  CORBA::PolicyList list;
  list.length(static_cast<CORBA::ULong>(policies.size()));
  CORBA::ULong i = 0;
  for (const CORBA::Policy_ptr p : policies) list[i++] = CORBA::Policy::_duplicate(p);
  return list;
}

// Returns the object with that policy alone, or with that policy added.
inline CORBA::Object_var with(CORBA::Object_ptr object, CORBA::Policy_ptr policy,
                              CORBA::SetOverrideType how = CORBA::ADD_OVERRIDE) {
  return object->_set_policy_overrides(list_of({policy}), how);
}

// Takes the thread's policies away at the end.
struct ThreadPolicies {
  explicit ThreadPolicies(Client& client) : current(client.current()) {}
  ~ThreadPolicies() { current->set_policy_overrides({}, CORBA::SET_OVERRIDE); }
  void set(CORBA::Policy_ptr policy) { current->set_policy_overrides(list_of({policy}), CORBA::ADD_OVERRIDE); }
  CORBA::PolicyCurrent_var current;
};

template <class E>
void expect(const E& e, CORBA::ULong minor, CORBA::CompletionStatus completed) {
  EXPECT_EQ(e.minor(), minor) << e.what();
  EXPECT_EQ(e.completed(), completed) << e.what();
}

}  // namespace callis::messaging::testing
