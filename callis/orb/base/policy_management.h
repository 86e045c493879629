// SPDX-License-Identifier: Apache-2.0
// Policies of the client's side: creating them, and setting them for an ORB, a thread or a reference (CORBA 3.0.3,
// 4.3.8, 4.3.9, 4.8.2 and 4.9.3). The policies themselves are in callis/messaging.h.
//
//   ORB::create_policy()                               makes one
//   "ORBPolicyManager", "PolicyCurrent"                resolve_initial_references: PolicyManager and PolicyCurrent
//   Object::_set_policy_overrides()                    a new reference to the same object
//
// A call keeps to the policies of its reference. Types that the reference lacks come from its thread, then from the
// ORB. Any thread may set a policy while calls run; only later calls keep to it.
#pragma once
#include <callis/classic/reference.h>
#include <callis/orb/base/orb.h>
#include <callis/orb/base/policy.h>
#include <callis/value/basic_sequences.h>

namespace CORBA::inline callis_orb {

using PolicyErrorCode = Short;
using PolicyErrorCode_out = Short_out;
inline constexpr PolicyErrorCode BAD_POLICY = 0, UNSUPPORTED_POLICY = 1, BAD_POLICY_TYPE = 2, BAD_POLICY_VALUE = 3,
                                 UNSUPPORTED_POLICY_VALUE = 4;

// A policy cannot be created: reason says why.
class PolicyError final : public UserException {
 public:
  PolicyErrorCode reason = BAD_POLICY;
  PolicyError() = default;
  explicit PolicyError(PolicyErrorCode why) : reason(why) {}
  [[noreturn]] void _raise() const override { throw *this; }
  const char* _name() const noexcept override { return "PolicyError"; }
  const char* _rep_id() const noexcept override { return "IDL:omg.org/CORBA/PolicyError:1.0"; }
  Exception* _duplicate() const override { return new PolicyError(*this); }
  static PolicyError* _downcast(Exception* e) { return dynamic_cast<PolicyError*>(e); }
  static const PolicyError* _downcast(const Exception* e) { return dynamic_cast<const PolicyError*>(e); }
};

// Policies cannot be set; indices are their places in the list.
class InvalidPolicies final : public UserException {
 public:
  UShortSeq indices;
  InvalidPolicies() = default;
  explicit InvalidPolicies(const UShortSeq& which) : indices(which) {}
  [[noreturn]] void _raise() const override { throw *this; }
  const char* _name() const noexcept override { return "InvalidPolicies"; }
  const char* _rep_id() const noexcept override { return "IDL:omg.org/CORBA/InvalidPolicies:1.0"; }
  Exception* _duplicate() const override { return new InvalidPolicies(*this); }
  static InvalidPolicies* _downcast(Exception* e) { return dynamic_cast<InvalidPolicies*>(e); }
  static const InvalidPolicies* _downcast(const Exception* e) { return dynamic_cast<const InvalidPolicies*>(e); }
};

class PolicyManager;
using PolicyManager_ptr = PolicyManager*;
PolicyManager* callis_duplicate(PolicyManager* p);
void callis_release(PolicyManager* p);
using PolicyManager_var = callis::classic::ReferenceVar<PolicyManager>;
using PolicyManager_out = callis::classic::ReferenceOut<PolicyManager>;

class PolicyManager : public virtual CORBA::Object {
 public:
  using _ptr_type = PolicyManager_ptr;
  using _var_type = PolicyManager_var;
  using _out_type = PolicyManager_out;
  static PolicyManager_ptr _duplicate(PolicyManager_ptr p) { return callis_duplicate(p); }
  static PolicyManager_ptr _narrow(Object_ptr p) { return callis_duplicate(dynamic_cast<PolicyManager*>(p)); }
  static PolicyManager_ptr _unchecked_narrow(Object_ptr p) { return _narrow(p); }
  static PolicyManager_ptr _nil() { return nullptr; }
  static const char* _repository_id() { return "IDL:omg.org/CORBA/PolicyManager:1.0"; }

  // The policies of these types that are set here; all if no types are given.
  virtual PolicyList* get_policy_overrides(const PolicyTypeSeq& types) = 0;
  // SET_OVERRIDE replaces all set policies; an empty list takes all away. ADD_OVERRIDE replaces only policies of the
  // same types. Either all given policies are set or none. Throws BAD_PARAM, OMG minor 30, for two policies of one
  // type. Throws NO_PERMISSION for a policy that is not a client's (an object adapter's); InvalidPolicies for nil.
  virtual void set_policy_overrides(const PolicyList& policies, SetOverrideType set_add) = 0;

 protected:
  PolicyManager() = default;
};

class PolicyCurrent;
using PolicyCurrent_ptr = PolicyCurrent*;
PolicyCurrent* callis_duplicate(PolicyCurrent* p);
void callis_release(PolicyCurrent* p);
using PolicyCurrent_var = callis::classic::ReferenceVar<PolicyCurrent>;
using PolicyCurrent_out = callis::classic::ReferenceOut<PolicyCurrent>;

// The policies of the calling thread, for all ORBs of the process, until the thread ends.
class PolicyCurrent : public virtual PolicyManager, public virtual Current {
 public:
  using _ptr_type = PolicyCurrent_ptr;
  using _var_type = PolicyCurrent_var;
  using _out_type = PolicyCurrent_out;
  static PolicyCurrent_ptr _duplicate(PolicyCurrent_ptr p) { return callis_duplicate(p); }
  static PolicyCurrent_ptr _narrow(Object_ptr p) { return callis_duplicate(dynamic_cast<PolicyCurrent*>(p)); }
  static PolicyCurrent_ptr _unchecked_narrow(Object_ptr p) { return _narrow(p); }
  static PolicyCurrent_ptr _nil() { return nullptr; }
  static const char* _repository_id() { return "IDL:omg.org/CORBA/PolicyCurrent:1.0"; }

 protected:
  PolicyCurrent() = default;
};

}  // namespace CORBA::inline callis_orb

namespace callis::orb {

// The base of the policies that are one number: how the runtime reads a policy without knowing its class. Units as
// for CallPolicy.
class NumberPolicy {
 public:
  virtual std::uint64_t number() const = 0;

 protected:
  ~NumberPolicy() = default;
};

// The type of Callis::ConnectionTimeoutPolicy.
inline constexpr CORBA::PolicyType kConnectTimeoutPolicy = 0x43414001;

// How policies of some types are made. Throws CORBA::PolicyError; the caller owns the result.
using PolicyFactory = CORBA::Policy_ptr (*)(CORBA::PolicyType type, const CORBA::Any& value);
// Registers the factory for the types for which `makes` returns true. Later factories are asked first. Always returns
// true.
bool register_policy_factory(bool (*makes)(CORBA::PolicyType type), PolicyFactory factory);
// Returns nullptr for types without a factory. Any thread may call.
PolicyFactory find_policy_factory(CORBA::PolicyType type);

}  // namespace callis::orb
