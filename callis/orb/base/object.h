// SPDX-License-Identifier: Apache-2.0
// CORBA::Object: an object reference as applications hold it (CORBA 3.3 part 1, 8.2; C++ mapping 1.3, 4.3).
//
// Counted: _duplicate() and CORBA::release(). Any thread may use an object while it holds a count.
//
//   Object_ptr ──→ Object (counted) ──→ orb::Reference (counted, shared by all Objects narrowed from it)
//                    ▲  virtual base                └─→ the ORB
//                  stubs
//
// Local objects (the POA, Current) are Objects without a Reference: nothing can be invoked on them remotely.
#pragma once
#include <callis/classic/reference.h>
#include <callis/classic/sequence.h>
#include <callis/classic/types.h>
#include <callis/classic/var.h>
#include <atomic>

namespace callis::orb {
class Reference;
}

namespace CORBA::inline callis_orb {

class ORB;
using ORB_ptr = ORB*;
class Object;
using Object_ptr = Object*;

// callis/orb/base/policy.h and policy_management.h have the classes.
class Policy;
using Policy_ptr = Policy*;
class PolicyList;
using PolicyList_var = callis::classic::SequenceVar<PolicyList>;
using PolicyList_out = callis::classic::VariableOut<PolicyList, PolicyList_var>;
using PolicyType = ULong;
using PolicyTypeSeq = callis::classic::Sequence<ULong>;
using PolicyTypeSeq_var = callis::classic::SequenceVar<PolicyTypeSeq>;
using PolicyTypeSeq_out = callis::classic::VariableOut<PolicyTypeSeq, PolicyTypeSeq_var>;
enum SetOverrideType : ULong { SET_OVERRIDE, ADD_OVERRIDE };
using SetOverrideType_out = SetOverrideType&;

// callis/dynamic.h and named_value.h have the classes.
class Request;
using Request_ptr = Request*;
using Request_out = callis::classic::ReferenceOut<Request>;
class ExceptionList;
class ContextList;
class NVList;
class NamedValue;
class Context;
class InterfaceDef;

class Object {
 public:
  using _ptr_type = Object_ptr;
  using _var_type = callis::classic::ReferenceVar<Object>;

  static Object_ptr _duplicate(Object_ptr o) {
    if (o) o->_add_ref();
    return o;
  }
  static Object_ptr _narrow(Object_ptr o) { return _duplicate(o); }
  static Object_ptr _unchecked_narrow(Object_ptr o) { return _duplicate(o); }
  static Object_ptr _nil() { return nullptr; }

  // True without a call when repository_id is that of CORBA::Object or the one the reference carries. A local object
  // answers this and what follows by itself.
  virtual Boolean _is_a(const char* repository_id);
  // Asks the server. False means that the object existed then; failures to reach it are thrown.
  virtual Boolean _non_existent();
  // Asks the server for the component that the object belongs to, or is a facet of; to be released. Nil for objects
  // that are no part of one. NO_IMPLEMENT for local objects.
  Object_ptr _get_component();
  // Asks the server for what an Interface Repository has of the object's interface; to be released. INTF_REPOS, OMG
  // minor 1, where the server knows of no Interface Repository; 2 where that does not know the interface.
  // NO_IMPLEMENT for local objects. (callis/orb/core/interface_def.h or a compiled ir.idl has the class.)
  InterfaceDef* _get_interface();
  // Without a call: true when both have the same profiles or a common address and object key. False
  // says nothing (8.2.5).
  virtual Boolean _is_equivalent(Object_ptr other);
  // Below maximum; 0 when maximum is 0. Equivalent references made by the same ORB have equal values.
  virtual ULong _hash(ULong maximum);
  // The ORB that the reference belongs to; to be released. Nil for local objects.
  virtual ORB_ptr _get_orb();
  // --- policies (callis/orb/base/policy_management.h); NO_IMPLEMENT for local objects ---

  // A reference to the same object, over the same connections, whose calls keep to these policies, or to these and
  // this one's. Narrowed ones keep them; they do not go along when the reference is sent or becomes text. Exceptions
  // as of PolicyManager::set_policy_overrides().
  Object_ptr _set_policy_overrides(const PolicyList& policies, SetOverrideType set_add);
  // Those of these types that have been set on this reference; all, when no types are given.
  PolicyList* _get_policy_overrides(const PolicyTypeSeq& types);
  // What calls of this thread on this reference keep to: set on it, for the thread or for the ORB; nil when nowhere.
  Policy_ptr _get_client_policy(PolicyType type);
  // The same; INV_POLICY, OMG minor 2, for types that nothing makes policies of.
  Policy_ptr _get_policy(PolicyType type);
  // Connects if need be, asks the server for the object and follows forwards, whatever RebindPolicy says; throws as a
  // call does when that fails, OBJECT_NOT_EXIST when the server knows no such object. True, and nothing inconsistent,
  // since no policies are read from references.
  Boolean _validate_connection(PolicyList_out inconsistent_policies);

  // --- requests made at run time (callis/dynamic.h, which defines these functions); the caller owns the request ---

  // Without arguments: the program adds them. INV_OBJREF for a local object, BAD_PARAM for an empty name.
  Request_ptr _request(const char* operation);
  // With these arguments. The request keeps counts of all that it is given; the result is written where the caller
  // sees it. result, context and lists may be nil. req_flags do not matter.
  void _create_request(Context* context, const char* operation, NVList* arguments, NamedValue* result,
                       Request_out request, ULong req_flags);
  void _create_request(Context* context, const char* operation, NVList* arguments, NamedValue* result,
                       ExceptionList* exceptions, ContextList* contexts, Request_out request, ULong req_flags);

  // The id that the reference carries; "" when it says nothing. Valid as long as this.
  virtual const char* _interface_repository_id() const noexcept;

  virtual void _add_ref() noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  virtual void _remove_ref() noexcept {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  // nullptr for local objects. Not counted.
  callis::orb::Reference* _callis_reference() const noexcept { return reference_; }

  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

 protected:
  Object() noexcept = default;
  // Adds a count of its own to the reference; the caller keeps his.
  explicit Object(callis::orb::Reference* reference) noexcept;
  virtual ~Object();

 private:
  callis::orb::Reference* reference_ = nullptr;
  std::atomic<ULong> count_{1};
};

// The base of objects that never leave the process. Local interfaces inherit from Object, and not from this: so a
// class may have both as bases, with `virtual` or without.
class LocalObject : public virtual Object {
 protected:
  LocalObject() = default;
};

inline Boolean is_nil(Object_ptr o) { return o == nullptr; }
inline void release(Object_ptr o) {
  if (o) o->_remove_ref();
}
// How callis/classic/reference.h counts.
inline Object_ptr callis_duplicate(Object_ptr o) { return Object::_duplicate(o); }
inline void callis_release(Object_ptr o) { release(o); }

using Object_var = callis::classic::ReferenceVar<Object>;
using Object_out = callis::classic::ReferenceOut<Object>;

}  // namespace CORBA::inline callis_orb
