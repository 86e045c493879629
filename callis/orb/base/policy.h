// SPDX-License-Identifier: Apache-2.0
// CORBA::Policy (CORBA 3.3 part 1, 8.6) and CORBA::Current: the types that `#include <orb.idl>` gives to IDL.
//
// A policy is an object like any other. Policies of object adapters and of most applications are local; policies of
// the Security Service may be called. The classes are like generated ones; only the data that generated code needs
// stand here.
#pragma once
#include <callis/orb/base/object.h>
#include <callis/orb/base/stub.h>
#include <callis/typecode/any.h>

namespace CORBA::inline callis_orb {

using PolicyType_out = ULong_out;
extern const TypeCode_ptr _tc_PolicyType;

Policy* callis_duplicate(Policy* p);
void callis_release(Policy* p);
extern const callis::orb::InterfaceLink callis_link_Policy;
using Policy_var = callis::classic::ReferenceVar<Policy>;
using Policy_out = callis::classic::ReferenceOut<Policy>;

// Unless a derived class implements its operations, they are calls, like those of any stub.
class Policy : public virtual Object {
 public:
  using _ptr_type = Policy_ptr;
  using _var_type = Policy_var;
  using _out_type = Policy_out;
  static Policy_ptr _duplicate(Policy_ptr p) { return callis_duplicate(p); }
  static Policy_ptr _narrow(Object_ptr p);
  static Policy_ptr _unchecked_narrow(Object_ptr p);
  static Policy_ptr _nil() { return nullptr; }
  static const char* _repository_id() { return callis_link_Policy.repository_id; }

  virtual PolicyType policy_type();
  virtual Policy_ptr copy();
  // Lets the policy go; the references to it stay valid.
  virtual void destroy();

  static void* _callis_create(callis::orb::Reference* r);
  static Object* _callis_object(void* p);

 protected:
  Policy() = default;
  explicit Policy(callis::orb::Reference* r);
  ~Policy() override;
};

extern const TypeCode_ptr _tc_Policy;
inline void operator<<=(Any& a, Policy* p) { callis::typecode::insert(a, _tc_Policy, &p); }
inline void operator<<=(Any& a, Policy** p) { callis::typecode::adopt_slot(a, _tc_Policy, p); }
inline Boolean operator>>=(const Any& a, Policy*& p) { return callis::typecode::extract_value(a, _tc_Policy, p); }

class PolicyList : public callis::classic::ReferenceSequence<Policy> {
 public:
  using _var_type = PolicyList_var;
  using _out_type = PolicyList_out;
  using SequenceOf::SequenceOf;
  PolicyList() = default;
};
CALLIS_ANY_OF_CLASS(PolicyList)

class Current;
using Current_ptr = Current*;
Current* callis_duplicate(Current* p);
void callis_release(Current* p);
using Current_var = callis::classic::ReferenceVar<Current>;
using Current_out = callis::classic::ReferenceOut<Current>;

class Current : public virtual CORBA::Object {
 public:
  using _ptr_type = Current_ptr;
  using _var_type = Current_var;
  using _out_type = Current_out;
  static Current_ptr _duplicate(Current_ptr p) { return callis_duplicate(p); }
  static Current_ptr _narrow(Object_ptr p) { return callis_duplicate(dynamic_cast<Current*>(p)); }
  static Current_ptr _unchecked_narrow(Object_ptr p) { return _narrow(p); }
  static Current_ptr _nil() { return nullptr; }
  static const char* _repository_id() { return "IDL:omg.org/CORBA/Current:1.0"; }

 protected:
  Current() = default;
};
extern const TypeCode_ptr _tc_Current;

}  // namespace CORBA::inline callis_orb

namespace callis::orb {

// Its operations, for stubs and skeletons.
extern const marshal::Unit policy_unit;
inline constexpr std::uint32_t kPolicyType = 0, kPolicyCopy = 4, kPolicyDestroy = 8;

}  // namespace callis::orb
