// SPDX-License-Identifier: Apache-2.0
// The policies of object adapters (CORBA 3.3 part 1, 8.6 and 15.3.8).
//
// Policies are local objects whose state never changes, so any thread may use them. create_POA() reads them and keeps
// none.
#pragma once
#include <callis/orb/base/policy.h>
#include <callis/poa/servant/local_interface.h>

namespace PortableServer::inline callis_orb {

enum ThreadPolicyValue : CORBA::ULong { ORB_CTRL_MODEL, SINGLE_THREAD_MODEL, MAIN_THREAD_MODEL };
enum LifespanPolicyValue : CORBA::ULong { TRANSIENT, PERSISTENT };
enum IdUniquenessPolicyValue : CORBA::ULong { UNIQUE_ID, MULTIPLE_ID };
enum IdAssignmentPolicyValue : CORBA::ULong { USER_ID, SYSTEM_ID };
enum ImplicitActivationPolicyValue : CORBA::ULong { IMPLICIT_ACTIVATION, NO_IMPLICIT_ACTIVATION };
enum ServantRetentionPolicyValue : CORBA::ULong { RETAIN, NON_RETAIN };
enum RequestProcessingPolicyValue : CORBA::ULong {
  USE_ACTIVE_OBJECT_MAP_ONLY,
  USE_DEFAULT_SERVANT,
  USE_SERVANT_MANAGER
};
using ThreadPolicyValue_out = ThreadPolicyValue&;
using LifespanPolicyValue_out = LifespanPolicyValue&;
using IdUniquenessPolicyValue_out = IdUniquenessPolicyValue&;
using IdAssignmentPolicyValue_out = IdAssignmentPolicyValue&;
using ImplicitActivationPolicyValue_out = ImplicitActivationPolicyValue&;
using ServantRetentionPolicyValue_out = ServantRetentionPolicyValue&;
using RequestProcessingPolicyValue_out = RequestProcessingPolicyValue&;

inline constexpr CORBA::PolicyType THREAD_POLICY_ID = 16;
inline constexpr CORBA::PolicyType LIFESPAN_POLICY_ID = 17;
inline constexpr CORBA::PolicyType ID_UNIQUENESS_POLICY_ID = 18;
inline constexpr CORBA::PolicyType ID_ASSIGNMENT_POLICY_ID = 19;
inline constexpr CORBA::PolicyType IMPLICIT_ACTIVATION_POLICY_ID = 20;
inline constexpr CORBA::PolicyType SERVANT_RETENTION_POLICY_ID = 21;
inline constexpr CORBA::PolicyType REQUEST_PROCESSING_POLICY_ID = 22;

// Each policy has a class, whose value() is the chosen value.
#define CALLIS_ADAPTER_POLICY(NAME, TYPE)                              \
  class NAME : public virtual CORBA::Policy, public virtual CORBA::LocalObject { \
   public:                                                             \
    CALLIS_LOCAL_INTERFACE(NAME)                                       \
    explicit NAME(NAME##Value value) : value_(value) {}                \
    CORBA::PolicyType policy_type() override { return TYPE; }          \
    CORBA::Policy_ptr copy() override { return new NAME(value_); }     \
    void destroy() override {}                                         \
    NAME##Value value() const { return value_; }                       \
                                                                       \
   private:                                                            \
    const NAME##Value value_;                                          \
  };                                                                   \
  using NAME##_ptr = NAME*;                                            \
  using NAME##_var = callis::classic::ReferenceVar<NAME>;

CALLIS_ADAPTER_POLICY(ThreadPolicy, THREAD_POLICY_ID)
CALLIS_ADAPTER_POLICY(LifespanPolicy, LIFESPAN_POLICY_ID)
CALLIS_ADAPTER_POLICY(IdUniquenessPolicy, ID_UNIQUENESS_POLICY_ID)
CALLIS_ADAPTER_POLICY(IdAssignmentPolicy, ID_ASSIGNMENT_POLICY_ID)
CALLIS_ADAPTER_POLICY(ImplicitActivationPolicy, IMPLICIT_ACTIVATION_POLICY_ID)
CALLIS_ADAPTER_POLICY(ServantRetentionPolicy, SERVANT_RETENTION_POLICY_ID)
CALLIS_ADAPTER_POLICY(RequestProcessingPolicy, REQUEST_PROCESSING_POLICY_ID)
#undef CALLIS_ADAPTER_POLICY

}  // namespace PortableServer::inline callis_orb
