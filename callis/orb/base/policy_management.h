// SPDX-License-Identifier: Apache-2.0
// Policies of the client's side: creating them, and setting them for an ORB, a thread or a reference (CORBA 3.0.3,
// 4.3.8, 4.3.9, 4.8.2 and 4.9.3). The policies themselves are in callis/messaging.h.
//
//   ORB::create_policy()                               makes one
//   "ORBPolicyManager", "PolicyCurrent"                resolve_initial_references: PolicyManager and PolicyCurrent
//   Object::_set_policy_overrides()                    a new reference to the same object
//
// A call keeps to those of its reference, where that has none to those of its thread, then to those of the ORB.
// Setting a policy while calls run bears on those that begin later. Any thread may do so.
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

// Policies cannot be set: which, by their places in the list.
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

  // Those of these types that are set here; all, when no types are given.
  virtual PolicyList* get_policy_overrides(const PolicyTypeSeq& types) = 0;
  // SET_OVERRIDE: instead of all that are set; ADD_OVERRIDE: besides them, and instead of those of the same types. An
  // empty list with SET_OVERRIDE takes all away. Either all are set or none: BAD_PARAM, OMG minor 30, for two of one
  // type; NO_PERMISSION for one that is not a client's (an object adapter's); InvalidPolicies for nil.
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

// What is set for the thread that calls these operations, with all ORBs of the process, until it ends.
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
// For the types that `makes` says yes to; those registered later are asked first. Returns true, always.
bool register_policy_factory(bool (*makes)(CORBA::PolicyType type), PolicyFactory factory);

}  // namespace callis::orb
