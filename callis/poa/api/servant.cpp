// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/base/stub.h>
#include <callis/orb/context/upcall.h>
#include <callis/poa/api/initial.h>
#include <callis/poa/servant/minor_codes.h>
#include <callis/poa/servant/servant.h>
#include <callis/poa/servant/skeleton.h>
#include <callis/poa/servant/tie.h>
#include <cstring>

namespace PortableServer::inline callis_orb {

ServantBase::~ServantBase() = default;

POA_ptr ServantBase::_default_POA() {
  POA_ptr root = callis::poa::default_root();
  if (!root)
    callis::classic::raise<CORBA::OBJ_ADAPTER>(callis::orb::kNoAdapter, CORBA::COMPLETED_NO, "no ORB has a root POA");
  return root;
}

CORBA::Boolean ServantBase::_is_a(const char* logical_type_id) {
  if (!logical_type_id) return false;
  for (const char* const* id = _callis_skeleton().repository_ids; *id; ++id)
    if (std::strcmp(*id, logical_type_id) == 0) return true;
  return std::strcmp(logical_type_id, "IDL:omg.org/CORBA/Object:1.0") == 0;
}

CORBA::Boolean ServantBase::_non_existent() { return false; }

void ServantBase::_add_ref() { count_.fetch_add(1, std::memory_order_relaxed); }

void ServantBase::_remove_ref() {
  if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

CORBA::ULong ServantBase::_refcount_value() { return count_.load(std::memory_order_relaxed); }

}  // namespace PortableServer::inline callis_orb

namespace callis::poa {

PortableServer::POA_ptr duplicate_poa(PortableServer::POA_ptr poa) { return PortableServer::POA::_duplicate(poa); }
void release_poa(PortableServer::POA_ptr poa) { CORBA::release(poa); }

void* this_reference(PortableServer::ServantBase& servant, const orb::InterfaceLink& link) {
  const orb::Upcall* u = orb::Upcall::innermost_entered();
  CORBA::Object_var object;
  if (u && u->servant() == &servant) {
    object = reference_of(*u->adapter(), u->key(), &servant);
  } else {
    const PortableServer::POA_var poa(servant._default_POA());
    object = poa->servant_to_reference(&servant);
  }
  return orb::unchecked_narrow(object.in(), link);
}

}  // namespace callis::poa
