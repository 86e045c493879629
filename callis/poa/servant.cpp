// SPDX-License-Identifier: Apache-2.0
#include <callis/poa/servant.h>
#include <callis/poa/skeleton.h>
#include <cstring>

namespace PortableServer {

ServantBase::~ServantBase() = default;

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

}  // namespace PortableServer
