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

  // Returns true without a call if repository_id is CORBA::Object's or the reference's own. A local object answers
  // this and the following operations by itself.
  virtual Boolean _is_a(const char* repository_id);
  // Asks the server. False means that the object existed at that time. Throws if the server cannot be reached.
  virtual Boolean _non_existent();
  // Asks the server for the component that the object belongs to, or is a facet of. The caller releases the result,
  // which is nil for objects outside components. Throws NO_IMPLEMENT for local objects.
  Object_ptr _get_component();
  // Asks the server for the object's interface in an Interface Repository. The caller releases the result. Throws
  // INTF_REPOS, OMG minor 1, if the server knows no Interface Repository; minor 2 if the repository does not know the
  // interface. Throws NO_IMPLEMENT for local objects. (callis/orb/core/interface_def.h or a compiled ir.idl has the
  // class.)
  InterfaceDef* _get_interface();
  // Makes no call. Returns true if both references have the same profiles or a common address and object key. False
  // says nothing (8.2.5).
  virtual Boolean _is_equivalent(Object_ptr other);
  // The value is below maximum; 0 if maximum is 0. Equivalent references made by the same ORB have equal values.
  virtual ULong _hash(ULong maximum);
  // The ORB that the reference belongs to. The caller releases the result, which is nil for local objects.
  virtual ORB_ptr _get_orb();
  // --- policies (callis/orb/base/policy_management.h); NO_IMPLEMENT for local objects ---

  // Makes a reference to the same object, over the same connections, whose calls keep to these policies, or to these
  // and this reference's. References narrowed from it keep the policies. A reference that is sent or becomes text
  // loses them. Throws as PolicyManager::set_policy_overrides() does.
  Object_ptr _set_policy_overrides(const PolicyList& policies, SetOverrideType set_add);
  // The policies of these types that have been set on this reference; all if no types are given.
  PolicyList* _get_policy_overrides(const PolicyTypeSeq& types);
  // The policy that calls of this thread on this reference keep to: set on the reference, for the thread or for the
  // ORB. nil if none is set.
  Policy_ptr _get_client_policy(PolicyType type);
  // The same, but throws INV_POLICY, OMG minor 2, for types of which no policies can be made.
  Policy_ptr _get_policy(PolicyType type);
  // Connects if need be, asks the server for the object and follows forwards, whatever RebindPolicy says. Throws as a
  // call does if this fails, and OBJECT_NOT_EXIST if the server knows no such object. Returns true and no
  // inconsistent policies, since no policies are read from references.
  Boolean _validate_connection(PolicyList_out inconsistent_policies);

  // --- requests made at run time (callis/dynamic.h, which defines these functions); the caller owns the request ---

  // Makes a request without arguments: the program adds them. Throws INV_OBJREF for a local object, BAD_PARAM for an
  // empty name.
  Request_ptr _request(const char* operation);
  // Makes a request with these arguments. The request keeps counts of all its arguments, and writes the result into
  // `result`. result, context and lists may be nil. req_flags do not matter.
  void _create_request(Context* context, const char* operation, NVList* arguments, NamedValue* result,
                       Request_out request, ULong req_flags);
  void _create_request(Context* context, const char* operation, NVList* arguments, NamedValue* result,
                       ExceptionList* exceptions, ContextList* contexts, Request_out request, ULong req_flags);

  // The repository id that the reference carries; "" if it carries none. Valid as long as this object.
  virtual const char* _interface_repository_id() const noexcept;

  virtual void _add_ref() noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  virtual void _remove_ref() noexcept {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  // The counts at this moment, for people.
  ULong _refcount_value() const noexcept { return count_.load(std::memory_order_relaxed); }

  // nullptr for local objects. Not counted.
  callis::orb::Reference* _callis_reference() const noexcept { return reference_; }

  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

 protected:
  Object() noexcept = default;
  // Adds a count of its own to the reference; the caller keeps his count.
  explicit Object(callis::orb::Reference* reference) noexcept;
  virtual ~Object();

 private:
  callis::orb::Reference* reference_ = nullptr;
  std::atomic<ULong> count_{1};
};

// The base of objects that never leave the process. Local interfaces inherit from Object, and not from LocalObject.
// So a class may have both as bases, with `virtual` or without.
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
