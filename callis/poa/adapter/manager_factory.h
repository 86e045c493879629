// SPDX-License-Identifier: Apache-2.0
// ManagerFactory: the POAManagerFactory of this ORB (CORBA 3.3 part 1, 15.3.3). Any thread. Part of the feature
// adapters.
#pragma once
#include <callis/poa/adapter/registry.h>
#include <callis/poa/servant/poa.h>

namespace callis::poa {

class ManagerFactory final : public PortableServer::POAManagerFactory {
 public:
  explicit ManagerFactory(Registry& registry) : registry_(&registry) {}
  PortableServer::POAManager_ptr create_POAManager(const char* id, const CORBA::PolicyList& policies) override;
  POAManagerSeq* list() override;
  PortableServer::POAManager_ptr find(const char* id) override;

 private:
  const orb::Counted<Registry> registry_;
};

}  // namespace callis::poa
