// SPDX-License-Identifier: Apache-2.0
// Administrative: marks servants whose operations administer something: start programs, change what types mean,
// destroy what others own. A caller of objects that strangers name, by operations that strangers define
// (callis/messaging/bound_object.h), refuses objects with this mark.
//
//   class Admin final : public poa::Administrative<POA_Plant::Admin> { ... };
//
// The mark is that _is_a(kAdministrativeId) is true. An interface in IDL may inherit CallisService::Administrative
// (services/common/CallisService.idl) instead; interfaces of the OMG, and those of the runtime, cannot. The class has
// a file of its own since servants of the runtime and of all services use it.
#pragma once
#include <callis/poa/servant/servant.h>
#include <cstring>

namespace callis::poa {

inline constexpr const char* kAdministrativeId = "IDL:CallisService/Administrative:1.0";

template <class Skeleton>
class Administrative : public virtual Skeleton {
 public:
  CORBA::Boolean _is_a(const char* id) override {
    return (id && std::strcmp(id, kAdministrativeId) == 0) || PortableServer::ServantBase::_is_a(id);
  }
};

}  // namespace callis::poa
