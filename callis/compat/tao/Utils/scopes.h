// SPDX-License-Identifier: Apache-2.0
// Namespace TAO::Utils: what a program lets free things at the end of a scope, and TAO's Servant_Var.
#pragma once
#include <callis/portable_server.h>
#include <tao/callis.h>
#include <exception>
#include <utility>

namespace TAO::inline callis_compat {
namespace Utils {

template <class T>
using Servant_Var = PortableServer::Servant_var<T>;

// Destroys the ORB. Exceptions of destroy() are dropped.
class ORB_Destroyer {
 public:
  explicit ORB_Destroyer(CORBA::ORB_var& orb) : orb_(CORBA::ORB::_duplicate(orb.in())) {}
  ~ORB_Destroyer() {
    try {
      if (!CORBA::is_nil(orb_.in())) orb_->destroy();
    } catch (const CORBA::Exception&) {
    }
  }
  ORB_Destroyer(const ORB_Destroyer&) = delete;
  ORB_Destroyer& operator=(const ORB_Destroyer&) = delete;

 private:
  CORBA::ORB_var orb_;
};

// resolve_initial_references() and _narrow() in one; throws INV_OBJREF where the second gives nil.
template <class T>
struct RIR_Narrow {
  static typename T::_ptr_type narrow(CORBA::ORB_ptr orb, const char* id) {
    const CORBA::Object_var object = orb->resolve_initial_references(id);
    return narrow_object(object.in());
  }
  static typename T::_ptr_type narrow(CORBA::ORB_var& orb, const char* id) { return narrow(orb.in(), id); }
  static typename T::_ptr_type narrow_object(CORBA::Object_ptr object) {
    typename T::_var_type narrowed = T::_narrow(object);
    if (CORBA::is_nil(narrowed.in())) throw CORBA::INV_OBJREF();
    return narrowed._retn();
  }
};

// A list of policies that are destroyed with it.
class PolicyList_Destroyer : public CORBA::PolicyList {
 public:
  PolicyList_Destroyer() = default;
  explicit PolicyList_Destroyer(CORBA::ULong max) : CORBA::PolicyList(max) {}
  ~PolicyList_Destroyer() {
    for (CORBA::ULong i = 0; i < length(); ++i) {
      try {
        if (CORBA::Policy_ptr policy = (*this)[i]) policy->destroy();
      } catch (const CORBA::Exception&) {
      }
    }
  }
};

// Deactivates the servant in its default adapter.
class Implicit_Deactivator {
 public:
  explicit Implicit_Deactivator(PortableServer::Servant servant) : servant_(servant) {}
  ~Implicit_Deactivator() {
    if (!servant_) return;
    try {
      const PortableServer::POA_var poa = servant_->_default_POA();
      const PortableServer::ObjectId_var id = poa->servant_to_id(servant_);
      poa->deactivate_object(id.in());
    } catch (const CORBA::Exception&) {
    }
  }
  PortableServer::Servant release() { return std::exchange(servant_, nullptr); }

 private:
  PortableServer::Servant servant_;
};

}  // namespace Utils
}  // namespace TAO::inline callis_compat
